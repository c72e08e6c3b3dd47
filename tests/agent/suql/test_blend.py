"""BlendSQL's syntax means what its counterpart in SUQL means: the same rows for the same model calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from agent.protocols.errors import NotAllowed, QueryError, SyntaxProblem, TypeMismatch, UnknownName
from agent.suql import Catalogue, Column, Engine, Kind, Table, check
from agent.suql.blend import translate
from tests.agent.suql.world import CATALOGUE, PairReader, fill

PAIRS = [
    tuple(pair.strip().split("\n=> "))
    for pair in Path("tests/fixtures/suql/blend.txt").read_text().split("\n\n")
    if pair.strip()
]


@pytest.mark.parametrize(("blend", "suql"), PAIRS)
async def test_both_ways_of_writing_give_the_same(
    blend: str, suql: str, world: psycopg.Connection[Any], connect: Callable[[], Any]
) -> None:
    fill(world, seed=3)
    outcomes = []
    for sql in (translate(blend, CATALOGUE), suql):
        reader = PairReader()
        result = await Engine(connect, CATALOGUE, reader).run(sql)
        asked = Counter(request.model_dump_json() for request in reader.requests)
        outcomes.append((result.columns, [dict(row.values) for row in result.rows], asked))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize(
    ("query", "kind", "words"),
    [
        ("SELECT {{LLMMap('q?', 'venues::about')} FROM venues", SyntaxProblem, "without its }}"),
        ("SELECT LLMMap('q?', 'venues::about')}} FROM venues", SyntaxProblem, "without its {{"),
        ("SELECT {{LLMMap('q?', 'venues::about'}}) FROM venues", SyntaxProblem, "do not match"),
        ("SELECT {{ 1 + 1 }} FROM venues", SyntaxProblem, "comes an ingredient"),
        ("SELECT {{LLMRank('q?', 'venues::about')}} FROM venues", UnknownName, "LLMMap, LLMQA"),
        ("SELECT {{LLMMap('q?')}} FROM venues", TypeMismatch, "'table::column'"),
        ("SELECT {{LLMMap('q?', 'about')}} FROM venues", TypeMismatch, "is not 'table::column'"),
        ("SELECT {{LLMMap('q?', 'venus::about')}} FROM venues", UnknownName, "not in the FROM"),
        ("SELECT {{LLMMap('q?', 'venues::abuot')}} FROM venues", UnknownName, "Did you mean about?"),
        ("SELECT {{LLMMap('q?', 'venues::about', limit=3)}} FROM venues", TypeMismatch, "no argument limit"),
        ("SELECT {{LLMMap('q?', (SELECT 1))}} FROM venues", TypeMismatch, "LLMQA"),
        ("SELECT {{LLMMap('q?', 'v::about')}} FROM venues v, venues v", TypeMismatch, "twice"),
        ("{{LLMQA('who?')}}", TypeMismatch, "answers from rows"),
        ("SELECT id FROM venues WHERE id IN {{LLMQA('who?', (SELECT 1))}}", TypeMismatch, "one value"),
        ("SELECT id FROM venues JOIN {{LLMJoin(left_on='venues::name')}}", TypeMismatch, "right_on is missing"),
        ("SELECT id FROM venues WHERE about MATCH '' || name", TypeMismatch, "words in quotes"),
        ("SELECT id FROM venues WHERE about MATCH 'title:x'", NotAllowed, "without brackets"),
        ("SELECT name COLLATE RTRIM FROM venues", NotAllowed, "NOCASE"),
        ("SELECT printf('%5d', id) FROM venues", NotAllowed, "padded with zeros only"),
        ("SELECT printf('%x', id) FROM venues", NotAllowed, "can be used"),
        ("SELECT printf('%d %d', id) FROM venues", TypeMismatch, "fewer values"),
        ("SELECT printf(name, id) FROM venues", TypeMismatch, "single quotes"),
        ("SELECT date('now', 'weekday 0')", NotAllowed, "'+7 days'"),
        ("SELECT strftime('%W', 'now')", NotAllowed, "%w or %s alone"),
        ("DROP TABLE venues", NotAllowed, "exactly one SELECT"),
        ("SELECT 1; DROP TABLE venues", NotAllowed, "several statements"),
        ('SELECT "nmae" FROM venues', UnknownName, "Did you mean name?"),
        ("SELECT load_extension('x')", UnknownName, "no function"),
        ("SELECT * FROM sqlite_master", UnknownName, "no table"),
    ],
)
def test_what_has_no_counterpart_is_said(query: str, kind: type[QueryError], words: str) -> None:
    with pytest.raises(kind) as refusal:
        check(translate(query, CATALOGUE), CATALOGUE)
    assert words in refusal.value.sentence


async def test_options_may_be_the_values_of_a_column(
    world: psycopg.Connection[Any], connect: Callable[[], Any]
) -> None:
    """The paper's footnote 4: what is given is an existing value of the column."""
    fill(world, seed=3)
    reader = PairReader()
    sql = translate("SELECT {{LLMMap('mood?', 'venues::about', options='venues::city')}} AS c FROM venues", CATALOGUE)
    await Engine(connect, CATALOGUE, reader).run(sql)
    assert {request.options for request in reader.requests} == {("Aldo", "Brea", "Cove")}


