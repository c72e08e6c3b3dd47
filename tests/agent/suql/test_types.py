"""The SQL around an answer gives its type: each query gives the rows of the one beside it, which says every type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import psycopg
import pytest

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.protocols.errors import NotAllowed, TypeMismatch
from agent.protocols.reading import AnswerReply, AnswerRequest
from agent.suql import Engine
from agent.suql.check import check
from tests.agent.suql.oracle import right_rows
from tests.agent.suql.world import CATALOGUE, PairReader, fill

WAIT, OPENED, QUIET = "answer(about, 'wait?')", "answer(about, 'opened?')", "answer(about, 'quiet?')"
NUMBER, DATE = f"{WAIT}::int", f"{OPENED}::date"
PAIRS = [
    # through the names of subqueries and CTEs
    (
        f"SELECT id FROM (SELECT id, {WAIT} AS w FROM venues) x WHERE x.w > 4",
        f"SELECT id FROM venues WHERE {NUMBER} > 4",
    ),
    (f"SELECT avg(w) FROM (SELECT {WAIT} AS w FROM venues) x", f"SELECT avg({NUMBER}) FROM venues"),
    (
        f"WITH x AS (SELECT id, {WAIT} AS w FROM venues), y(a, b) AS (SELECT id, w FROM x) "
        "SELECT a FROM y WHERE b * 2 > 6",
        f"SELECT id FROM venues WHERE {NUMBER} * 2 > 6",
    ),
    (
        f"WITH x AS (SELECT id, {QUIET} AS q FROM venues) SELECT id FROM x WHERE q",
        f"SELECT id FROM venues WHERE {QUIET} = 'Yes'",
    ),
    (
        f"WITH x AS (SELECT id, {QUIET} AS q FROM venues) SELECT id FROM x WHERE NOT q OR q IS NULL",
        f"SELECT id FROM venues WHERE {QUIET} = 'No' OR {QUIET} IS NULL",
    ),
    (
        f"SELECT id FROM (SELECT id, {QUIET} AS q FROM venues) x WHERE q = 'yes'",
        f"SELECT id FROM venues WHERE {QUIET} = 'Yes'",
    ),
    (
        "SELECT id FROM (SELECT id, answer(about, 'mood?') AS m FROM venues) x WHERE m = 'CALM'",
        "SELECT id FROM venues WHERE answer(about, 'mood?') = 'calm'",
    ),
    (
        f"SELECT id FROM (SELECT id, {OPENED} AS o FROM venues) x WHERE o > 'May 3, 2015'",
        f"SELECT id FROM venues WHERE {DATE} > '2015-05-03'",
    ),
    # through what only hands a value on
    (f"SELECT max({WAIT}) - min({WAIT}) FROM venues", f"SELECT max({NUMBER}) - min({NUMBER}) FROM venues"),
    (
        f"SELECT city FROM venues GROUP BY city HAVING max({WAIT}) > 5",
        f"SELECT city FROM venues GROUP BY city HAVING max({NUMBER}) > 5",
    ),
    (f"SELECT id, coalesce({WAIT}, 0) FROM venues", f"SELECT id, coalesce({NUMBER}, 0) FROM venues"),
    (f"SELECT id, greatest({WAIT}, 3) + 1 FROM venues", f"SELECT id, greatest({NUMBER}, 3) + 1 FROM venues"),
    (f"SELECT id, nullif({WAIT}, 3) FROM venues", f"SELECT id, nullif({NUMBER}, 3) FROM venues"),
    (f"SELECT id, nullif({WAIT}, 'n/a')::int FROM venues", f"SELECT id, {NUMBER} FROM venues"),
    (
        f"SELECT id, lag({WAIT}) OVER (ORDER BY id) + 1 FROM venues",
        f"SELECT id, lag({NUMBER}) OVER (ORDER BY id) + 1 FROM venues",
    ),
    (
        f"SELECT id FROM venues WHERE coalesce({QUIET}, 'no') = 'no'",
        f"SELECT id FROM venues WHERE coalesce({QUIET}, 'No') = 'No'",
    ),
    (
        f"SELECT id, CASE {QUIET} WHEN 'yes' THEN 1 WHEN 'NO' THEN 2 END FROM venues",
        f"SELECT id, CASE {QUIET} WHEN 'Yes' THEN 1 WHEN 'No' THEN 2 END FROM venues",
    ),
    (
        "SELECT id, CASE answer(about, 'mood?') WHEN 'Calm' THEN 1 END FROM venues",
        "SELECT id, CASE answer(about, 'mood?') WHEN 'calm' THEN 1 END FROM venues",
    ),
    (
        "SELECT id FROM venues WHERE answer(about, 'mood?') = ANY(ARRAY['Calm', 'UPBEAT'])",
        "SELECT id FROM venues WHERE answer(about, 'mood?') IN ('calm', 'upbeat')",
    ),
    (
        f"SELECT id FROM venues WHERE ({QUIET}, answer(about, 'mood?')) = ('yes', 'Calm')",
        f"SELECT id FROM venues WHERE {QUIET} = 'Yes' AND answer(about, 'mood?') = 'calm'",
    ),
    (
        f"SELECT id FROM venues WHERE ({WAIT}, {QUIET}) IN ((2, TRUE), (3, 'NO'))",
        f"SELECT id FROM venues WHERE {NUMBER} = 2 AND {QUIET} = 'Yes' OR {NUMBER} = 3 AND {QUIET} = 'No'",
    ),
    (f"SELECT id FROM venues WHERE {QUIET} = 'True'", f"SELECT id FROM venues WHERE {QUIET} = 'Yes'"),
    # out of subqueries
    (
        "SELECT id FROM venues v WHERE 3 < (SELECT max(answer(blurb, 'wait?')) FROM events WHERE venue_id = v.id)",
        "SELECT id FROM venues v WHERE 3 < (SELECT max(answer(blurb, 'wait?')::int) FROM events WHERE venue_id = v.id)",
    ),
    (
        "SELECT id FROM venues v WHERE 3 < ALL (SELECT answer(blurb, 'wait?') FROM events WHERE venue_id = v.id)",
        "SELECT id FROM venues v WHERE 3 < ALL (SELECT answer(blurb, 'wait?')::int FROM events WHERE venue_id = v.id)",
    ),
    (
        f"SELECT id FROM venues WHERE {WAIT} IN (SELECT venue_id FROM events)",
        f"SELECT id FROM venues WHERE {NUMBER} IN (SELECT venue_id FROM events)",
    ),
    (
        f"SELECT id FROM venues UNION ALL SELECT {WAIT} FROM venues",
        f"SELECT id FROM venues UNION ALL SELECT {NUMBER} FROM venues",
    ),
    # functions of numbers and of dates
    (
        f"SELECT stddev({WAIT}), corr({WAIT}, stars) FROM venues",
        f"SELECT stddev({NUMBER}), corr({NUMBER}, stars) FROM venues",
    ),
    (f"SELECT width_bucket({WAIT}, 0, 8, 4) FROM venues", f"SELECT width_bucket({NUMBER}, 0, 8, 4) FROM venues"),
    (
        f"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY {WAIT}) FROM venues",
        f"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY {NUMBER}) FROM venues",
    ),
    (f"SELECT extract(year FROM {OPENED}) FROM venues", f"SELECT extract(year FROM {DATE}) FROM venues"),
    (f"SELECT to_char({OPENED}, 'YYYY') FROM venues", f"SELECT to_char({DATE}, 'YYYY') FROM venues"),
    (f"SELECT date_trunc('year', {OPENED}) FROM venues", f"SELECT date_trunc('year', {DATE}) FROM venues"),
    (f"SELECT age('2024-01-01'::date, {OPENED}) FROM venues", f"SELECT age('2024-01-01'::date, {DATE}) FROM venues"),
    (f"SELECT '2024-01-01'::date - {OPENED} FROM venues", f"SELECT '2024-01-01'::date - {DATE} FROM venues"),
    (
        f"SELECT id FROM venues WHERE '2010-01-01'::date + 365 < {OPENED}",
        f"SELECT id FROM venues WHERE '2011-01-01' < {DATE}",
    ),
    (
        f"SELECT id FROM venues WHERE {QUIET} = (stars > 2)",
        f"SELECT id FROM venues WHERE ({QUIET} = 'Yes') = (stars > 2)",
    ),
]


@pytest.mark.parametrize(("written", "meant"), PAIRS)
async def test_the_sql_around_an_answer_gives_its_type(
    world: psycopg.Connection[Any], connect: Callable[[], Any], written: str, meant: str
) -> None:
    fill(world, seed=3)
    result = await Engine(connect, CATALOGUE, PairReader()).run(written)
    mine = sorted(repr(tuple(row.values.values())) for row in result.rows)
    assert mine == sorted(map(repr, right_rows(world, meant)))
    assert len(set(mine)) > 1 or len(mine) == 1


def test_a_boolean_column_asks_for_yes_or_no() -> None:
    tables = Catalogue((Table("players", (Column("active", Kind.BOOLEAN), Column("bio", Kind.FREE_TEXT)), key=()),))
    (call,) = check("SELECT 1 FROM players WHERE answer(bio, 'is he fit?') = active", tables).calls
    assert call.meta["ask"].type == "boolean"
    assert call.parent.sql().endswith("AS BOOLEAN)")


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("SELECT max(answer(about, 'how many seats?')) FROM venues", "number"),
        ("SELECT id FROM venues ORDER BY answer(about, 'How much is a meal?') DESC", "number"),
        ("SELECT id FROM (SELECT id, answer(about, 'how many seats?') AS n FROM venues) x ORDER BY n", "number"),
        (
            "SELECT v.id FROM venues v, venues w "
            "WHERE answer(v.about, 'how many seats?') > answer(w.about, 'how many seats?')",
            "number",
        ),
        ("SELECT answer(about, 'how many seats?') FROM venues", "text"),
        ("SELECT coalesce(answer(about, 'how many seats?'), 'unknown') AS n FROM venues ORDER BY n", "text"),
        ("SELECT max(answer(about, 'how are the seats?')) FROM venues", "text"),
    ],
)
def test_what_counts_is_put_in_order_as_numbers(query: str, kind: str) -> None:
    assert {call.meta["ask"].type for call in check(query, CATALOGUE).calls} == {kind}


async def test_what_does_not_fit_says_that_answers_are_words(
    world: psycopg.Connection[Any], connect: Callable[[], Any]
) -> None:
    with pytest.raises(TypeMismatch, match=r"write answer\(…\)::numeric"):
        await Engine(connect, CATALOGUE, PairReader()).run("SELECT make_date(answer(about, 'wait?'), 1, 1) FROM venues")


class Plain:
    """Only answers."""

    name, version = "plain", "1"

    async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
        return [AnswerReply(value="short") for _ in requests]


async def test_a_reader_may_only_answer(world: psycopg.Connection[Any], connect: Callable[[], Any]) -> None:
    fill(world, seed=3)
    engine = Engine(connect, CATALOGUE, Plain())
    result = await engine.run("SELECT summary(about) AS s FROM venues WHERE length(about) > 0")
    assert {row.values["s"] for row in result.rows} == {"short"}
    with pytest.raises(NotAllowed, match="match_values"):
        await engine.run("SELECT count(*) FROM venues v JOIN events e ON same(v.name, e.title)")
