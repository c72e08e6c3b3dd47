"""Names mean what they mean in PostgreSQL: columns that joins share, stars, names of outputs, tables without a key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.protocols.errors import NotAllowed, UnknownName
from agent.suql import Engine
from agent.suql.check import check
from tests.agent.suql.conftest import ROLE
from tests.agent.suql.world import PairReader

TABLES = Catalogue(
    (
        Table(
            "squad",
            (Column("shirt", Kind.NUMBER), Column("Player Id", Kind.NUMBER), Column("bio", Kind.FREE_TEXT)),
            key=(),
        ),
        Table(
            "game",
            (Column("Player Id", Kind.NUMBER), Column("goals", Kind.NUMBER), Column("shirt", Kind.NUMBER)),
            key=(),
        ),
        Table("log", (Column("level", Kind.TEXT), Column("line", Kind.FREE_TEXT)), key=()),
    ),
    schema="sport",
)
DATA = """
CREATE SCHEMA sport;
CREATE TABLE sport.squad (shirt int, "Player Id" int, bio text);
CREATE TABLE sport.game ("Player Id" int, goals int, shirt int);
CREATE TABLE sport.log (level text, line text);
INSERT INTO sport.squad VALUES (9, 1, 'fit=Yes'), (7, 2, 'fit=No'), (3, 3, 'fit=Yes');
INSERT INTO sport.game VALUES (1, 4, 9), (2, 0, 8), (5, 6, 5);
INSERT INTO sport.log VALUES ('warn', 'bad=Yes'), ('info', 'bad=No'), ('warn', 'bad=Yes'), ('info', 'bad=Yes');
"""


@pytest.fixture(scope="module")
def sport(world: psycopg.Connection[Any]) -> Iterator[psycopg.Connection[Any]]:
    world.execute(DATA)
    world.execute(f"GRANT USAGE ON SCHEMA sport TO {ROLE}; GRANT SELECT ON ALL TABLES IN SCHEMA sport TO {ROLE}")
    world.commit()
    yield world
    world.execute("DROP SCHEMA sport CASCADE")
    world.commit()


@pytest.mark.parametrize("side", ["", "LEFT", "RIGHT", "FULL"])
@pytest.mark.parametrize(
    "query",
    [
        'SELECT * FROM squad {} JOIN game USING ("Player Id")',
        "SELECT * FROM game NATURAL {} JOIN squad",
        'SELECT "Player Id", goals FROM squad {} JOIN game USING ("Player Id")',
        'SELECT "Player Id" + 1 AS p FROM squad s {} JOIN game g USING ("Player Id") WHERE "Player Id" > 1',
        'SELECT * FROM squad {} JOIN game g USING (shirt) {} JOIN (SELECT 9 AS nine) x ON x.nine = shirt',
        'SELECT max("Player Id") FROM squad {} JOIN game USING ("Player Id") GROUP BY "Player Id" > 2',
        'SELECT s."Player Id", g."Player Id" AS o FROM squad s {} JOIN game g USING ("Player Id")',
        'SELECT (SELECT count(*) FROM log WHERE length(line) < shirt) AS n FROM squad {} JOIN game USING (shirt)',
    ],
)  # fmt: skip
async def test_shared_columns_are_those_of_postgresql(
    sport: psycopg.Connection[Any], connect: Callable[[], Any], query: str, side: str
) -> None:
    sql = query.replace("{}", side)
    result = await Engine(connect, TABLES, PairReader()).run(sql)
    right = sport.execute(f"SET LOCAL search_path TO sport; {sql}".encode())
    while right.nextset():
        pass
    rows = right.fetchall()
    assert sorted(repr(tuple(map(_plain, row.values.values()))) for row in result.rows) == sorted(map(repr, rows))
    sport.rollback()


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, float) else value


async def test_a_table_needs_no_key(sport: psycopg.Connection[Any], connect: Callable[[], Any]) -> None:
    engine = Engine(connect, TABLES, PairReader())
    bad = await engine.run("SELECT level FROM log WHERE answer(line, 'bad?') = 'Yes'")
    assert sorted(row.values["level"] for row in bad.rows) == ["info", "warn", "warn"]
    counted = await engine.run("SELECT level, count(*) AS n FROM log WHERE answer(line, 'bad?') = 'Yes' GROUP BY 1")
    assert {row.values["level"]: row.values["n"] for row in counted.rows} == {"info": 1, "warn": 2}
    first = await engine.run("SELECT * FROM log WHERE answer(line, 'bad?') = 'Yes' LIMIT 2")
    assert len(first.rows) == 2


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("SELECT level, answer(line, 'bad?') AS b, count(*) FROM log GROUP BY ROLLUP (level, b)", 6),
        ("SELECT level, count(*) AS n FROM log GROUP BY level HAVING n > 1 ORDER BY level", 2),
        ("SELECT answer(line, 'bad?') AS b FROM log WHERE b = 'yes'", 3),
        ("SELECT p, i FROM squad, unnest(string_to_array(bio, '=')) WITH ORDINALITY AS u(p, i) WHERE i = 2", 3),
        ("SELECT ordinality FROM squad CROSS JOIN LATERAL unnest(string_to_array(bio, '=')) WITH ORDINALITY AS p", 6),
    ],
)
async def test_names_of_outputs_and_ordinality(
    sport: psycopg.Connection[Any], connect: Callable[[], Any], query: str, rows: int
) -> None:
    assert len((await Engine(connect, TABLES, PairReader()).run(query)).rows) == rows


async def test_outputs_are_named_as_postgresql_names_them(
    sport: psycopg.Connection[Any], connect: Callable[[], Any]
) -> None:
    result = await Engine(connect, TABLES, PairReader()).run("SELECT ARRAY[1], variance(goals) FROM game")
    assert list(result.columns) == ["array", "variance"]


def test_a_name_of_an_outer_query_goes_before_that_of_an_output() -> None:
    tree = check("SELECT (SELECT max(goals) AS shirt FROM game g WHERE shirt > 1) AS m FROM squad", TABLES).tree
    assert '"g"."shirt" > 1' in tree.sql(dialect="postgres")
    with pytest.raises(UnknownName):
        check("SELECT level AS l FROM log WHERE m = 1", TABLES)


@pytest.mark.parametrize("clause", ["GROUP BY {}", "ORDER BY {}", "WHERE concat({}) = 'x'", "GROUP BY ROLLUP ({})"])
def test_a_long_expression_is_not_written_out_a_thousand_times(clause: str) -> None:
    long = f"concat({', '.join(['level'] * 600)})"
    with pytest.raises(NotAllowed, match="subquery"):
        check(f"SELECT {long} AS b FROM log {clause.format(', '.join(['b'] * 600))}", TABLES)
