"""The fewest values a query of the suite can be answered with, from the answers that are known beforehand.

Nobody who does not know the answers can do with less: conditions are taken in the best fixed order, found by trying
every order; a row's next condition is asked only while it can still matter; LIMIT stops at the last row it keeps, in
the order asked for; what is shown is asked for the rows that are shown; one value counts once, wherever it occurs.
Where any one row settles a group (EXISTS, DISTINCT), rows are taken by their keys; luck can then do with a few less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import psycopg
from sqlglot import exp

from agent.suql.calls import Ask, asked
from agent.suql.check import check
from agent.suql.logic import UNKNOWN, Formula, Leaf, Odds, Possible, leaves, next_leaf, possible
from agent.suql.names import Names
from agent.suql.passes.order_rows import order_rows
from agent.suql.scopes import Block, blocks, calls_in, is_plain
from agent.suql.tree import write
from hybridchat.research.bench_world import CATALOGUE, plain_sql, spell_out

SUITE = Path(__file__).with_name("bench_suql.sql")
MOST_ORDERS = 24

Value = tuple[object, str]  # what is asked, and the md5 of the text


@dataclass(frozen=True, slots=True)
class Item:
    """One query of the suite. `needs` are (question, query of texts) pairs, `pairs` a query of pairs of values."""

    name: str
    sql: str
    needs: tuple[tuple[str, str], ...] = ()
    pairs: str = ""


def suite(path: Path = SUITE) -> list[Item]:
    """The queries of the suite, in the order of the file."""
    parts = [part.strip() for part in re.split(r"\n\s*\n", path.read_text(encoding="utf-8"))]
    return [_item(part.splitlines()) for part in parts if not all(line.startswith("--") for line in part.splitlines())]


def _item(lines: list[str]) -> Item:
    name, sql, *rest = lines
    needs = [line.removeprefix("-- needs ").split(": ", 1) for line in rest if line.startswith("-- needs ")]
    pairs = [line.removeprefix("-- pairs: ") for line in rest if line.startswith("-- pairs: ")]
    return Item(name.removeprefix("-- "), sql, tuple((one, other) for one, other in needs), "".join(pairs))


def bound(connection: psycopg.Connection[Any], item: Item) -> int:
    """The least number of distinct values that the query needs."""
    if item.pairs:
        return len(_rows(connection, plain_sql(item.pairs)))
    if item.needs:
        return len({(question, text) for question, sql in item.needs for text in _texts(connection, sql)})
    names = check(item.sql, CATALOGUE).names
    order_rows(names, rank=False)
    found: set[Value] = set()
    for block in blocks(names).values():
        if block.needs_answers:
            found |= _needed(connection, names, block, found)
    return len(found)


def _texts(connection: psycopg.Connection[Any], sql: str) -> Iterator[str]:
    for (content,) in _rows(connection, plain_sql(sql)):
        text = "; ".join(filter(None, content)) if isinstance(content, list) else content
        if text:
            yield text


def _rows(connection: psycopg.Connection[Any], sql: str) -> list[tuple[Any, ...]]:
    return connection.execute(sql.encode()).fetchall()


def _needed(connection: psycopg.Connection[Any], names: Names, block: Block, known: set[Value]) -> set[Value]:
    """The values of one SELECT, in the cheapest order of its conditions."""
    table = _Seen(connection, names, block)
    orders = list(permutations([leaf for leaf in table.leaves if leaf.free]))[:MOST_ORDERS]
    return min((table.walk(order, known) for order in orders), key=len)


class _Seen:
    """All rows of a SELECT's FROM clause in its order, with everything that is known of them beforehand."""

    def __init__(self, connection: psycopg.Connection[Any], names: Names, block: Block) -> None:
        self.block = block
        self.condition: Formula | None = block.where
        self.leaves = list(leaves(block.where)) if block.where is not None else []
        self.shown = [*block.ordering, *block.shown]
        calls = [call for leaf in self.leaves for call in calls_in(leaf.node)] + self.shown
        self.calls = {spell_out(call): call for call in calls}
        places = {text: len(self.leaves) + number for number, text in enumerate(self.calls)}
        self._places = [(call, places[spell_out(call)]) for call in calls]
        self._asked = {id(leaf): calls_in(leaf.node) for leaf in self.leaves}
        select = block.select
        where = select.args.get("where")
        plain = exp.true() if where is None or block.where is not None else where.this
        contents = [
            f"md5(nullif(to_jsonb({spell_out(call.expressions[0])})::text, '\"\"'))" for call in self.calls.values()
        ]
        items = [f"({spell_out(leaf.node)})" for leaf in self.leaves] + contents
        shell = exp.Select(
            expressions=[exp.Literal.number(1)], from_=select.args["from_"], joins=select.args.get("joins") or []
        )
        tail = spell_out(shell).removeprefix("SELECT 1")
        early = is_plain(select) and not block.ordering and select.args.get("limit")
        order = select.args.get("order") if early else None
        ordered = f" ORDER BY {', '.join(spell_out(term) for term in order.expressions)}" if order else ""
        clause = self._with(names)
        sql = f"{clause}SELECT {', '.join(items)}{tail} WHERE {spell_out(plain)}{ordered}"
        self.rows = _rows(connection, sql)
        self.enough = self._enough(connection, select) if early else None

    def _with(self, names: Names) -> str:
        clause = names.tree.args.get("with_")
        if clause is None or self.block.scope.role == "cte":
            return ""
        shell = exp.Select(expressions=[exp.Literal.number(1)], with_=clause)
        return spell_out(shell).removesuffix("SELECT 1")

    def _enough(self, connection: psycopg.Connection[Any], select: exp.Select) -> int:
        count = 0
        for name in ("limit", "offset"):
            if select.args.get(name):
                ((number,),) = _rows(connection, f"SELECT ({write(select.args[name].expression)})::int")
                count += number
        return count

    def walk(self, order: tuple[Leaf, ...], known: set[Value]) -> set[Value]:
        """What has to be asked row by row, the conditions in this order."""
        needed = set(known)
        kept = 0
        for row in self.rows:
            if self.enough is not None and kept >= self.enough:
                break
            if self._holds(row, order, needed):
                kept += 1
                needed |= set(self._values(row, self.shown))
        return needed - known

    def _holds(self, row: tuple[Any, ...], order: tuple[Leaf, ...], needed: set[Value]) -> bool:
        if self.condition is None:
            return True
        truth = {leaf.number: row[place] for place, leaf in enumerate(self.leaves)}
        states: dict[int, Possible] = {}
        for leaf in self.leaves:
            missing = set(self._values(row, self._asked[id(leaf)])) - needed
            states[leaf.number] = UNKNOWN if missing else frozenset({truth[leaf.number]})
        for leaf in order:
            others = frozenset(other.number for other in order if other is not leaf)
            if len(states[leaf.number]) == 1 or True not in possible(self.condition, states):
                continue
            if possible(self.condition, states) == {True}:
                continue
            if next_leaf(self.condition, states, Odds(lambda _: 0.5), others) is leaf:
                needed |= set(self._values(row, self._asked[id(leaf)]))
                states[leaf.number] = frozenset({truth[leaf.number]})
        return possible(self.condition, states) == {True}

    def _values(self, row: tuple[Any, ...], calls: list[exp.Expr]) -> Iterator[Value]:
        for call, place in self._places:
            if row[place] is not None and any(call is wanted for wanted in calls):
                ask: Ask = asked(call)
                yield ("gist" if ask.summary else ask.question), row[place]
