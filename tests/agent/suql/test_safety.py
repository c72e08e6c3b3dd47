"""Hostile queries: refused by the check, harmless where the check is bypassed, and bounded where they are allowed.

All go through the check. A sample, drawn with a seed, is sent past it; FULL_SWEEP=1 sends all, which takes minutes.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from agent.protocols.errors import AgentError, NotAllowed, QueryError, TypeMismatch, UnknownName
from agent.suql import Budget, Engine, check
from agent.suql.database import session
from tests.agent.suql.hardening import SECRET, hardened, hardened_url, snapshot
from tests.agent.suql.world import CATALOGUE, PairReader
from tests.drawn import drawn

__all__ = ["hardened", "hardened_url"]  # fixtures

FOLDER = Path("tests/fixtures/suql")
HOSTILE = [line for line in (FOLDER / "hostile.sql").read_text().split("\n") if line]
BOMBS = [line for line in (FOLDER / "bombs.sql").read_text().split("\n") if line]
LIMIT = 0.25  # seconds of one statement, here
ALLOWED_ALIASES = [
    """SELECT id AS "x"";DROP TABLE kb.venues;--" FROM venues""",
    """WITH "c""; DROP TABLE kb.venues; --" AS (SELECT id AS "a"", pg_sleep(9) AS ""b" FROM venues)
       SELECT * FROM "c""; DROP TABLE kb.venues; --" """,
    """SELECT v.id FROM venues AS "v"" CROSS JOIN pg_roles --" JOIN venues v USING (id)""",
    """SELECT id FROM venues WHERE name = 'a''; DROP TABLE kb.venues; --'""",
    """SELECT id FROM venues WHERE name = $$'; DROP TABLE kb.venues; --$$""",
    """SELECT id FROM venues WHERE name = $x$'; DROP TABLE kb.venues; --$x$""",
    """SELECT answer(about, 'x''); DROP TABLE kb.venues; --?') FROM venues""",
    """SELECT answer(about, 'x?', options => ARRAY['a''); DROP TABLE kb.venues; --', 'b']) FROM venues""",
    """SELECT answer(about, '''; DROP TABLE kb.venues; --' || name) FROM venues""",
    """SELECT id AS "ａ‮b😀", name AS "$1" FROM venues AS "%s" """,
    """SELECT similar(about, 'x''; DROP TABLE kb.venues; --') AS s FROM venues""",
    """SELECT id FROM venues WHERE matches(about, '''; DROP TABLE kb.venues; --')""",
    """SELECT id FROM venues WHERE city IN ('a''); DROP TABLE kb.venues; --', '%(x)s', '{0}')""",
]


def _kind(sql: str) -> str:
    """The kind of a query: what it begins with, and the beginning of the first function that it calls."""
    called = re.search(r"(\w+?)(?:_\w+)?\(", sql)
    return f"{sql.split()[0]} {called[1] if called else ''}".upper()


def test_at_least_500_hostile_queries_are_listed() -> None:
    assert len(HOSTILE) >= 500
    assert len(set(HOSTILE)) == len(HOSTILE)


def test_hostile_queries_are_refused_before_anything_is_run() -> None:
    assert [sql for sql in HOSTILE if not refused(sql)] == []


def refused(sql: str) -> bool:
    try:
        check(sql, CATALOGUE)
    except QueryError as refusal:
        return bool(refusal.sentence)
    return False


@pytest.mark.parametrize("sql", ALLOWED_ALIASES)
async def test_words_in_quotes_stay_words(
    sql: str, world: psycopg.Connection[Any], engine: Engine, reader: PairReader
) -> None:
    before = snapshot(world)
    await engine.run(sql)
    assert snapshot(world) == before


