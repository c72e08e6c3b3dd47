"""By demand: run the query over what is known, find which unknowns could still change it, ask those, repeat.

SELECTs are resolved from the inside out, correlated ones for the rows of those around them. In each, waves of calls
go out until every row is decided, or, where LIMIT allows, until the rows that LIMIT keeps are. What PostgreSQL then
computes from the whole text is the result.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from sqlglot import exp

from agent.suql.asking import Asking, Item
from agent.suql.building import building
from agent.suql.calls import asked
from agent.suql.candidates import Build, Candidate, Candidates, depth
from agent.suql.cascade import Cascading
from agent.suql.database import Database
from agent.suql.early_stopping import EarlyStopping
from agent.suql.forecast import refuse_far_over, refuse_too_many_pairs
from agent.suql.head import certain_at_head, distinct, others, wanted_of
from agent.suql.logic import Formula, leaves
from agent.suql.names import Names, Scope
from agent.suql.result import Budget
from agent.suql.scopes import Block, calls_in, is_plain
from agent.suql.selectivity import Selectivity
from agent.suql.similarity import Similarity
from agent.suql.statements import Statement
from agent.suql.stopping import Leading, leading
from agent.suql.surest import is_sifted, sift
from agent.suql.waves import Belief, Waves

SPREAD = 8  # rows looked at for each different one, to begin with
NEAREST = 0.75  # how likely a row is to match that is looked at before those further from the question
MANY = 5_000  # rows; for more than that, LIMIT is not worth looking at rows in their order

Landed = Callable[[int], None]
Subqueries = Callable[[], Awaitable[None]]


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
        clock: Callable[[], float],
        cut: int,
        cascading: Cascading | None = None,
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
        self._clock = clock
        self._cut = cut  # rows of the result at most, where the query has no LIMIT of its own
        self._cascading = cascading  # decides the main SELECT's condition by score, as far as it is sure
        self.resolved: set[int] = set()

    def statement(self) -> Statement:
        """A new statement over what is known now."""
        return Statement(self._names, self._blocks, self.resolved, self._asking, self._similarity)

    async def resolve_all(self) -> None:
        """Resolve every SELECT that depends on no row around it; those that do come with the rows."""
        for scope in self._names.scopes:
            if not scope.outer:
                await self._resolve(self._blocks[scope.number])

    def stop(self) -> None:
        """Give up what is not resolved yet, for want of time: from now on only certain rows count."""
        self._asking.exhausted = self._asking.exhausted or "seconds"
        for block in self._blocks.values():
            block.partial = True
            self.resolved.add(block.scope.number)

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
        found = self._candidates(block.joins[place], build)
        await self._decide(found, lambda: self._children(block, f"on:{place}"))

    def _over(self, scope: Scope, *, places: int | None = None, crossed: int | None = None) -> Build:
        """All rows of a scope, or of its first items; of those, only what WHERE asks of these items alone."""
        place = places if crossed is None else crossed

        def before(statement: Statement) -> list[str]:
            return statement.before(scope, place) if place is not None else []

        return building(scope, before, places=places, crossed=crossed)

    # -- WHERE -------------------------------------------------------------------------------------------------------

    async def _where(self, block: Block) -> None:
        if block.where is None:
            await self._children(block, "where")
            return

        async def subqueries() -> None:
            await self._children(block, "where")

        found = self._candidates(block.where, self._over(block.scope))
        rule = leading(block, cut=self._cut)
        await found.estimate_costs()
        if self._cascading is not None and block.scope.role == "main":
            await self._cascading.apply(block, found, lambda items: self._read(items, found))
        if rule is not None and not (block.distinct and block.limit not in (None, self._cut)):
            await self._leading_rows(block, found, rule, subqueries)
        elif self._stops_at_limit(block):
            assert block.limit is not None
            await self._first_rows(block, found, block.limit + block.offset, subqueries)
        else:
            await self._decide(found, subqueries)
        block.partial = block.partial or bool(self._asking.exhausted or self._asking.unread)

    async def refuse_far_over(self, block: Block, candidates: int | None, budget: Budget) -> None:
        """Raise `TooExpensive` for a SELECT that would cost many times its budget."""
        if block.where is not None:
            found = self._candidates(block.where, self._over(block.scope))
            await refuse_far_over(found, block, candidates, self._asking, budget)

    async def refuse_too_many_pairs(self, budget: Budget) -> None:
        """Raise `TooExpensive` for a SELECT that compares more texts with each other than can be gone through."""
        for block in self._blocks.values():
            for place, condition in block.joins.items():
                build = self._over(block.scope, places=place + 1, crossed=place)
                await refuse_too_many_pairs(self._candidates(condition, build), budget)
            if block.where is not None and not self._stops_at_limit(block):
                await refuse_too_many_pairs(self._candidates(block.where, self._over(block.scope)), budget)

    def _stops_at_limit(self, block: Block) -> bool:
        early = block.distinct or (is_plain(block.select) and not block.ordered_by_answers)
        few = block.limit is not None and block.limit + block.offset <= MANY
        if block.limit == self._cut and any(asked(call).same for call in _calls_of(block)):
            return False  # the pairs of a text go into one call, so they are not looked at in the order of the rows
        return early and few and not block.scope.outer

    def _candidates(self, condition: Formula, build: Build) -> Candidates:
        return Candidates(self._database, self.statement, self._asking, self._selectivity, condition, build)

    async def _first_rows(self, block: Block, found: Candidates, needed: int, subqueries: Subqueries) -> None:
        """Until the first `needed` rows that can be in the result, in its order, all are."""
        block.partial = True
        waves, stopping = self._new_waves(), EarlyStopping(block, found, self._asking, self._cut)
        if is_sifted(block, self._asking, self._cut):
            await sift(block, found, self._asking, self._similarity, lambda wave: self._ask(wave, found, waves))
        missing = needed
        while True:
            started = self._clock()
            at_most = waves.ahead(missing, self._belief(found, stopping)) + waves.batch
            rows = await self._head(block, found, needed, at_most, waves.batch)
            waves.looked(self._clock() - started)
            must = wanted_of(rows[:needed])
            if self._asking.exhausted:
                return
            if not must:
                if found.waits() and not all(row.certain for row in rows[:needed]):
                    await subqueries()
                    continue
                return
            missing = needed - sum(row.certain for row in rows[:needed])
            if stopping.stops(needed - missing, rows):
                return
            belief = self._belief(found, stopping, [row.chance for row in rows if not row.certain])
            sure = must[: found.pilot() or waves.width()]
            values = missing + waves.ahead(missing, belief) if len(sure) == len(must) else waves.filled(len(sure))
            wave = list(dict.fromkeys([*sure, *wanted_of(rows[needed:])]))
            await self._ask(stopping.cut(wave[: max(values, len(sure))]), found, waves, sure=len(sure))

    def _belief(self, found: Candidates, stopping: EarlyStopping, rows: Sequence[float] = ()) -> Belief:
        """How likely the next row is to match: more likely than not, before the first is read, where it is nearest."""
        return Belief(NEAREST) if stopping.before_first else self._selectivity.belief(found.condition, rows)

    async def _head(self, block: Block, found: Candidates, needed: int, more: int, batch: int) -> list[Candidate]:
        """The first rows of the result that can still be in it, `needed + more` of them where there are as many.

        Of rows that DISTINCT makes one, the one that says most: a certain one, or the first open one. The others, which
        take its place where it fails, come after the `needed` ones. Which say most is looked for among as many rows
        whatever `more` is, which depends on how fast the reader was: the same query, asked again, must not ask.
        """
        spread = SPREAD if block.distinct else 1
        while True:
            count = (needed + more) * spread
            seen = await found.first(block, count)
            enough = (needed + batch) * spread
            rows = distinct(seen[:enough]) if block.distinct else seen
            if not block.distinct:
                await self._on_wave(certain_at_head(rows))
            if not found.waits():  # what cannot be read is in the notes, and the next rows take its place
                rows = [row for row in rows if row.certain or row.wanted is not None]
            if len(seen) < (enough if block.distinct else count) or len(rows) >= needed:
                behind = others(seen, rows[:needed]) if block.distinct else rows[needed:]
                return [*rows[:needed], *behind][: needed + more]
            spread *= SPREAD

    async def _leading_rows(self, block: Block, found: Candidates, rule: Leading, subqueries: Subqueries) -> None:
        """Until the rows that settle the SELECT are certain: one of each group, or the first ones."""
        block.partial = True
        waves = self._new_waves()
        ahead, first = 0, True
        while True:
            statement = self.statement()
            group = [statement.text(term) for term in rule.group]
            order = ", ".join(statement.text(term) for term in rule.order)
            started = self._clock()
            rows = await found.leading(group, order, rule.count + ahead, any_row=rule.any_row)
            waves.looked(self._clock() - started)
            wave = list(dict.fromkeys(wanted_of(rows)))
            if self._asking.exhausted:
                return
            if wave and rule.any_row and first:
                first, belief = False, self._selectivity.belief(found.condition, [row.chance for row in rows])
                ahead = waves.ahead(1, belief, len(rows))
                if ahead:
                    continue
            if not wave:
                if rows and found.waits():
                    await subqueries()
                elif rows and ahead < len(self._asking.unread):
                    ahead = len(self._asking.unread)  # what cannot be read does not hide the rows behind it
                else:
                    return
                continue
            await self._ask(wave[: waves.most()], found, waves)
            belief = self._selectivity.belief(found.condition, [row.chance for row in rows])
            groups = -(-len(rows) // (1 + ahead))
            ahead = max(waves.ahead(1, belief, groups), min(ahead, len(self._asking.unread))) if rule.any_row else 0

    async def _decide(self, found: Candidates, subqueries: Subqueries) -> None:
        """Until every row is decided."""
        waves = self._new_waves()
        width = max(found.pilot() * 4, waves.batch) if found.pilot() else waves.most()
        while True:
            rows = await found.undecided()
            wanted = list(dict.fromkeys(wanted_of(rows)))
            if not wanted and rows and found.waits():
                await subqueries()
                continue
            if not wanted or self._asking.exhausted:
                return
            now = found.pilot() or width
            wave = wanted if len(wanted) <= now else wanted[: waves.whole_prompts(now)]
            await self._ask(wave, found, waves)
            width = min(waves.most(), width * 4)

    async def _read(self, items: list[Item], found: Candidates) -> None:
        """Asks about so many, in as many waves as they take."""
        waves = self._new_waves()
        while items and not self._asking.exhausted:
            wave, items = items[: waves.most()], items[waves.most() :]
            await self._ask(wave, found, waves)

    async def _ask(self, wave: list[Item], found: Candidates, waves: Waves, sure: int | None = None) -> None:
        """Fetches the texts of a wave, asks, and learns which conditions hold how often.

        Where the first `sure` of them are empty, and so need no asking, the others are not worth a call yet.
        """
        contents = await found.contents(wave)
        first = {item: contents[item] for item in wave[:sure] if item in contents}
        if not any(self._asking.has_text(*pair) for pair in first.items()):
            contents = first
        started = self._clock()
        await self._asking.resolve(contents, self._landed)
        characters = sum(len(str(content)) for content in contents.values())
        waves.asked(self._clock() - started, len(contents), characters)
        answers: dict[object, list[str | None]] = {}
        for ask, content in wave:
            if content in self._asking.known.get(ask, {}):
                answers.setdefault(ask, []).append(self._asking.known[ask][content])
        await self._selectivity.learn(found.free, answers)

    def _new_waves(self) -> Waves:
        return Waves(self._asking.batch, self._asking.together, self._patience, self._clock)

    # -- SELECT, ORDER BY, GROUP BY, HAVING ----------------------------------------------------------------------------

    async def _collect(self, block: Block, calls: list[exp.Expr], *, ordered: bool) -> None:
        """The calls of the rows that are left; of those LIMIT keeps, where the order is known by now.

        Where the order begins with what needs no answers, only the rows at its head are asked for what follows.
        """
        if not calls:
            return
        limited = block.limit is not None and is_plain(block.select) and not block.scope.outer
        rule = leading(block, cut=self._cut) if not ordered else None

        def closing(statement: Statement) -> str:
            if limited and ordered:
                return f"{statement.order(block.select)} LIMIT {block.limit} OFFSET {block.offset}"
            if limited and rule is not None and rule.order and not rule.group:
                terms = ", ".join(statement.text(term) for term in rule.order)
                return f" ORDER BY {terms} FETCH FIRST {rule.count} ROWS WITH TIES"
            return ""

        build = building(block.scope, lambda statement: self._kept(block, statement), closing)
        await self._gather(calls, build, hashed=[*_calls_of(block), *calls])

    def _kept(self, block: Block, statement: Statement) -> list[str]:
        """The condition that a row is in the result."""
        if block.where is not None:
            return [statement.kept(block.where)]
        where = block.select.args.get("where")
        return [statement.text(where.this)] if where is not None else []

    async def _collect_groups(self, block: Block) -> None:
        """Calls on aggregates, for the groups there are. HAVING is applied where it needs none of them."""
        if not block.grouped:
            return
        select = block.select
        having = select.args.get("having")

        def closing(statement: Statement) -> str:
            written = ""
            if select.args.get("group"):
                terms = ", ".join(statement.text(term) for term in select.args["group"].expressions)
                written = f" GROUP BY {terms}" if terms else ""
            if having is not None and not calls_in(having):
                written += f" HAVING {statement.text(having.this)}"
            return written

        build = building(block.scope, lambda statement: self._kept(block, statement), closing)
        await self._gather(block.grouped, build)

    async def _gather(self, calls: list[exp.Expr], build: Build, hashed: Sequence[exp.Expr] = ()) -> None:
        """Asks calls for all rows of a statement, those inside other calls first, those on one text together."""
        waves = self._new_waves()
        for level in sorted({depth(call) for call in calls}):
            while not self._asking.exhausted:
                contents: dict[Item, Any] = {}
                for call in calls:
                    if depth(call) == level:
                        contents.update(await self._open_contents(call, build, hashed, waves.most()))
                if not contents:
                    break
                started = self._clock()
                await self._asking.resolve(contents, self._landed)
                characters = sum(len(str(content)) for content in contents.values())
                waves.asked(self._clock() - started, len(contents), characters)

    async def _open_contents(
        self, call: exp.Expr, build: Build, hashed: Sequence[exp.Expr], most: int
    ) -> dict[Item, Any]:
        statement = self.statement()
        statement.hash_once(hashed)
        inside = build(statement, [statement.hash(call), statement.content(call)], [])
        sql = f"SELECT DISTINCT ON (c0) c0, c1 FROM ({inside}) AS _rows WHERE {statement.open(call, 'c0')} LIMIT {most}"
        rows = await self._database.rows(sql, statement.parameters)
        return {(asked(call), content): text for content, text in rows}


def _calls_of(block: Block) -> list[exp.Expr]:
    """The calls that decide which rows there are."""
    return [call for leaf in leaves(block.where) for call in calls_in(leaf.node)] if block.where is not None else []
