"""The engine's one way to PostgreSQL: a READ ONLY transaction, prepared statements, limits on both sides.

The connection is logged in as a role that can read the knowledge schema and nothing else. Here, the transaction is
READ ONLY and explicit, every statement is prepared (a prepared statement cannot hold two), `statement_timeout` is set
for the transaction, and a deadline on this side cancels what the server's own limit would miss.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import psycopg
from psycopg import errors
from psycopg.types.string import StrDumper, StrDumperUnknown

from agent.protocols.errors import (
    AgentError,
    DatabaseAway,
    ExecutionError,
    NotAllowed,
    QueryTimeout,
    ResultTooLarge,
    TypeMismatch,
)
from agent.suql.tree import quoted

Connect = Callable[[], Awaitable[psycopg.AsyncConnection[Any]]]

STATEMENT_SECONDS = 20.0  # one statement, on the server; the client waits a little longer
LARGEST_RESULT = 32 * 2**20  # bytes that one statement may bring to this side
LARGEST_ROW = 8 * 2**20  # bytes of one row: as JSON it takes many times as many on this side
VALUE, ROW = 48, 64  # bytes that a value takes on this side beside its letters, and a row beside its values
LEAST_GRACE = 0.1  # seconds
GRACE = 0.08  # of the time of a query, for the statement that gathers what was found in it
#: The memory of each step of a statement: what needs more is written to disk, where the role's temp_file_limit holds.
_BOUNDS = (
    "SET LOCAL work_mem = '4MB'",
    "SET LOCAL hash_mem_multiplier = 1",
    "SET LOCAL max_parallel_workers_per_gather = 0",
)
#: An HNSW scan goes on until the statement has enough rows, in their order, and looks around further than by default.
_SEARCHING = (
    "SET LOCAL hnsw.iterative_scan = 'strict_order'",
    "SET LOCAL hnsw.ef_search = 500",
    "SET LOCAL hnsw.max_scan_tuples = 100000",
    "SET LOCAL hnsw.scan_mem_multiplier = 8",
)
TOO_LARGE = "suql: row too large"
RECURSION_TOO_LARGE = "suql: recursion too large"  # see `sizes`
#: The client can only weigh a row once it has it; so the server does, and fails where the row is over the limit.
_WEIGHED = (
    "SELECT _q.* FROM ({sql}) AS _q WHERE CASE WHEN pg_column_size(_q) > {most} "
    f"THEN left('{TOO_LARGE}', pg_column_size(_q))::boolean ELSE TRUE END"
)
_VECTORS = (
    "SELECT n.nspname FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace "
    "WHERE t.typname = 'halfvec' LIMIT 1"
)


class OutOfTime(QueryTimeout):
    """The time that the query was given as a whole is over."""


def grace(seconds: float) -> float:
    """Return the time beyond its own that a query has for gathering what it has found."""
    return max(GRACE * seconds, LEAST_GRACE)


def over_time(seconds: float) -> str:
    """Return what is said of a query that took longer than it was given."""
    return f"The query took longer than the {seconds:g} seconds it was given: narrow it down."


class Untyped(str):
    """A parameter in PostgreSQL's notation, whose type is that of what the statement compares it with."""

    __slots__ = ()


class Database:
    """One query's connection, inside its transaction."""

    def __init__(self, connection: psycopg.AsyncConnection[Any], seconds: float = math.inf) -> None:
        self._connection = connection
        self._seconds = seconds
        self._until = time.monotonic() + seconds
        self.vector_schema = ""  # of pgvector's types and operators: see `find_vectors`
        self.statements = 0

    async def find_vectors(self) -> str:
        """Looks for the schema that holds pgvector's types and operators; "" if pgvector is not there."""
        found = (await self.table(_VECTORS))[1]
        self.vector_schema = str(found[0][0]) if found else ""
        return self.vector_schema

    async def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of one SELECT with `$1`-style parameters. Raises an `ExecutionError` or `TypeMismatch`."""
        return (await self.table(_WEIGHED.format(sql=sql, most=LARGEST_ROW), parameters))[1]

    async def number(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Return the one whole number that a SELECT gives."""
        ((found,),) = (await self.table(sql, parameters))[1]
        return int(found)

    async def cost(self, sql: str, parameters: Sequence[Any] = ()) -> tuple[float, float]:
        """What a SELECT costs, and how many rows it gives, as PostgreSQL expects it, which plans it without running it.

        Raises the errors that only PostgreSQL can find.
        """
        ((plan,),) = (await self.table(f"EXPLAIN (FORMAT JSON) {sql}", parameters))[1]
        return float(plan[0]["Plan"]["Total Cost"]), float(plan[0]["Plan"]["Plan Rows"])

    async def estimate(self, sql: str, parameters: Sequence[Any] = ()) -> float:
        """Return how many rows PostgreSQL expects a SELECT to give, without running it."""
        ((plan,),) = (await self.table(f"EXPLAIN (FORMAT JSON) {sql}", parameters))[1]
        return float(plan[0]["Plan"]["Plan Rows"])

    async def estimates(self, queries: Sequence[str], parameters: Sequence[Any] = ()) -> list[float]:
        """Return the same for several SELECTs at once, which share their parameters."""
        steps = ", ".join(f"_q{number} AS MATERIALIZED ({query})" for number, query in enumerate(queries))
        names = ", ".join(f"_q{number}" for number in range(len(queries)))
        ((plan,),) = (await self.table(f"EXPLAIN (FORMAT JSON) WITH {steps} SELECT 1 FROM {names}", parameters))[1]
        found = {part.get("Subplan Name"): float(part["Plan Rows"]) for part in plan[0]["Plan"]["Plans"]}
        return [found[f"CTE _q{number}"] for number in range(len(queries))]

    def extend(self) -> None:
        """Give the query the time to gather what it has found until now."""
        self._until += grace(self._seconds)

    async def resume(self) -> None:
        """Make the connection usable again after a statement that was stopped: the transaction goes on as it was."""
        await self._connection.execute("ROLLBACK TO SAVEPOINT begun")

    async def table(self, sql: str, parameters: Sequence[Any] = ()) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        """Return the column names and rows of one SELECT."""
        self.statements += 1
        left = self._until - time.monotonic()
        try:
            async with asyncio.timeout(min(STATEMENT_SECONDS + 2, left)):
                return await self._fetch(sql, parameters)
        except TimeoutError as error:
            await self._connection.cancel_safe()
            if left <= STATEMENT_SECONDS + 2:
                raise OutOfTime(
                    over_time(self._seconds),
                    sql[:500],
                ) from error
            raise QueryTimeout("The database took too long for this query.", sql[:500]) from error
        except asyncio.CancelledError:
            await self._connection.cancel_safe()
            raise
        except psycopg.Error as error:
            raise _typed(error, sql) from error

    async def _fetch(self, sql: str, parameters: Sequence[Any]) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        """Rows as they arrive, so that a result beyond the limit is given up and never held whole."""
        rows: list[tuple[Any, ...]] = []
        weight = 0
        async with psycopg.AsyncRawCursor(self._connection) as cursor:
            cursor.adapters.register_dumper(Untyped, StrDumperUnknown)
            cursor.adapters.register_dumper(str, StrDumper)  # text, also where the statement does not tell the type
            async for row in cursor.stream(sql.encode(), list(parameters)):
                weight += ROW + sum(map(_weight, row))
                if weight > LARGEST_RESULT:
                    raise ResultTooLarge(f"The result is larger than {LARGEST_RESULT // 2**20} MB; ask for less of it.")
                rows.append(row)
            return tuple(column.name for column in cursor.description or ()), rows