@pytest.mark.parametrize("sql", [*drawn(HOSTILE, 1, _kind), *drawn(BOMBS, 1, _kind)])
async def test_with_the_check_bypassed_the_role_and_the_transaction_hold(
    sql: str, world: psycopg.Connection[Any], hardened: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.suql.database.STATEMENT_SECONDS", LIMIT)
    before, started = snapshot(world), time.monotonic()
    told: Any = ""
    try:
        async with session(hardened, "kb", 5) as database:
            told = await database.table(sql)
    except AgentError as error:
        told = error.detail
    assert time.monotonic() - started < LIMIT + 9  # our deadline is 2 s later; a backend that is deaf is left after 5
    assert SECRET not in str(told)
    assert snapshot(world) == before


@pytest.mark.parametrize("sql", BOMBS)
async def test_bombs_finish_or_are_stopped_within_their_limits(
    sql: str, world: psycopg.Connection[Any], hardened: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.suql.database.STATEMENT_SECONDS", LIMIT)
    before, started = snapshot(world), time.monotonic()
    reader = PairReader()
    with contextlib.suppress(AgentError):
        await Engine(hardened, CATALOGUE, reader).run(sql, budget=Budget(calls=50, seconds=3, rows=100))
    assert time.monotonic() - started < 10
    assert reader.calls <= 50
    assert snapshot(world) == before


async def test_the_engine_needs_none_of_the_rights_that_are_taken_away(
    hardened: Callable[[], Any], reader: PairReader
) -> None:
    sql = "SELECT id FROM venues WHERE answer(about, 'quiet?') LIMIT 2"
    result = await Engine(hardened, CATALOGUE, reader).run(sql)
    assert len(result.rows) == 2


@pytest.mark.parametrize(
    "call",
    [
        "format('%1000000000s', 'x')",
        "lpad('x', 200000000)",
        "rpad('x', 200000000, 'y')",
        "array_fill(1, ARRAY[100000000])",
    ],
)
async def test_the_role_cannot_run_what_no_time_limit_stops(call: str, hardened: Callable[[], Any]) -> None:
    with pytest.raises(NotAllowed, match="may not read or do"):
        async with session(hardened, "kb", 5) as database:
            await database.table(f"SELECT {call} IS NULL")


async def test_a_row_over_the_limit_never_reaches_the_client(
    hardened: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.suql.database.LARGEST_ROW", 1_000)
    with pytest.raises(AgentError, match="A row is larger"):
        async with session(hardened, "kb", 5) as database:
            await database.rows("SELECT repeat('x', 2000) AS x")
    async with session(hardened, "kb", 5) as database:
        assert await database.rows("SELECT repeat('x', 900) AS x, 1 AS x") == [("x" * 900, 1)]


def test_each_refusal_says_what_to_do_instead() -> None:
    cases = {
        "SELECT nme FROM venues": (UnknownName, "Did you mean name?"),
        "SELECT id FROM venuse": (UnknownName, "Did you mean venues?"),
        "SELECT anwser(about, 'q?') FROM venues": (UnknownName, "Did you mean answer()?"),
        'SELECT answer(about, "is it quiet?") FROM venues': (UnknownName, "single quotes"),
        "SELECT id FROM venues WHERE stars > 'many'": (TypeMismatch, "is a number"),
        "SELECT id FROM venues WHERE about = 'quiet'": (TypeMismatch, "answer(about"),
        "SELECT answer(stars, 'q?') FROM venues": (TypeMismatch, "reads texts"),
        "SELECT answer(about) FROM venues": (TypeMismatch, "answer(text, 'question')"),
        "DELETE FROM venues": (NotAllowed, "exactly one SELECT"),
    }
    for sql, (kind, words) in cases.items():
        with pytest.raises(kind) as refusal:
            check(sql, CATALOGUE)
        assert words in refusal.value.sentence, refusal.value.sentence


def test_errors_say_where() -> None:
    with pytest.raises(UnknownName) as refusal:
        check("SELECT id, nme FROM venues", CATALOGUE)
    assert refusal.value.position == len("SELECT id, ")


async def test_nothing_is_asked_where_postgresql_refuses_the_query(engine: Engine, reader: PairReader) -> None:
    with pytest.raises(TypeMismatch):
        await engine.run("SELECT id FROM venues WHERE name + 1 > 2 AND answer(about, 'quiet?') = 'Yes'")
    assert reader.calls == 0
