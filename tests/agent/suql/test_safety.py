"""Hostile queries: refused by the check, and harmless where the check is bypassed."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from agent.errors import AgentError, NotAllowed, QueryError, TypeMismatch, UnknownName
from agent.suql import Engine, check
from agent.suql.database import session
from corpora.migrations import __name__ as migrations
from tests.agent.suql.world import CATALOGUE, PairReader

HOSTILE = [line for line in Path("tests/fixtures/suql/hostile.sql").read_text().splitlines() if line]
ALLOWED_ALIASES = [
    """SELECT id AS "x"";DROP TABLE kb.venues;--" FROM venues""",
    """WITH "c""; DROP TABLE kb.venues; --" AS (SELECT id AS "a"", pg_sleep(9) AS ""b" FROM venues)
       SELECT * FROM "c""; DROP TABLE kb.venues; --" """,
    """SELECT v.id FROM venues AS "v"" CROSS JOIN pg_roles --" JOIN venues v USING (id)""",
    """SELECT id FROM venues WHERE name = 'a''; DROP TABLE kb.venues; --'""",
    """SELECT id FROM venues WHERE name = $$'; DROP TABLE kb.venues; --$$""",
    """SELECT answer(about, 'x''); DROP TABLE kb.venues; --?') FROM venues""",
]


def test_at_least_150_hostile_queries_are_listed() -> None:
    assert len(HOSTILE) >= 150
    assert len(set(HOSTILE)) == len(HOSTILE)


@pytest.mark.parametrize("sql", HOSTILE)
def test_hostile_queries_are_refused_before_anything_is_run(sql: str) -> None:
    with pytest.raises(QueryError) as refusal:
        check(sql, CATALOGUE)
    assert refusal.value.sentence


@pytest.mark.parametrize("sql", ALLOWED_ALIASES)
async def test_words_in_quotes_stay_words(
    sql: str, world: psycopg.Connection[Any], engine: Engine, reader: PairReader
) -> None:
    before = snapshot(world)
    await engine.run(sql)
    assert snapshot(world) == before


@pytest.mark.parametrize("sql", HOSTILE)
async def test_hostile_queries_are_harmless_with_the_check_bypassed(
    sql: str, world: psycopg.Connection[Any], hardened: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.suql.database.STATEMENT_SECONDS", 1.0)
    before = snapshot(world)
    try:
        async with session(hardened, "kb", 5) as database:
            await database.rows(sql)
    except AgentError:
        pass
    assert snapshot(world) == before


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


def snapshot(world: psycopg.Connection[Any]) -> tuple[Any, ...]:
    """Everything a query could have changed: rows, relations, functions, roles, large objects, settings."""
    parts = []
    for query in (
        "SELECT md5(string_agg(v::text, '|' ORDER BY id)) FROM kb.venues v",
        "SELECT md5(string_agg(e::text, '|' ORDER BY id)) FROM kb.events e",
        "SELECT count(*), max(oid::bigint) FROM pg_class WHERE relname NOT LIKE 'pg_toast%'",
        "SELECT count(*) FROM pg_proc",
        "SELECT count(*), string_agg(rolname || rolsuper, ',' ORDER BY rolname) FROM pg_roles",
        "SELECT count(*) FROM pg_largeobject_metadata",
    ):
        parts.append(world.execute(query).fetchone())
    world.rollback()
    return tuple(parts)


@pytest.fixture(scope="module")
def hardened_url(world: psycopg.Connection[Any], database_url: str) -> str:
    """The world with the rights the site's migration gives: dangerous functions and catalogues are the owner's only."""
    rights = importlib.import_module(f"{migrations}.0004_reader")
    role = "suql_test_reader"
    world.execute("REVOKE TEMPORARY ON DATABASE " + world.info.dbname + " FROM PUBLIC")
    world.execute("REVOKE USAGE ON LANGUAGE plpgsql FROM PUBLIC")
    world.execute(rights.HARDEN.replace(rights.READER, role))
    world.commit()
    return make_conninfo(database_url, user=role)


@pytest.fixture
def hardened(hardened_url: str) -> Callable[[], Any]:
    async def opened() -> psycopg.AsyncConnection[Any]:
        return await psycopg.AsyncConnection.connect(hardened_url, autocommit=True, prepare_threshold=0)

    return opened
