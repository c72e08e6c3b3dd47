"""answer() wherever an expression may stand: the rows PostgreSQL itself gives. And what is refused, clearly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from agent.protocols.errors import NotAllowed, TypeMismatch
from agent.suql import Budget, Catalogue, Column, Engine, Kind, Table, check
from tests.agent.suql.oracle import right_rows
from tests.agent.suql.test_shapes import same
from tests.agent.suql.world import CATALOGUE, PairReader, fill

POSITIONS = [line for line in Path("tests/fixtures/suql/positions.sql").read_text().splitlines() if line]


@pytest.fixture(scope="module")
def filled(world: psycopg.Connection[Any]) -> psycopg.Connection[Any]:
    fill(world, seed=1)
    return world


@pytest.mark.parametrize("sql", POSITIONS)
async def test_every_position_gives_the_rows_postgresql_gives(
    sql: str, filled: psycopg.Connection[Any], connect: Callable[[], Any]
) -> None:
    reader = PairReader()
    result = await Engine(connect, CATALOGUE, reader).run(sql, budget=Budget(calls=2_000))
    mine, right = [tuple(row.values.values()) for row in result.rows], right_rows(filled, sql)
    assert same(sql, mine, right), (mine, right)
    assert result.complete
    asked = [request.model_dump_json() for request in reader.requests]
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize(
    ("sql", "kind", "words"),
    [
        ("SELECT random() FROM venues", NotAllowed, "a different value each time"),
        ("SELECT gen_random_uuid()", NotAllowed, "a different value each time"),
        (f"SELECT * FROM (VALUES {', '.join(['(1)'] * 201)}) AS t(n)", NotAllowed, "at most 200 rows"),
        ("SELECT generate_series(1, 9)", NotAllowed, "generate_series() is not available"),
        ("SELECT id FROM venues TABLESAMPLE SYSTEM (10)", NotAllowed, "not allowed"),
        ("SELECT id FROM venues ORDER BY stars FETCH FIRST 2 ROWS WITH TIES", NotAllowed, "rank()"),
        (
            "WITH RECURSIVE r AS (SELECT 1 AS n UNION SELECT n FROM r WHERE answer('x', 'q?')) SELECT n FROM r",
            NotAllowed,
            "in the SELECT after it",
        ),
        ("WITH RECURSIVE r AS (SELECT n FROM r) SELECT n FROM r", NotAllowed, "UNION"),
        ("SELECT id FROM venues v JOIN (events e JOIN venues w ON TRUE) USING (id)", NotAllowed, "write ON"),
        ("SELECT id FROM venues WHERE validate((SELECT about FROM events), name)", TypeMismatch, "single quotes"),
        ("SELECT answer(about, 3) FROM venues", TypeMismatch, "single quotes"),
        ("SELECT answer(about, NULL) FROM venues", TypeMismatch, "single quotes"),
        ("SELECT answer(about, 'q?', options => 3) FROM venues", TypeMismatch, "options is a list"),
        ("SELECT answer(about, 'q?', example => 3) FROM venues", TypeMismatch, "xample must be a text"),
        (
            "SELECT validate((SELECT about FROM venues), 'c', options => 'a;b')",
            TypeMismatch,
            "no argument called options",
        ),
    ],
)
def test_refusals_say_what_to_write_instead(sql: str, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as refusal:
        check(sql, CATALOGUE)
    assert words in str(refusal.value)


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELECT id FROM venues ORDER BY id LIMIT -1", "not negative"),
        ("SELECT id FROM venues ORDER BY id LIMIT stars", "cannot look at a row"),
        ("SELECT id FROM venues LIMIT (SELECT answer(about, 'wait?')::int FROM venues LIMIT 1)", "plain SQL"),
        ("SELECT answer(about, 'q?', options => (SELECT city FROM venues WHERE FALSE)) FROM venues", "no values"),
        ("SELECT answer(about, 'q?', options => (SELECT v.city)) FROM venues v", "look at the row"),
    ],
)
async def test_what_only_the_database_can_tell_costs_no_calls_either(
    sql: str, words: str, engine: Engine, reader: PairReader
) -> None:
    with pytest.raises((NotAllowed, TypeMismatch)) as refusal:
        await engine.run(sql)
    assert words in refusal.value.sentence
    assert reader.calls == 0


async def test_a_question_may_be_built_from_the_row(engine: Engine, reader: PairReader) -> None:
    sql = "SELECT id, answer(about, 'is it good for ' || city || '?') AS a FROM venues WHERE id < 9"
    result = await engine.run(sql)
    asked = {request.question for request in reader.requests}
    assert asked
    assert asked <= {"is it good for Aldo?", "is it good for Brea?", "is it good for Cove?"}
    again = await engine.run(sql)
    assert again.usage.calls == 0
    assert [row.values for row in again.rows] == [row.values for row in result.rows]


async def test_evidence_names_the_question_that_was_asked(engine: Engine) -> None:
    result = await engine.run("SELECT id FROM venues WHERE answer(about, lower('QUIET') || '?') = 'Yes'")
    assert {piece.question for row in result.rows for piece in row.evidence} == {"quiet?"}


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM venues WHERE answer(about, 'opened?') >= '2015-01-01'",
        "SELECT id FROM venues WHERE answer(about, 'opened?') >= 'January 1, 2015'",
        "SELECT id FROM venues WHERE answer(about, 'opened?') BETWEEN '2012-01-01' AND '3 May 2018'",
    ],
)
async def test_a_date_in_quotes_makes_the_answer_a_date(sql: str, engine: Engine, reader: PairReader) -> None:
    assert (await engine.run(sql)).rows
    assert {request.type for request in reader.requests} == {"date"}


PICTURES = Catalogue(
    (Table("venues", (Column("id", Kind.NUMBER), Column("name", Kind.TEXT), Column("slug", Kind.IMAGE))),), schema="kb"
)


async def test_pictures_need_a_reader_that_sees(connect: Callable[[], Any], reader: PairReader) -> None:
    with pytest.raises(NotAllowed, match="reads only text"):
        await Engine(connect, PICTURES, reader).run("SELECT id FROM venues WHERE answer(slug, 'is there a garden?')")
    assert reader.calls == 0


async def test_a_reader_that_sees_is_shown_the_picture(connect: Callable[[], Any]) -> None:
    class Eyes(PairReader):
        sees = True

    reader = Eyes()
    engine = Engine(connect, PICTURES, reader)
    await engine.run("SELECT id, answer(slug, 'is there a garden?') AS g FROM venues WHERE id = 3")
    assert [passage.image for request in reader.requests for passage in request.passages] == ["v3"]
    assert [passage.text for request in reader.requests for passage in request.passages] == [""]