async def test_an_answer_is_told_what_it_is_compared_with(
    world: psycopg.Connection[Any], connect: Callable[[], Any]
) -> None:
    """The paper's appendix A.1: an example output, taken from the predicate."""
    reader = PairReader()
    sql = translate("SELECT id FROM venues WHERE {{LLMMap('mood?', 'venues::about')}} = 'calm'", CATALOGUE)
    await Engine(connect, CATALOGUE, reader).run(sql)
    assert {request.example for request in reader.requests} == {"calm"}


def test_a_column_of_truth_values_may_be_compared_with_one() -> None:
    tables = Catalogue((Table("members", (Column("id", Kind.NUMBER), Column("active", Kind.BOOLEAN))),))
    assert translate("SELECT id FROM members m WHERE m.active = 1 AND id = 1", tables).endswith(
        "m.active = TRUE AND id = 1"
    )


def test_dates_may_be_read_as_texts_and_reckoned_with() -> None:
    tables = Catalogue((Table("talks", (Column("id", Kind.NUMBER), Column("day", Kind.DATE), Column("t", Kind.TEXT))),))
    written = translate("SELECT substr(day, 1, 4) FROM talks WHERE day LIKE '2023%' AND t LIKE '2%'", tables)
    assert "CAST(day AS TEXT) FROM 1" in written
    assert "CAST(day AS TEXT) ILIKE '2023%' AND t ILIKE" in written
    assert "CAST(TO_CHAR(" not in translate("SELECT strftime('%Y', day) FROM talks", tables)
    assert "COALESCE(CAST(day AS TEXT), 'never')" in translate("SELECT IFNULL(day, 'never') FROM talks", tables)
    assert "COALESCE(day, '2024-01-31')" in translate("SELECT IFNULL(day, '2024-01-31') FROM talks", tables)


def test_truth_values_are_numbers_beside_numbers() -> None:
    tables = Catalogue((Table("members", (Column("id", Kind.NUMBER), Column("active", Kind.BOOLEAN))),))
    for blend, suql in (
        ("active IN (1)", "active IN (TRUE)"),
        ("IFNULL(active, 0) = 0", "COALESCE(active, FALSE) = FALSE"),
        ("CASE active WHEN 1 THEN id ELSE 0 END", "CASE active WHEN TRUE THEN id ELSE 0 END"),
        ("active + 1", "CAST(active AS INT) + 1"),
        ("-active + (id > 1)", "-CAST(active AS INT) + CAST((id > 1) AS INT)"),
        ("MAX(active)", "MAX(CAST(active AS INT))"),
        ("active IS NOT 1", "active IS DISTINCT FROM TRUE"),
    ):
        assert translate(f"SELECT {blend} FROM members", tables) == f"SELECT {suql} FROM members"


def test_what_is_grouped_by_or_counted_is_left_as_it_is() -> None:
    for query in (
        "SELECT city, COUNT(*) FROM venues v GROUP BY v.city ORDER BY city",
        "SELECT UPPER(name) AS u, MAX(stars) FROM venues GROUP BY u HAVING u > 'A'",
        "SELECT name FROM venues GROUP BY 1 ORDER BY COUNT(id)",
        "SELECT tags, COUNT(*) FROM venues GROUP BY city",
        "SELECT name, COUNT(*) OVER (ORDER BY id) FROM venues",
    ):
        assert "ARRAY_AGG" not in translate(query, CATALOGUE)
