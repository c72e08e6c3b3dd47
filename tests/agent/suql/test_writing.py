"""Trees are written as they stand, and copies are trees of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlglot import exp

from agent.suql.check import check
from agent.suql.tree import own_nodes, write
from agent.suql.walking import copied, nodes
from tests.agent.suql.world import CATALOGUE

FOLDER = Path("tests/fixtures/suql")
QUERIES = [line for name in ("shapes.sql", "positions.sql") for line in (FOLDER / name).read_text().split("\n") if line]
CHANGED_BY_SQLGLOT = (
    "SELECT string_agg(name, ', ' ORDER BY id) AS all_of_them FROM venues",
    "SELECT u.n FROM venues, unnest(notes) WITH ORDINALITY AS u(n, o)",
    "SELECT id FROM venues WHERE strpos(name, 'a') > 1",
)


@pytest.mark.parametrize("sql", [*QUERIES, *CHANGED_BY_SQLGLOT])
def test_writing_changes_nothing_and_says_what_sqlglot_says(sql: str) -> None:
    tree = check(sql, CATALOGUE).tree
    before = _everything(tree)
    assert write(tree) == tree.sql(dialect="postgres", identify=True, comments=False)
    assert _everything(tree) == before


@pytest.mark.parametrize("sql", QUERIES)
def test_a_copy_is_the_same_tree_of_other_nodes(sql: str) -> None:
    tree = check(sql, CATALOGUE).tree
    copy = copied(tree)
    assert repr(copy) == repr(tree)
    assert [node.meta for node in nodes(copy)] == [node.meta for node in nodes(tree)]
    assert not {id(node) for node in nodes(copy)} & {id(node) for node in nodes(tree)}
    assert all(child.parent is node for node in nodes(copy) for child in node.iter_expressions())


@pytest.mark.parametrize("sql", QUERIES)
def test_nodes_are_walked_as_sqlglot_walks_them(sql: str) -> None:
    tree = check(sql, CATALOGUE).tree
    assert list(map(id, nodes(tree))) == list(map(id, tree.walk()))
    without_subqueries = tree.walk(prune=lambda node: isinstance(node, exp.Query) and node is not tree)
    assert list(map(id, own_nodes(tree))) == list(map(id, without_subqueries))


def _everything(tree: exp.Expr) -> list[object]:
    """Every node with its place and arguments."""
    return [(id(node), id(node.parent), node.arg_key, node.index, _arguments(node)) for node in nodes(tree)]


def _arguments(node: exp.Expr) -> list[object]:
    return [
        (key, [id(part) for part in value] if isinstance(value, list) else id(value))
        for key, value in node.args.items()
    ]
