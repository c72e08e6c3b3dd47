"""Each pass on its own: a query in, the tree it leaves, from tests/fixtures/suql/passes/*.sql.

A fixture holds pairs, `query` and then `=> tree`, parted by empty lines. What a pass leaves also gives the same rows,
with `answer` as PostgreSQL's own function.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlglot import exp

from agent.suql.check import check
from agent.suql.names import Names
from agent.suql.passes.fold_joins import fold_joins
from agent.suql.passes.group_by_key import group_by_key
from agent.suql.passes.group_distinct import group_distinct
from agent.suql.passes.look_in_order import look_in_order
from agent.suql.passes.narrow import narrow
from agent.suql.passes.order_rows import order_rows
from agent.suql.passes.order_vocabularies import order_vocabularies
from agent.suql.passes.prune import prune
from agent.suql.passes.push_down import push_down
from agent.suql.passes.settled_first import settled_first
from agent.suql.plan import plan
from agent.suql.result import Step
from agent.suql.scopes import blocks, calls_in
from agent.suql.tree import write
from corpora.catalogue import catalogue
from tests.agent.suql.oracle import as_plain_sql, spell_out
from tests.agent.suql.world import CATALOGUE

FOLDER = Path("tests/fixtures/suql/passes")


def selects(names: Names) -> list[exp.Select]:
    return [scope.select for scope in names.scopes]


def put_settled_first(names: Names) -> None:
    order_rows(names, rank=False)
    for block in blocks(names).values():
        settled_first(block)


PASSES: dict[str, Callable[[Names], object]] = {
    "resolve": lambda names: None,
    "fold_joins": lambda names: [fold_joins(select, lambda node: bool(calls_in(node))) for select in selects(names)],
    "group_distinct": lambda names: [group_distinct(select) for select in selects(names)],
    "group_by_key": group_by_key,
    "prune": prune,
    "look_in_order": lambda names: look_in_order(names, selects(names)[-1]),
    "push_down": push_down,
    "narrow": narrow,
    "order_rows": lambda names: order_rows(names, rank=False),
    "order_vocabularies": order_vocabularies,
    "settled_first": put_settled_first,
}


def pairs(name: str) -> list[tuple[str, str]]:
    parts = [part.strip() for part in re.split(r"\n\s*\n", (FOLDER / f"{name}.sql").read_text()) if part.strip()]
    return [(query.strip(), tree.strip()) for query, tree in (part.split("\n=> ", 1) for part in parts)]


CASES = [(name, query, tree) for name in PASSES for query, tree in pairs(name)]


@pytest.mark.parametrize(("name", "query", "tree"), CASES)
def test_a_pass_leaves_the_tree_it_should(name: str, query: str, tree: str) -> None:
    names = check(query, catalogue() if "restaurants" in query else CATALOGUE).names
    PASSES[name](names)
    assert write(names.tree) == " ".join(tree.split())


@pytest.mark.parametrize(("name", "query"), [case[:2] for case in CASES if "restaurants" not in case[1]])
def test_a_pass_keeps_the_rows(world: psycopg.Connection[Any], name: str, query: str) -> None:
    names = check(query, CATALOGUE).names
    PASSES[name](names)
    before = world.execute(as_plain_sql(query).encode()).fetchall()
    after = world.execute(spell_out(names.tree).encode()).fetchall()
    assert before
    assert Counter(map(repr, before)) == Counter(map(repr, after))


def outline(step: Step, depth: int = 0) -> str:
    detail = f": {step.detail}" if step.detail else ""
    return "\n".join(["  " * depth + step.title + detail, *(outline(child, depth + 1) for child in step.children)])


def plans() -> list[tuple[str, str]]:
    parts = [part.split("\n", 1) for part in (FOLDER / "plans.txt").read_text().split("\n\n") if part]
    return [(query.strip(), steps.rstrip()) for query, steps in parts]


@pytest.mark.parametrize(("query", "steps"), plans())
def test_plans_in_words(query: str, steps: str) -> None:
    names = check(query, CATALOGUE).names
    found = blocks(names)
    for block in found.values():
        limit = block.select.args.get("limit")
        block.limit = int(limit.expression.name) if limit is not None else None
    assert outline(plan(names, found, None)) == steps
