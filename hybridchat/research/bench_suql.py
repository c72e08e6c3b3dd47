"""Measures the SUQL engine on generated tables: values, prompts, rounds, seconds, beside what others would need.

Every query of the suite is run with a simulated model, and its rows are compared with those PostgreSQL computes from
the original text with a plain function. Beside the engine stand that plain function (counted by PostgreSQL itself), the
naive plan (every call for every row that the structured conditions leave) and the computed lower bound.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import psycopg

from agent.suql import Budget, Engine, Result
from agent.suql.check import check
from agent.suql.final import plain
from agent.suql.scopes import Block, blocks, calls_in
from agent.suql.statements import Statement
from hybridchat.research.bench_bounds import Item, bound
from hybridchat.research.bench_world import CATALOGUE, SCHEMA, SimulatedReader, plain_sql

BATCH = 16  # texts that the simulated model takes in one prompt
CONCURRENCY = 8  # prompts it works on at once
EVERYTHING = Budget(calls=None, seconds=None, rows=1_000_000)
FIRST = ("answer(about, 'rare?') = 'Yes'", 3)  # a condition that holds for a tenth, and LIMIT
LIMITED = (
    FIRST,
    ("answer(about, 'rare?') = 'Yes'", 10),
    ("answer(about, 'kids?') = 'Yes'", 5),
    ("answer(about, 'quiet?') = 'Yes'", 1),
    ("answer(about, 'wait?') < 2", 2),
    ("answer(about, 'wait?') >= 10", 20),
)

Connect = Callable[[], Awaitable[psycopg.AsyncConnection[Any]]]


@dataclass(frozen=True, slots=True)
class Measured:
    """One query: what the engine needed, and what others would."""

    name: str
    right: bool
    bound: int
    values: int
    prompts: int
    rounds: int
    tokens: int
    again: int  # prompts when the query is run a second time
    planning: float  # milliseconds before the first question
    own: float  # seconds that are not the model's
    plain: int  # calls of a plain SQL function
    naive: int  # calls of the naive plan

    def seconds(self, latency: float) -> float:
        """With a model that takes so long for a prompt."""
        return self.own + self.rounds * latency


def engine(connect: Connect, reader: SimulatedReader) -> Engine:
    """An engine that has learned nothing yet."""
    return Engine(connect, CATALOGUE, reader, budget=EVERYTHING, clock=reader.clock)


async def measure(connection: psycopg.Connection[Any], connect: Connect, item: Item) -> Measured:
    """One query of the suite."""
    reader = SimulatedReader(batch=BATCH, concurrency=CONCURRENCY)
    fresh = engine(connect, reader)
    result = await fresh.run(item.sql)
    prompts, rounds, tokens = reader.prompts, reader.rounds, reader.tokens
    await fresh.run(item.sql)
    return Measured(
        item.name,
        right=result.complete and same_rows(connection, item.sql, result),
        bound=bound(connection, item),
        values=reader.values,
        prompts=prompts,
        rounds=rounds,
        tokens=tokens,
        again=reader.prompts - prompts,
        planning=result.usage.planning * 1000,
        own=result.usage.seconds,
        plain=_counted(connection, item.sql),
        naive=_naive(connection, item.sql),
    )


def same_rows(connection: psycopg.Connection[Any], sql: str, result: Result) -> bool:
    """The rows PostgreSQL computes from the original text; in its order where one is asked for."""
    right = [tuple(map(plain, row)) for row in connection.execute(plain_sql(sql).encode()).fetchall()]
    mine = [tuple(row.values.values()) for row in result.rows]
    if check(sql, CATALOGUE).tree.args.get("order"):
        return mine == right
    return Counter(map(repr, mine)) == Counter(map(repr, right))


def _counted(connection: psycopg.Connection[Any], sql: str) -> int:
    """How often PostgreSQL calls a plain function for the query."""
    connection.commit()
    connection.execute("SET LOCAL track_functions = 'pl'")
    before = _calls(connection)
    connection.execute(plain_sql(sql, "counted").encode())
    counted = _calls(connection) - before
    connection.rollback()
    return counted


def _calls(connection: psycopg.Connection[Any]) -> int:
    ((calls,),) = connection.execute(
        "SELECT coalesce(sum(calls), 0)::int FROM pg_stat_xact_user_functions WHERE schemaname = %s", [SCHEMA]
    ).fetchall()
    return int(calls)


def _naive(connection: psycopg.Connection[Any], sql: str) -> int:
    """Every call of every SELECT for each of its rows that the structured conditions leave."""
    names = check(sql, CATALOGUE).names
    found = blocks(names)
    nothing = cast(Any, SimpleNamespace(known={}, unread={}))
    total = 0
    for block in found.values():
        statement = Statement(names, found, set(), nothing, nothing)
        calls = [call for call in block.select.walk() if call.meta.get("ask") and call in _own_calls(block)]
        if calls and block.select.args.get("from_"):
            conditions = [f"NOT {statement.dead(block.where)}"] if block.where is not None else []
            rows = statement.over(block.scope, ["1"], conditions)
            text, values = _positional(f"SELECT count(*) FROM ({rows}) AS _rows", statement.parameters)
            ((count,),) = connection.execute(text, values).fetchall()
            total += count * len(calls)
    return total


def _own_calls(block: Block) -> list[Any]:
    return calls_in(block.select)


def _positional(sql: str, parameters: list[Any]) -> tuple[bytes, dict[str, Any]]:
    """`$1` as psycopg's named parameters."""
    escaped = sql.replace("%", "%%")
    for number in range(len(parameters), 0, -1):
        escaped = escaped.replace(f"${number}::", f"%(p{number})s::")
    return escaped.encode(), {f"p{number}": value for number, value in enumerate(parameters, 1)}


