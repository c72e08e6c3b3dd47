"""The engine: a query in, rows with their evidence out."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import datetime

from sqlglot import exp

from agent.catalogue.places import Gazetteer
from agent.catalogue.tables import Catalogue, Column, Table
from agent.protocols.errors import QueryTimeout
from agent.protocols.reading import Embedder, Reader
from agent.suql.asking import Asking, Ledger
from agent.suql.blocking import Blocking
from agent.suql.calls import require_sight
from agent.suql.cascade import Cascading
from agent.suql.check import Checked, check
from agent.suql.database import Connect, Database, OutOfTime, grace, over_time, session
from agent.suql.execute import Executor
from agent.suql.final import final_sql, rows_of, shape
from agent.suql.kinds.matching import Matching
from agent.suql.limits import read_limits
from agent.suql.memo import Memo, MemoryMemo
from agent.suql.names import Names
from agent.suql.notes import left_out_notes
from agent.suql.options import fill_options
from agent.suql.passages import Counted, Passages
from agent.suql.passes.carry_entity import carry_entity
from agent.suql.passes.enums_as_text import enums_as_text, find_enums
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
from agent.suql.prepared import Prepared
from agent.suql.reading import SILENCE
from agent.suql.result import Budget, Event, Finished, Planned, Progress, Result, Row, RowFound, Step, Usage
from agent.suql.scopes import Block, blocks, is_plain
from agent.suql.selectivity import Rates, Selectivity
from agent.suql.semi_joins import semi_joined
from agent.suql.similarity import Similarity
from agent.suql.sizes import bound_powers, bound_recursion, refuse_endless, refuse_growth, refuse_large_collections
from agent.suql.thresholds import Cascade
from agent.suql.tree import quoted

VOCABULARY_SECONDS = 60.0  # how long the distinct values of an ENUM column are trusted
VOCABULARY_SIZE = 5_000
NAMED = 10  # rows that are named in a note
COUNTED = 20_000  # rows that are counted before a query; of more, an estimate will do
PATIENCE = 0.3  # seconds


class Engine:
    """Runs SUQL over one catalogue with one reader. One engine serves a process; its queries share what they learn.

    `connect` opens a connection as a role that can read the catalogue's schema and nothing else. `reader` is anything
    with the tasks of `agent.protocols.reading`. `now` is the clock that "open now" is read from.

    Under LIMIT, a wave that takes `patience` seconds is followed by one that asks ahead (see `waves`); `inf` never asks
    for more than is sure to be needed. A call of the reader that says nothing for `silence` seconds is given up.
    `clock` measures both.
    """

    def __init__(
        self,
        connect: Connect,
        catalogue: Catalogue,
        reader: Reader,
        embedder: Embedder | None = None,
        *,
        gazetteer: Gazetteer | None = None,
        memo: Memo | None = None,
        now: Callable[[], datetime] | None = None,
        budget: Budget | None = None,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
        silence: float = SILENCE,
    ) -> None:
        self.catalogue = catalogue
        self.budget = budget or Budget()
        self._connect = connect
        self._embedder = embedder
        self._gazetteer = gazetteer
        self._now = now or datetime.now
        self._ledger = Ledger(reader, memo or MemoryMemo(), str(getattr(embedder, "name", "")))
        self._patience = patience
        self._clock = clock
        self._silence = silence
        self._rates = Rates()
        self._counted: Counted = {}
        self._vocabularies: dict[tuple[str, str], tuple[float, tuple[str, ...]]] = {}
        self._vector_schema = ""
        self._enums: frozenset[tuple[str, str]] | None = None

    async def run(
        self, sql: str, *, budget: Budget | None = None, now: datetime | None = None, cascade: Cascade | None = None
    ) -> Result:
        """Return the result of a query. Raises an `AgentError` whose sentence says what is wrong.

        With a `cascade`, texts may be decided by their similarity to the question, as far as its targets allow.
        """
        async for event in self.stream(sql, budget=budget, now=now, cascade=cascade):
            if isinstance(event, Finished):
                return event.result
        raise AssertionError("a stream ends with Finished")

    async def stream(
        self, sql: str, *, budget: Budget | None = None, now: datetime | None = None, cascade: Cascade | None = None
    ) -> AsyncIterator[Event]:
        """The events of a query as they happen, the last one `Finished`. Closing the stream stops all its work."""
        events: asyncio.Queue[Event] = asyncio.Queue()
        query = _Query(self, sql, budget or self.budget, now or self._now(), events.put_nowait, cascade)
        work = asyncio.create_task(query.run())
        try:
            while True:
                waiting = asyncio.create_task(events.get())
                await asyncio.wait({waiting, work}, return_when=asyncio.FIRST_COMPLETED)
                if not waiting.done():
                    waiting.cancel()
                    break
                yield waiting.result()
            while not events.empty():
                yield events.get_nowait()
            yield Finished(work.result())
        finally:
            if not work.done():
                work.cancel()
                await asyncio.wait({work})

    async def explain(
        self,
        sql: str,
        *,
        analyze: bool = False,
        budget: Budget | None = None,
        now: datetime | None = None,
        cascade: Cascade | None = None,
    ) -> Step:
        """Return the plan of a query, with the rows its cheap conditions leave. Nothing is asked of the model.

        With `analyze` the query is run, within its budget, and each step tells what it took.
        """
        if analyze:
            return (await self.run(sql, budget=budget, now=now, cascade=cascade)).plan
        query = _Query(self, sql, Budget(calls=0), now or self._now(), lambda event: None, cascade)
        query.affordable = (budget or self.budget).calls
        return await query.explain()

    async def vocabulary(self, database: Database, table: Table, column: Column) -> tuple[str, ...]:
        """Return the distinct values of an ENUM column, those of a closed vocabulary in its order."""
        known = self._vocabularies.get((table.name, column.name))
        if column.values:
            return column.values
        if known is not None and time.monotonic() - known[0] < VOCABULARY_SECONDS:
            return known[1]
        value = f"unnest({quoted(column.name)})" if column.many else quoted(column.name)
        rows = await database.rows(
            f"SELECT v::text FROM (SELECT DISTINCT {value} AS v FROM {quoted(self.catalogue.schema)}."
            f"{quoted(table.name)}) AS _values ORDER BY v LIMIT {VOCABULARY_SIZE}"
        )
        values = tuple(row[0] for row in rows if row[0] is not None)
        self._vocabularies[table.name, column.name] = (time.monotonic(), values)
        return values

    async def find_enums(self, database: Database) -> frozenset[tuple[str, str]]:
        """Return the columns (table, column) that are of enum types in the database."""
        if self._enums is None:
            self._enums = await find_enums(database, self.catalogue)
        return self._enums

    async def find_vectors(self, database: Database) -> None:
        """Tell the database where pgvector is, if the catalogue has passages. Once it is there it stays there."""
        if self.catalogue.passages:
            database.vector_schema = self._vector_schema or await database.find_vectors()
            self._vector_schema = database.vector_schema


class _Query:
    """One run of one query."""

    def __init__(
        self,
        engine: Engine,
        sql: str,
        budget: Budget,
        now: datetime,
        emit: Callable[[Event], None],
        cascade: Cascade | None = None,
    ) -> None:
        self._engine = engine
        self._sql = sql
        self._budget = budget
        self.affordable = budget.calls  # of the run; explaining one asks nothing
        self._now = now
        self._emit = emit
        self._cascade = cascade
        self._usage = Usage()
        self._started = engine._clock()
        self._shown = 0
        self._landed = 0
        self._ready: Prepared | None = None
        self._database: Database | None = None

    async def run(self) -> Result:
        """Everything, from text to result, within the budget's seconds and a little for what was found in them."""
        seconds = self._budget.seconds
        if seconds is None:
            return await self._run()
        try:
            async with asyncio.timeout(seconds + 1.2 * grace(seconds)):
                return await self._run()
        except TimeoutError as error:
            raise QueryTimeout(over_time(seconds)) from error

    async def _run(self) -> Result:
        checked = self._checked()
        async with self._session(self._budget.seconds) as database:
            ready = await self._prepare(database, checked.names)
            self._usage.planning = self._engine._clock() - self._started
            self._emit(Planned(self._plan(ready), ready.candidates))
            await self._resolve(ready)
            database.extend()
            rows = await self._rows(self._budget.rows + 1)
            ready.notes += await self._unread_rows(ready)
        self._emit_rows(rows[: self._budget.rows])
        return self._result(ready, rows)

    def _checked(self) -> Checked:
        """The query as it is run."""
        checked = check(self._sql, self._engine.catalogue)
        alike = semi_joined(self._sql, self._engine.catalogue)
        return checked if alike == self._sql else check(alike, self._engine.catalogue)

    async def _resolve(self, ready: Prepared) -> None:
        """Asks what there is to ask, as far as time allows."""
        assert self._database is not None
        try:
            if ready.main is not None:
                await ready.executor.refuse_far_over(ready.main, ready.candidates, self._budget)
            await ready.executor.refuse_too_many_pairs(self._budget)
            await ready.executor.resolve_all()
        except OutOfTime:
            if not any(block.needs_answers for block in ready.blocks.values()):
                raise
            ready.executor.stop()
            await self._database.resume()

    async def explain(self) -> Step:
        checked = self._checked()
        async with self._session(60.0) as database:
            ready = await self._prepare(database, checked.names)
        return self._plan(ready)

    def _plan(self, ready: Prepared, usage: Usage | None = None) -> Step:
        """Before the run, or after it, when it is known what was used."""
        found = plan(ready.names, ready.blocks, ready.candidates, usage, ready.asking)
        if ready.cascading is None:
            return found
        return replace(found, children=(ready.cascading.step(done=usage is not None), *found.children))

    def _session(self, seconds: float | None) -> AbstractAsyncContextManager[Database]:
        catalogue = self._engine.catalogue
        return session(
            self._engine._connect,
            catalogue.schema,
            seconds or 3600.0,
            searching=bool(catalogue.passages),
            seconds=math.inf if seconds is None else seconds,
        )

    # -- preparing -----------------------------------------------------------------------------------------------------

    async def _prepare(self, database: Database, names: Names) -> Prepared:
        """Passes, kinds, and a first look by PostgreSQL for the errors only it can find, before anything is asked."""
        engine, catalogue = self._engine, self._engine.catalogue
        self._database = database
        await engine.find_vectors(database)
        passages = Passages(database, catalogue.schema, catalogue.passages, engine._embedder, engine._counted)
        asking = Asking(engine._ledger, self._budget, passages, self._usage, engine._silence)
        matching = Matching(
            names,
            asking,
            lambda table, column: engine.vocabulary(database, table, column),
            engine._gazetteer,
            self._now,
        )
        require_sight(names.tree, engine._ledger.reader)
        refuse_growth(names)
        bound_powers(names)
        group_by_key(names)
        prune(names)
        push_down(names)
        narrow(names)
        await matching.apply()
        await fill_options(names, database)
        if isinstance(names.tree, exp.Select):
            group_distinct(names.tree)
            carry_entity(names, names.tree)
        order_vocabularies(names)
        enums_as_text(names, await engine.find_enums(database))
        can_rank = bool(catalogue.passages and engine._embedder and database.vector_schema)
        order_rows(names, rank=can_rank)
        similarity = Similarity(names, catalogue, passages, database)
        await similarity.prepare(names.tree)
        found = blocks(names)
        bound_recursion(names)
        await read_limits(database, names, found)
        main = found[names.scopes[-1].number] if isinstance(names.tree, exp.Select) else None
        cascading = Cascading(self._cascade, names, database, asking, similarity) if self._cascade else None
        executor = Executor(
            database,
            names,
            found,
            asking,
            similarity,
            Selectivity(engine._rates, database),
            self._on_wave,
            self._on_landed,
            engine._patience,
            engine._clock,
            self._budget.rows + 1,
            cascading,
        )
        ready = Prepared(names, found, main, shape(names, main), asking, executor, cascading, matching.notes)
        self._ready = ready
        await self._try(ready)
        await matching.finish()
        for block in found.values():
            settled_first(block)
        await self._block(ready, Blocking(names, database, engine._embedder, similarity, executor.statement))
        if main is not None:
            main.limit = min(self._budget.rows + 1, main.limit if main.limit is not None else self._budget.rows + 1)
            ready.candidates = await self._count(ready, main)
            if ready.candidates is not None and is_plain(main.select):
                await similarity.rank(main, executor.statement, ready.candidates)
            if main.select.args.get("limit") and not names.tree.args.get("with_"):
                look_in_order(names, main.select)
        return ready

    async def _block(self, ready: Prepared, blocking: Blocking) -> None:
        """Leaves out pairs of same() that the budget does not reach."""
        for block in ready.blocks.values():
            blocked = await blocking.apply(block, self.affordable)
            ready.notes += [each.note for each in blocked]
            ready.pruned = ready.pruned or bool(blocked)

    async def _try(self, ready: Prepared) -> None:
        """PostgreSQL plans the query as it will run: what does not fit together is found before anything is spent."""
        assert self._database is not None
        statement = ready.executor.statement()
        sql = final_sql(ready.names, ready.main, ready.shape, statement, 1)
        await refuse_endless(self._database, sql, statement.parameters)
        await refuse_large_collections(self._database, ready.blocks, ready.executor.statement)

    async def _count(self, ready: Prepared, main: Block) -> int | None:
        """The rows that the conditions without answers leave: counted, or, of many, as PostgreSQL expects."""
        assert self._database is not None
        if not main.select.args.get("from_") or main.joins or main.inputs:
            return None
        statement = ready.executor.statement()
        where = main.select.args.get("where")
        conditions = []
        if where is not None:
            conditions = [statement.alive(main.where) if main.where is not None else statement.text(where.this)]
        inside = statement.over(main.scope, ["1"], conditions)
        expected = await self._database.estimate(inside, statement.parameters)
        asks = any(block.needs_answers for block in ready.blocks.values())
        if expected > COUNTED or not asks:
            return int(expected)
        return await self._database.number(f"SELECT count(*) FROM ({inside}) AS _rows", statement.parameters)

    # -- running -------------------------------------------------------------------------------------------------------

    async def _rows(self, limit: int) -> list[Row]:
        assert self._database is not None
        assert self._ready is not None
        ready = self._ready
        statement = ready.executor.statement()
        sql = final_sql(ready.names, ready.main, ready.shape, statement, limit)
        return rows_of(ready.shape, await self._database.rows(sql, statement.parameters), ready.asking)

    async def _unread_rows(self, ready: Prepared) -> list[str]:
        """Names the rows whose texts could not be read, as far as they are rows of a table."""
        hashes = [content for _, content in ready.asking.unread]
        main = ready.main
        if not hashes or main is None or ready.shape.table is None or not ready.shape.calls:
            return []
        assert self._database is not None
        statement = ready.executor.statement()
        listed = f"{statement.parameter(hashes)}::text[]"
        touched = " OR ".join(f"{statement.hash(call)} = ANY ({listed})" for call in ready.shape.calls)
        inside = statement.over(main.scope, [ready.shape.title, ready.shape.entity], [touched], most=NAMED + 1)
        rows = await self._database.rows(inside, statement.parameters)
        names = list(dict.fromkeys(title or key or "?" for title, key in rows))
        more = " and others" if len(rows) > NAMED else ""
        return [f"Not read: {', '.join(names[:NAMED])}{more}."] if names else []

    async def _on_wave(self, leading: int) -> None:
        """Shows the rows at the head of the result that are certain by now."""
        ready = self._ready
        if ready is None or ready.main is None:
            return
        certain = min(leading - ready.main.offset, self._budget.rows)
        if certain > self._shown:
            self._emit_rows(await self._rows(certain))

    def _emit_rows(self, rows: list[Row]) -> None:
        for position, row in enumerate(rows):
            if position >= self._shown:
                self._emit(RowFound(row, position))
        self._shown = max(self._shown, len(rows))

    def _on_landed(self, count: int) -> None:
        ready = self._ready
        self._landed += count
        if ready is not None and ready.candidates:
            table = ready.shape.table
            joined = ready.main is not None and ready.main.select.args.get("joins")  # several rows of one thing
            noun = table.noun[1] if table and not joined else "rows"
            self._emit(Progress(min(self._landed, ready.candidates), ready.candidates, noun))

    def _result(self, ready: Prepared, rows: list[Row]) -> Result:
        usage, asking = self._usage, ready.asking
        usage.seconds = self._engine._clock() - self._started
        notes = list(dict.fromkeys([*ready.notes, *left_out_notes(asking, self._budget)]))
        if len(rows) > self._budget.rows:
            notes.append(f"There are more than {self._budget.rows} rows; the first {self._budget.rows} are here.")
        if ready.cascading is not None:
            notes.append(ready.cascading.note())
        left_out = (
            asking.exhausted or asking.nearest or asking.unread or asking.partly or asking.capped or asking.assumed
        )
        left_out = left_out or ready.pruned
        complete = not left_out and len(rows) <= self._budget.rows
        table = ready.shape.table.name if ready.shape.table is not None else ""
        done = self._plan(ready, usage)
        return Result(ready.shape.columns, tuple(rows[: self._budget.rows]), usage, done, complete, tuple(notes), table)