@asynccontextmanager
async def session(
    connect: Connect, schema: str, idle_seconds: float, *, searching: bool = True, seconds: float = math.inf
) -> AsyncIterator[Database]:
    """A connection inside its READ ONLY transaction, closed afterwards whatever happens. `searching`: among vectors.

    After `seconds`, statements are stopped with `OutOfTime`.
    """
    try:
        connection = await connect()
    except psycopg.Error as error:
        raise DatabaseAway("The database cannot be reached.", str(error)) from error
    try:
        if not connection.autocommit:
            await connection.set_autocommit(True)
        opening = (
            "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
            f"SET LOCAL statement_timeout = {int(STATEMENT_SECONDS * 1000)}",
            f"SET LOCAL idle_in_transaction_session_timeout = {int((idle_seconds + 60) * 1000)}",
            f"SET LOCAL search_path = {quoted(schema)}",
            "SET LOCAL TIME ZONE 'UTC'",
            "SET LOCAL jit = off",
            *_BOUNDS,
            *(_SEARCHING if searching else ()),
            "SAVEPOINT begun",
        )
        # All in one message, which cannot be prepared; set_config() would do too, but the role may not call it.
        await connection.execute("; ".join(opening).encode(), prepare=False)
        yield Database(connection, seconds)
    except psycopg.Error as error:
        raise _typed(error, "") from error
    finally:
        await connection.close()


def _weight(value: Any) -> int:
    """About how many bytes a value takes."""
    if isinstance(value, str | bytes):
        return VALUE + len(value)
    if isinstance(value, list | tuple):
        return VALUE + sum(map(_weight, value))
    return VALUE + sum(map(_weight, value.values())) if isinstance(value, dict) else VALUE


def _typed(error: psycopg.Error, sql: str) -> AgentError:
    """The engine's own error for PostgreSQL's."""
    told = (error.diag.message_primary or str(error)).strip()
    detail = f"{told} [{sql[:400]}]" if sql else told
    if TOO_LARGE in told:
        return ResultTooLarge(f"A row is larger than {LARGEST_ROW // 2**20} MB; ask for less of it.", detail)
    if RECURSION_TOO_LARGE in told:
        return ResultTooLarge("The WITH RECURSIVE of this query does not end, or returns too many rows.", detail)
    if isinstance(error, errors.OutOfMemory | errors.ProgramLimitExceeded | errors.ConfigurationLimitExceeded):
        return ResultTooLarge("The query needs more memory than one query may have: narrow it down.", detail)
    if isinstance(error, errors.QueryCanceled):
        return QueryTimeout("The database took too long for this query: narrow it down by its columns.", detail)
    if isinstance(error, errors.InsufficientPrivilege | errors.ReadOnlySqlTransaction):
        return NotAllowed("The query asks for something it may not read or do.", detail)
    if error.sqlstate and error.sqlstate.startswith("42"):
        answers = " An answer is words unless the SQL around it asks for more: write answer(…)::numeric or ::date."
        words = "text" in told and "jsonb_extract_path_text" in sql
        return TypeMismatch(f"The query does not fit together: {told}.{answers if words else ''}", detail)
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) and _is_cut(error):
        return DatabaseAway("The connection to the database was cut.", detail)
    if error.sqlstate and error.sqlstate.startswith("22"):
        return ExecutionError(f"A value cannot be computed: {told}.", detail)
    return ExecutionError("The database could not finish the query.", detail)


def _is_cut(error: psycopg.Error) -> bool:
    """Whether the connection is gone, or the server is starting or stopping, as SQLSTATE or its absence says."""
    return error.sqlstate is None or error.sqlstate.startswith(("08", "57P"))
