"""The rows of a SELECT that are not decided yet, as PostgreSQL finds them over what is known by now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlglot import exp

from agent.suql.asking import Asking, Item
from agent.suql.calls import asked
from agent.suql.database import Database
from agent.suql.laziness import guards
from agent.suql.logic import UNKNOWN, Formula, Leaf, Possible, leaves, likelihood, next_leaf, possible
from agent.suql.scopes import Block, calls_in
from agent.suql.selectivity import Selectivity
from agent.suql.statements import Statement

ROWS = 20_000  # undecided rows looked at in one statement
SAMPLE = 2_000  # rows that different texts are counted in
PILOT = 8  # answers a condition is tried on before one is preferred


class Build(Protocol):
    """Writes a statement of items over some rows: see `Statement.over`."""

    def __call__(
        self,
        statement: Statement,
        items: Sequence[str],
        conditions: list[str],
        tail: str = "",
        *,
        only: str = "",
        most: int | None = None,
    ) -> str: ...


@dataclass(slots=True)
class Candidate:
    """A row that is not dead: what it can still become, and the value to ask for next."""

    possible: Possible
    wanted: Item | None
    chance: float = 0.5  # how likely it is to be in the result
    output: str = ""  # what the row gives, where rows that give the same count once

    @property
    def certain(self) -> bool:
        return self.possible == {True}


class Candidates:
    """Finds the candidates of one condition, over the rows that `build` writes."""

    def __init__(
        self,
        database: Database,
        new_statement: Callable[[], Statement],
        asking: Asking,
        selectivity: Selectivity,
        condition: Formula,
        build: Build,
    ) -> None:
        self._database = database
        self._new = new_statement
        self._asking = asking
        self._selectivity = selectivity
        self.condition = condition
        self.build = build
        self.leaves = list(leaves(condition))
        self.free = [leaf for leaf in self.leaves if leaf.free]
        self.calls = [(leaf, call) for leaf in self.free for call in sorted(calls_in(leaf.node), key=depth)]
        self.fetched: dict[Item, Any] = {}  # contents that came with the candidates
        self._looked_up: set[Item] = set()  # in the memo
        self._chosen: dict[tuple[Any, ...], tuple[Possible, float, Leaf | None]] = {}

    def statement(self) -> Statement:
        """A new statement over what is known, which computes each hash once for a row."""
        statement = self._new()
        statement.hash_once(call for _, call in self.calls)
        return statement

    def waits(self) -> bool:
        """Does the condition wait for a subquery whose answers are not all asked yet?"""
        statement = self._new()
        return any(statement.waits(leaf) for leaf in self.free)

    def pilot(self) -> int:
        """Return how many values show which condition tells most; 0 if that is known, or there is only one."""
        return len(self._untried())

    async def first(self, block: Block, count: int) -> list[Candidate]:
        """Return the first rows of the result that are not dead, in its order, with their texts."""
        statement = self.statement()
        items = self._items(statement)
        if block.distinct:
            items.append(statement.output(block.select))
        else:
            items += [statement.content(call) for _, call in self.calls]
        limit = count + min(len(self._asking.unread), ROWS)
        alive = [statement.alive(self.condition)]
        sql = self.build(statement, items, alive, f"{statement.order(block.select)} LIMIT {limit}")
        rows = await self._database.rows(sql, statement.parameters)
        if await self._recall(rows) or (len(rows) < limit and block.widen is not None and await block.widen()):
            return await self.first(block, count)
        found = self._read(statement, rows, texts=not block.distinct)
        if block.distinct:
            for candidate, row in zip(found, rows, strict=True):
                candidate.output = row[-1]
        return found

    async def undecided(self) -> list[Candidate]:
        """Rows that are open, each state once."""
        statement = self.statement()
        open_rows = [statement.alive(self.condition), f"NOT {statement.certain(self.condition)}"]
        items = self._items(statement)
        pairs = [call for _, call in self.calls if asked(call).same][:1]
        together = [statement.text(call.expressions[call.meta.get("side", 0)]) for call in pairs]
        inside = self.build(statement, [*items, *together], open_rows)
        order = f" ORDER BY c{len(items)}" if together else ""  # the pairs of one text are asked of in one call
        sql = f"SELECT DISTINCT * FROM ({inside}) AS _open{order} LIMIT {ROWS}"
        rows = await self._database.rows(sql, statement.parameters)
        return await self.undecided() if await self._recall(rows) else self._read(statement, rows)

    async def leading(self, group: Sequence[str], order: str, count: int, *, any_row: bool) -> list[Candidate]:
        """Return the open rows among the first `count` of each group (of all rows around, for a correlated SELECT).

        With `any_row`, one certain row settles a group, whichever it is; else the first rows in `order` have to be
        certain. `order` (terms, as SQL) may leave ties; all of them then count.
        """
        statement = self.statement()
        certain = statement.certain(self.condition)
        parts = f"PARTITION BY {', '.join(group)} " if group else ""
        same_again = [statement.hash(call) for _, call in self.calls[:1]]  # the next run looks at the same rows first
        terms = [f"{certain} DESC", *same_again] if any_row else [order]
        ordered = ", ".join(term for term in terms if term)
        window = f"({parts}{f'ORDER BY {ordered}' if ordered else ''})"
        items = self._items(statement)
        place = len(items)
        items += [certain, f"rank() OVER {window}" if order and not any_row else f"row_number() OVER {window}"]
        items.append(f"first_value({certain}) OVER {window}")
        only = f"NOT c{place} AND c{place + 1} <= {count}" + (f" AND NOT c{place + 2}" if any_row else "")
        alive = [statement.alive(self.condition)]
        sql = self.build(statement, items, alive, only=only, most=ROWS)
        rows = await self._database.rows(sql, statement.parameters)
        if await self._recall(rows):
            return await self.leading(group, order, count, any_row=any_row)
        return self._read(statement, rows)

    async def _recall(self, rows: Sequence[tuple[Any, ...]]) -> bool:
        """Takes from the memo what it has of any condition of these rows, and says whether that was anything."""
        start = len(self.leaves)
        new: dict[Item, None] = {}
        for row in rows:
            for (_, call), content in zip(self.calls, row[start : start + len(self.calls)], strict=True):
                if content is not None and (item := (asked(call), content)) not in self._looked_up:
                    new[item] = None
        self._looked_up.update(new)
        return bool(await self._asking.recall([item for item in new if self._asking.is_open(*item)]))

    async def contents(self, wave: Sequence[Item]) -> dict[Item, Any]:
        """Return the texts of a wave, those that came with the candidates or else by their hashes."""
        found = {item: self.fetched[item] for item in wave if item in self.fetched}
        self.fetched.clear()
        for call in {asked(call): call for _, call in self.calls}.values():
            found.update(await self._by_hash(call, [item for item in wave if item not in found]))
        for _, call in self.calls:  # the same question on another column
            found.update(await self._by_hash(call, [item for item in wave if item not in found]))
        return {item: found[item] for item in wave if item in found}

    async def _by_hash(self, call: exp.Expr, wanted: Sequence[Item]) -> dict[Item, Any]:
        ask = asked(call)
        hashes = [content for other, content in wanted if other == ask]
        if not hashes:
            return {}
        statement = self.statement()
        hashed = statement.hash(call)
        wanted_ones = f"{hashed} = ANY ({statement.parameter(hashes)}::text[])"
        conditions = [statement.alive(self.condition), wanted_ones]
        inside = self.build(statement, [hashed, statement.content(call)], conditions)
        rows = await self._database.rows(
            f"SELECT DISTINCT ON (c0) c0, c1 FROM ({inside}) AS _texts", statement.parameters
        )
        return {(ask, content): text for content, text in rows}

    async def sample(self) -> tuple[int, int]:
        """Some rows that are open, and how many different texts they have that nobody has been asked about."""
        statement = self.statement()
        alive = [statement.alive(self.condition)]
        hashes = [statement.hash(call) for _, call in self.calls]
        sql = self.build(statement, hashes, alive, most=SAMPLE)
        rows = await self._database.rows(sql, statement.parameters)
        items = [
            [(asked(call), content) for (_, call), content in zip(self.calls, row, strict=True) if content]
            for row in rows
        ]
        await self._asking.recall(list(dict.fromkeys(item for row in items for item in row)))
        fresh = {row[0] for row in items if row and all(self._asking.is_open(*item) for item in row)}
        return len(rows), len(fresh)

    async def count(self, most: int) -> int:
        """Return how many rows are not dead, at most so many."""
        statement = self.statement()
        inside = self.build(statement, ["1"], [statement.alive(self.condition)], most=most)
        return await self._database.number(f"SELECT count(*) FROM ({inside}) AS _rows", statement.parameters)

    async def estimate_costs(self) -> None:
        """How many values a condition costs for a row: few, where many rows share a text."""
        columns = {call.expressions[0].sql() for _, call in self.calls}
        if len(self.free) < 2 or len(columns) < 2:
            return
        statement = self.statement()
        hashes = [statement.hash(call) for _, call in self.calls]
        alive = [statement.alive(self.condition)]
        inside = self.build(statement, hashes, alive, most=SAMPLE)
        counts = ", ".join(f"count(DISTINCT c{place})" for place in range(len(hashes)))
        sql = f"SELECT count(*), {counts} FROM ({inside}) AS _sample"
        ((rows, *different),) = await self._database.rows(sql, statement.parameters)
        costs: dict[int, float] = {}
        for (leaf, _), number in zip(self.calls, different, strict=True):
            costs[id(leaf.node)] = costs.get(id(leaf.node), 0.0) + number / max(rows, 1)
        self._selectivity.costs.update(costs)

    # -- reading rows --------------------------------------------------------------------------------------------------

    def _items(self, statement: Statement) -> list[str]:
        return [f"({statement.text(leaf.node)})" for leaf in self.leaves] + [
            statement.hash(call) for _, call in self.calls
        ]

    def _read(self, statement: Statement, rows: Sequence[tuple[Any, ...]], *, texts: bool = False) -> list[Candidate]:
        waiting = frozenset(leaf.number for leaf in self.free if statement.waits(leaf))
        self._chosen.clear()
        trial = self._untried()
        found = []
        for row in rows:
            explored = trial.pop() if trial else None
            candidate = self._candidate(row, waiting, explored, texts=texts)
            if explored is not None and candidate.wanted is None:
                trial.append(explored)
            found.append(candidate)
        return found

    def _untried(self) -> list[Leaf]:
        """Conditions to try on the next rows, in turn, until it is known which of them tells most."""
        if len(self.free) < 2:
            return []
        cheapest = min(self._selectivity.odds.cost(leaf) for leaf in self.free)
        missing: list[Leaf] = []
        for turn in range(PILOT):
            for leaf in self.free:
                tried = self._selectivity.tried(leaf)
                affordable = self._selectivity.odds.cost(leaf) <= 3 * cheapest
                if tried is not None and affordable and tried + turn < PILOT:
                    missing.append(leaf)
        return missing[::-1]

    def _candidate(
        self, row: tuple[Any, ...], waiting: frozenset[int], explored: Leaf | None, *, texts: bool
    ) -> Candidate:
        count = len(self.leaves)
        hashes = row[count : count + len(self.calls)]
        contents = row[count + len(self.calls) : count + 2 * len(self.calls)]
        wanted: dict[int, Item | None] = {}
        for place, ((leaf, call), content) in enumerate(zip(self.calls, hashes, strict=True)):
            ask = asked(call)
            if content is None or leaf.number in wanted or content in self._asking.known.get(ask, {}):
                continue
            item = (ask, content)
            wanted[leaf.number] = item if self._asking.is_open(ask, content) else None
            if texts:
                self.fetched[item] = contents[place]
        askable = tuple(number for number, item in wanted.items() if item is not None)
        key = (row[:count], tuple(wanted), askable, explored)
        if key not in self._chosen:
            self._chosen[key] = self._choose(row, waiting, frozenset(wanted), frozenset(askable), explored)
        outcome, chance, following = self._chosen[key]
        return Candidate(outcome, wanted.get(following.number) if following else None, chance)

    def _choose(
        self,
        row: tuple[Any, ...],
        waiting: frozenset[int],
        unknown: frozenset[int],
        askable: frozenset[int],
        explored: Leaf | None,
    ) -> tuple[Possible, float, Leaf | None]:
        states: dict[int, Possible] = {}
        for leaf, value in zip(self.leaves, row, strict=False):
            open_leaf = leaf.number in unknown or leaf.number in waiting
            states[leaf.number] = UNKNOWN if open_leaf else frozenset({value})
        odds = self._selectivity.odds
        skip = frozenset(leaf.number for leaf in self.leaves) - askable
        chosen = None
        if explored is not None:
            others = frozenset(leaf.number for leaf in self.leaves if leaf is not explored)
            chosen = next_leaf(self.condition, states, odds, skip | others)
        chosen = chosen or next_leaf(self.condition, states, odds, skip)
        return possible(self.condition, states), likelihood(self.condition, states, odds.chance), chosen


def depth(call: exp.Expr) -> int:
    """How many calls must be known one after another before this one: those in its text, those that it waits for."""
    inside = [found for argument in call.expressions for found in calls_in(argument)]
    before = [found for condition, _ in guards(call) for found in calls_in(condition)]
    return 1 + max(map(depth, [*inside, *before])) if inside or before else 0