# -- LIMIT -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limited:
    """A query with LIMIT, started at many places of the table, with so many texts a call; means over the starts."""

    sql: str
    batch: int
    expected: float  # values, of who knows nothing: k (D + 1) / (K + 1)
    fewest: float  # calls, of who knows nothing
    values: float
    calls: float
    rounds: float
    seconds: float  # with a model of 500 ms, the median


async def measure_limits(connection: psycopg.Connection[Any], connect: Connect, seeds: int, rows: int) -> list[Limited]:
    """Queries with LIMIT on the largest part of the table, each begun at as many places as there are seeds."""
    return [
        await _limited(connection, connect, condition, limit, seeds, rows, batch)
        for batch in (1, BATCH)
        for condition, limit in LIMITED
    ]


async def measure_first(connection: psycopg.Connection[Any], connect: Connect, rows: int) -> Limited:
    """LIMIT 3 at 10 % over the large table, from a few starts: the seconds a person waits."""
    return await _limited(connection, connect, *FIRST, 10, rows, BATCH)


async def _limited(
    connection: psycopg.Connection[Any],
    connect: Connect,
    condition: str,
    limit: int,
    seeds: int,
    rows: int,
    batch: int,
    latency: float = 0.5,
) -> Limited:
    form = f"SELECT id FROM venues WHERE id > {{}} AND {condition} LIMIT {limit}"
    ((distinct,),) = connection.execute(
        f"SELECT count(DISTINCT about) FROM {SCHEMA}.venues WHERE about <> ''"
    ).fetchall()
    counted = plain_sql(f"SELECT count(DISTINCT about) FROM venues WHERE {condition}")
    ((matching,),) = connection.execute(counted.encode()).fetchall()
    found = []
    for seed in range(seeds):
        reader = SimulatedReader(latency, batch, CONCURRENCY * BATCH // batch)
        result = await engine(connect, reader).run(form.format(seed * (rows // 2) // seeds))
        found.append((reader.values, result.usage.calls, reader.rounds, result.usage.seconds))
    values, calls, rounds, seconds = zip(*found, strict=True)
    return Limited(
        form.format("…"),
        batch,
        limit * (distinct + 1) / (matching + 1),
        fewest_calls(limit, distinct, matching, batch),
        statistics.fmean(values),
        statistics.fmean(calls),
        statistics.fmean(rounds),
        statistics.median(seconds),
    )


def fewest_calls(limit: int, distinct: int, matching: int, batch: int) -> float:
    """The calls expected of one who knows nothing, sends one full prompt after another, and stops at the last match.

    That is the mean of ⌈T / batch⌉, where T texts have to be read, or the sum over all j of how likely it is that more
    than j prompts are: that fewer than `limit` of `batch` · j texts match, out of `distinct`, of which `matching` do.
    """
    total, prompts = 0.0, 0
    while prompts * batch <= distinct - min(matching, limit - 1):
        further = sum(_chance(found, prompts * batch, distinct, matching) for found in range(limit))
        total, prompts = total + further, prompts + 1
        if further < 1e-9:
            break
    return total


def _chance(found: int, drawn: int, distinct: int, matching: int) -> float:
    """Of the hypergeometric distribution: so many matches among the texts drawn."""
    if found > min(drawn, matching) or drawn - found > distinct - matching:
        return 0.0
    return math.exp(_ways(matching, found) + _ways(distinct - matching, drawn - found) - _ways(distinct, drawn))


def _ways(many: int, chosen: int) -> float:
    """The logarithm of the number of ways to choose."""
    return math.lgamma(many + 1) - math.lgamma(chosen + 1) - math.lgamma(many - chosen + 1)


# -- without LIMIT ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Whole:
    """A query over a whole table: `fewest` is ⌈D/b⌉."""

    sql: str
    values: int
    prompts: int
    fewest: int
    rounds: int
    own: float


async def measure_whole(connect: Connect) -> Whole:
    """A count over every row."""
    sql = "SELECT count(*) FROM venues WHERE answer(about, 'rare?') = 'Yes'"
    reader = SimulatedReader(0.0, BATCH, CONCURRENCY)
    result = await engine(connect, reader).run(sql)
    return Whole(
        sql, reader.values, reader.prompts, math.ceil(reader.values / BATCH), reader.rounds, result.usage.seconds
    )
