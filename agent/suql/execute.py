"""By demand: run the query over what is known, find which unknowns could still change it, ask those, repeat.

SELECTs are resolved from the inside out, correlated ones for the rows of those around them. In each, waves of calls
go out until every row is decided, or, where LIMIT allows, until the rows that LIMIT keeps are. What PostgreSQL then
computes from the whole text is the result.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp

from agent.suql.asking import Asking, Item
from agent.suql.calls import asked
from agent.suql.database import Database
from agent.suql.laziness import guards
from agent.suql.logic import UNKNOWN, Formula, Leaf, Possible, leaves, next_leaf, possible
from agent.suql.names import Names, Scope
from agent.suql.scopes import Block, calls_in, is_plain
from agent.suql.selectivity import Selectivity
from agent.suql.similarity import Similarity
from agent.suql.statements import Statement

WAVE = 64  # values asked in one wave
PILOT = 8  # values asked in the first wave where it is not known which condition to ask first
ROWS = 256  # rows looked at in one statement
SPREAD = 8  # rows looked at for each different one, to begin with

Build = Callable[[Statement, Sequence[str], list[str], str], str]
Landed = Callable[[int], None]


@dataclass(slots=True)
class Candidate:
    """A row that is not dead: what it can still become, and the value to ask for next."""

    possible: Possible
    wanted: Item | None
    output: str = ""  # what the row gives, where rows that give the same count once

    @property
    def certain(self) -> bool:
        return self.possible == {True}


class Executor:
    """Makes everything known that a query needs."""

    def __init__(
        self,
        database: Database,
        names: Names,
        blocks: dict[int, Block],
        asking: Asking,
        similarity: Similarity,
        selectivity: Selectivity,
        on_wave: Callable[[int], Awaitable[None]],
        landed: Landed,
        patience: float,
    ) -> None:
        self._database = database
        self._names = names
        self._blocks = blocks
        self._asking = asking
        self._similarity = similarity
        self._selectivity = selectivity
        self._on_wave = on_wave  # told how many leading rows of the main SELECT are certain
        self._landed = landed
        self._patience = patience
        self.resolved: set[int] = set()
        self._learned_from = 0  # how many values the rates were last learned from
        self._fetched: dict[Item, Any] = {}  # contents that came with the candidates of this wave

    def statement(self) -> Statement:
        """A new statement over what is known now."""
        return Statement(self._names, self._blocks, self.resolved, self._asking, self._similarity)

    async def resolve_all(self) -> None:
        """Resolves every SELECT that depends on no row around it; those that do come with the rows."""
        for scope in self._names.scopes:
            if not scope.outer:
                await self._resolve(self._blocks[scope.number])

    async def _resolve(self, block: Block) -> None:
        if block.needs_answers:
            await self._inputs(block)
            await self._where(block)
            await self._collect(block, block.ordering, ordered=False)
            await self._children(block, "shown")
            await self._collect(block, block.shown, ordered=True)
            await self._collect_groups(block)
        self.resolved.add(block.scope.number)

    async def _children(self, block: Block, clause: str) -> None:
        for number in block.children.get(clause, ()):
            if number not in self.resolved:
                await self._resolve(self._blocks[number])

    # -- FROM --------------------------------------------------------------------------------------------------------

    async def _inputs(self, block: Block) -> None:
        """The answers in FROM, item by item: arguments of unnest(), lateral subqueries, conditions of outer joins."""
        joins = block.select.args.get("joins") or ()
        for place in range(len(joins) + 1):
            await self._children(block, f"from:{place}")
            calls = block.inputs.get(place, [])
            if calls:
                await self._gather(calls, self._over(block.scope, places=place))
            if place in block.joins:
                await self._join(block, place)
            else:
                await self._children(block, f"on:{place}")

    async def _join(self, block: Block, place: int) -> None:
        """The condition of an outer join, for every pair of rows."""
        build = self._over(block.scope, places=place + 1, crossed=place)
        await self._decide(block.joins[place], build, lambda: self._children(block, f"on:{place}"))

    def _over(self, scope: Scope, *, places: int | None = None, crossed: int | None = None) -> Build:
        def build(statement: Statement, items: Sequence[str], conditions: list[str], tail: str) -> str:
            return statement.over(scope, items, conditions, places=places, crossed=crossed, tail=tail)

        return build

    # -- WHERE -------------------------------------------------------------------------------------------------------

    async def _where(self, block: Block) -> None:
        if block.where is None:
            await self._children(block, "where")
            return

        async def subqueries() -> None:
            await self._children(block, "where")

        early = block.distinct or (is_plain(block.select) and not block.ordering)
        if block.limit is not None and early and not block.scope.outer:
            await self._first_rows(block, block.where, block.limit + block.offset, subqueries)
        else:
            await self._decide(block.where, self._over(block.scope), subqueries)
        block.partial = block.partial or bool(self._asking.exhausted or self._asking.unread)

    async def _first_rows(
        self, block: Block, condition: Formula, needed: int, subqueries: Callable[[], Awaitable[None]]
    ) -> None:
        """Until the first `needed` rows that can be in the result, in its order, all are."""
        block.partial = True
        asked_for, seconds = 0, 0.0
        await self._recall(block, condition)
        width = _first_width(condition)
        while True:
            started = time.monotonic()
            rows = await self._head(block, condition, needed, self._ahead(asked_for, seconds))
            must = [row.wanted for row in rows[:needed] if row.wanted is not None]
            if self._asking.exhausted:
                return
            if not must:
                if self._waits(condition) and not all(row.certain for row in rows[:needed]):
                    await subqueries()
                    continue
                return
            ahead = [row.wanted for row in rows[needed:] if row.wanted is not None]
            wave = list(dict.fromkeys([*must, *ahead]))[:width]
            await self._ask(wave, condition, self._over(block.scope))
            asked_for += len(wave)
            seconds = time.monotonic() - started
            width = min(WAVE, width * 4)

    async def _head(self, block: Block, condition: Formula, needed: int, more: int) -> list[Candidate]:
        """The first rows of the result that can still be in it, `needed + more` of them where there are as many.

        Of rows that DISTINCT makes one, the one that says most: a certain one, or the first open one.
        """
        spread = SPREAD if block.distinct else 1
        while True:
            count = (needed + more) * spread
            rows = await self._candidates(condition, self._over(block.scope), count, order_of=block)
            more_to_see = len(rows) >= count
            if block.distinct:
                rows = _distinct(rows)
            else:
                await self._on_wave(_leading(rows))
            if not self._waits(condition):  # what cannot be read is in the notes, and the next rows take its place
                rows = [row for row in rows if row.certain or row.wanted is not None]
            if not more_to_see or len(rows) >= needed:
                return rows[: needed + more]
            spread *= SPREAD

    async def _recall(self, block: Block, condition: Formula) -> None:
        """Takes from the memo what it has of the first rows, all at once."""
        statement = self.statement()
        calls = [call for leaf in leaves(condition) if leaf.free for call in calls_in(leaf.node) if not _depth(call)]
        tail = f"{statement.order(block.select)} LIMIT {ROWS}"
        conditions = [f"NOT {statement.dead(condition)}"]
        sql = statement.over(block.scope, [statement.hash(call) for call in calls], conditions, tail=tail)
        rows = await self._database.rows(sql, statement.parameters)
        items = {(asked(call), content) for row in rows for call, content in zip(calls, row, strict=True) if content}
        await self._asking.recall([item for item in items if self._asking.is_open(*item)])

    def _ahead(self, asked_for: int, seconds: float) -> int:
        """How many rows to ask about beyond those that must be: the slower the last wave, the more, up to twice."""
        haste = seconds / self._patience
        return min(WAVE, int(asked_for * min(1.0, haste))) if haste > 0.25 else 0

    async def _decide(self, condition: Formula, build: Build, subqueries: Callable[[], Awaitable[None]]) -> None:
        """Until every row is decided."""
        width = _first_width(condition)
        while True:
            rows = await self._candidates(condition, build, ROWS, only_open=True)
            wanted = list(dict.fromkeys(row.wanted for row in rows if row.wanted is not None))
            if not wanted and rows and self._waits(condition):
                await subqueries()
                continue
            if not wanted or self._asking.exhausted:
                return
            await self._ask(wanted[:width], condition, build)
            width = min(WAVE, width * 4)

    def _waits(self, condition: Formula) -> bool:
        statement = self.statement()
        return any(statement.waits(leaf) for leaf in leaves(condition))

    async def _candidates(
        self, condition: Formula, build: Build, count: int, *, only_open: bool = False, order_of: Block | None = None
    ) -> list[Candidate]:
        """The first rows that are not dead (or only those still open), each with what to ask of it next."""
        statement = self.statement()
        found = list(leaves(condition))
        calls = [(leaf, call) for leaf in found if leaf.free for call in sorted(calls_in(leaf.node), key=_depth)]
        items = [f"({statement.text(leaf.node)})" for leaf in found] + [statement.hash(call) for _, call in calls]
        if order_of is not None and order_of.distinct:
            items.append(statement.output(order_of.select))
        elif count <= WAVE:
            items += [statement.content(call) for _, call in calls]
        conditions = [f"NOT {statement.dead(condition)}"]
        if only_open:
            conditions.append(f"NOT {statement.certain(condition)}")
        order = statement.order(order_of.select) if order_of is not None else ""
        unread = min(len(self._asking.unread), ROWS)
        sql = build(statement, items, conditions, f"{order} LIMIT {count + unread}")
        rows = await self._database.rows(sql, statement.parameters)
        waiting = frozenset(leaf.number for leaf in found if leaf.free and statement.waits(leaf))
        if order_of is None or not order_of.distinct:
            return [self._candidate(condition, found, calls, waiting, row) for row in rows]
        return [replace(self._candidate(condition, found, calls, waiting, row[:-1]), output=row[-1]) for row in rows]

    def _candidate(
        self,
        condition: Formula,
        found: list[Leaf],
        calls: list[tuple[Leaf, exp.Expr]],
        waiting: frozenset[int],
        row: tuple[Any, ...],
    ) -> Candidate:
        hashes, contents = row[len(found) : len(found) + len(calls)], row[len(found) + len(calls) :]
        wanted: dict[int, Item | None] = {}
        for (_, call), hashed, content in zip(calls, hashes, contents, strict=False):
            self._fetched[asked(call), hashed] = content
        for (leaf, call), content in zip(calls, hashes, strict=True):
            ask = asked(call)
            if content is None or content in self._asking.known.get(ask, {}) or leaf.number in wanted:
                continue
            wanted[leaf.number] = (ask, content) if self._asking.is_open(ask, content) else None
        states: dict[int, Possible] = {}
        for leaf, value in zip(found, row, strict=False):
            unknown = leaf.number in wanted or leaf.number in waiting
            states[leaf.number] = UNKNOWN if unknown else frozenset({value})
        skip = frozenset(leaf.number for leaf in found if wanted.get(leaf.number) is None)
        following = next_leaf(condition, states, self._selectivity.chance, skip)
        return Candidate(possible(condition, states), wanted.get(following.number) if following else None)

    async def _ask(self, wave: list[Item], condition: Formula, build: Build) -> None:
        """Fetches the contents of a wave, asks, and learns which conditions hold how often."""
        calls = [call for leaf in leaves(condition) if leaf.free for call in calls_in(leaf.node)]
        await self._asking.resolve(await self._contents(wave, calls, condition, build), self._landed)
        free = [leaf for leaf in leaves(condition) if leaf.free]
        if len(free) > 1 and len(self._asking.found) >= 2 * self._learned_from:
            self._learned_from = len(self._asking.found)
            await self._learn(free, build)

    async def _contents(
        self, wave: list[Item], calls: list[exp.Expr], condition: Formula, build: Build
    ) -> dict[Item, Any]:
        found = {item: self._fetched[item] for item in wave if item in self._fetched}
        self._fetched.clear()
        for call in calls:
            ask = asked(call)
            hashes = [content for other, content in wave if other == ask and (ask, content) not in found]
            if not hashes:
                continue
            statement = self.statement()
            hashed = statement.hash(call)
            conditions = [f"{hashed} = ANY ({statement.parameter(hashes)}::text[])", f"NOT {statement.dead(condition)}"]
            inside = build(statement, [hashed, statement.content(call)], conditions, "")
            rows = await self._database.rows(
                f"SELECT DISTINCT ON (c0) c0, c1 FROM ({inside}) AS _texts", statement.parameters
            )
            found.update({(ask, content): text for content, text in rows})
        return {item: found[item] for item in wave if item in found}

    async def _learn(self, free: list[Leaf], build: Build) -> None:
        """How often each condition holds where it is known: the next rows are asked the most telling one first."""
        statement = self.statement()
        items = []
        for leaf in free:
            known = " AND ".join(statement.known(call) for call in calls_in(leaf.node)) or "FALSE"
            known = "FALSE" if statement.waits(leaf) else known
            asked_of = " OR ".join(f"{statement.hash(call)} IS NOT NULL" for call in calls_in(leaf.node)) or "FALSE"
            items += [f"({known}) AND ({asked_of})", f"({known}) AND ({statement.text(leaf.node)})"]
        counts = ", ".join(f"count(*) FILTER (WHERE c{number})" for number in range(len(items)))
        sql = f"SELECT {counts} FROM ({build(statement, items, [], '')}) AS _seen"
        (row,) = await self._database.rows(sql, statement.parameters)
        for place, leaf in enumerate(free):
            self._selectivity.observe(leaf, known=row[2 * place], true=row[2 * place + 1])

    # -- SELECT, ORDER BY, GROUP BY, HAVING ----------------------------------------------------------------------------

    async def _collect(self, block: Block, calls: list[exp.Expr], *, ordered: bool) -> None:
        """The calls of the rows that are left; of those LIMIT keeps, where the order is known by now."""
        if not calls:
            return
        limited = ordered and block.limit is not None and is_plain(block.select) and not block.scope.outer

        def build(statement: Statement, items: Sequence[str], conditions: list[str], tail: str) -> str:
            kept = self._kept(block, statement)
            if limited:
                tail = f"{statement.order(block.select)} LIMIT {block.limit} OFFSET {block.offset}"
            return statement.over(block.scope, items, [*kept, *conditions], tail=tail)

        await self._gather(calls, build)

    def _kept(self, block: Block, statement: Statement) -> list[str]:
        """The condition that a row is in the result."""
        if block.where is not None:
            return [statement.certain(block.where)]
        where = block.select.args.get("where")
        return [statement.text(where.this)] if where is not None else []

    async def _collect_groups(self, block: Block) -> None:
        """Calls on aggregates, for the groups there are. HAVING is applied where it needs none of them."""
        if not block.grouped:
            return
        select = block.select
        having = select.args.get("having")

        def build(statement: Statement, items: Sequence[str], conditions: list[str], tail: str) -> str:
            if select.args.get("group"):
                terms = ", ".join(statement.text(term) for term in select.args["group"].expressions)
                tail = f" GROUP BY {terms}" if terms else ""
            if having is not None and not calls_in(having):
                tail += f" HAVING {statement.text(having.this)}"
            return statement.over(block.scope, items, [*self._kept(block, statement), *conditions], tail=tail)

        await self._gather(block.grouped, build)

    async def _gather(self, calls: list[exp.Expr], build: Build) -> None:
        """Asks calls for all rows of a statement, those inside other calls first."""
        for depth in sorted({_depth(call) for call in calls}):
            level = [call for call in calls if _depth(call) == depth]
            while not self._asking.exhausted:
                contents = await self._open_contents(level, build)
                if not contents:
                    break
                await self._asking.resolve(contents, self._landed)

    async def _open_contents(self, calls: list[exp.Expr], build: Build) -> dict[Item, Any]:
        statement = self.statement()
        items = [text for call in calls for text in (statement.hash(call), statement.content(call))]
        opened = [statement.open(call, f"c{2 * place}") for place, call in enumerate(calls)]
        inside = build(statement, items, [], "")
        sql = f"SELECT * FROM ({inside}) AS _rows WHERE {' OR '.join(opened)} LIMIT {WAVE}"
        found: dict[Item, Any] = {}
        for row in await self._database.rows(sql, statement.parameters):
            for place, call in enumerate(calls):
                item = (asked(call), row[2 * place])
                if item[1] is not None and self._asking.is_open(*item):
                    found[item] = row[2 * place + 1]
        return dict(list(found.items())[:WAVE])


def _first_width(condition: Formula) -> int:
    """One condition can only be asked; of several, a few values show which to ask first."""
    return WAVE if sum(leaf.free for leaf in leaves(condition)) < 2 else PILOT


def _distinct(rows: list[Candidate]) -> list[Candidate]:
    """One row for each output, in the order they first appear."""
    chosen: dict[str, Candidate] = {}
    for row in rows:
        known = chosen.get(row.output)
        if known is None or (row.certain and not known.certain) or (known.wanted is None and not known.certain):
            chosen[row.output] = row
    return list(chosen.values())


def _leading(rows: list[Candidate]) -> int:
    """How many rows at the head are certain."""
    return next((number for number, row in enumerate(rows) if not row.certain), len(rows))


def _depth(call: exp.Expr) -> int:
    """How many calls must be known one after another before this one: those in its text, those that it waits for."""
    inside = [found for argument in call.expressions for found in calls_in(argument)]
    before = [found for condition, _ in guards(call) for found in calls_in(condition)]
    return 1 + max(map(_depth, [*inside, *before])) if inside or before else 0
