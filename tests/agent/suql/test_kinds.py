"""What `=` means on each kind of column, run in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import psycopg
import pytest

from agent.catalogue.places import Place
from agent.protocols.errors import TypeMismatch
from agent.suql import Catalogue, Column, Engine, Geo, Kind, Table
from tests.agent.suql.world import PairReader

CATALOGUE = Catalogue(
    (
        Table(
            "shops",
            (
                Column("id", Kind.NUMBER, integer=True), Column("name", Kind.TEXT),
                Column("sells", Kind.ENUM, many=True),
                Column(
                    "price", Kind.ENUM, values=("cheap", "moderate", "dear"),
                    value_words=(("cheap", ("inexpensive",)),),
                ),
                Column("owners", Kind.TEXT, many=True), Column("city", Kind.TEXT), Column("location", Kind.LOCATION),
                Column("latitude", Kind.NUMBER), Column("longitude", Kind.NUMBER), Column("hours", Kind.OPENING_HOURS),
                Column("open_minutes", Kind.TEXT, hidden=True), Column("opened", Kind.DATE), Column("tea", Kind.TIME),
                Column("garden", Kind.BOOLEAN), Column("rating", Kind.NUMBER),
                Column("reviews", Kind.FREE_TEXT, many=True, along="about"), Column("about", Kind.FREE_TEXT),
            ),
            geo=Geo(areas=("city",)), hours="open_minutes",
        ),
    )
)  # fmt: skip

SCHEMA = """
CREATE TABLE kb.shops (
    id int, name text, sells text[], price text, owners text[], city text, location text,
    latitude float8, longitude float8, hours jsonb, open_minutes int4multirange, opened date, tea time,
    garden boolean, rating numeric, reviews text[], about text
);
INSERT INTO kb.shops VALUES
(1, 'One', '{coffee & tea,cakes}', 'cheap', '{Ann Ng}', 'Brea', 'Hill, Brea', 10.0, 20.0, '{}',
    '{[540,1020)}', '2020-01-01', '09:00', true, 4, '{lovely scones}', NULL),
(2, 'Two', '{iced coffee}', 'dear', '{Bo Ek,Cy Ng}', 'Brea', 'Dale, Brea', 10.3, 20.0, '{}',
    '{[6900,7260)}', '2022-06-01', '15:30', false, 3, '{loud music,noise=high}', 'noise=low; view=sea'),
(3, 'Three', '{books}', 'moderate', '{}', 'Cove', 'Cove', 10.01, 20.0, '{}',
    '{}', NULL, NULL, NULL, NULL, NULL, 'Books.');
GRANT SELECT ON kb.shops TO suql_test_reader;
"""

NOW = datetime(2026, 11, 20, 21, 0)  # Friday, minute 7020 of the week


class Places:
    """Two places: a city, by its area, and a tower with 3 km around it."""

    def resolve(self, words: str) -> list[Place]:
        known = {
            "brea": Place("Brea", "city", 50.0, 50.0, 0, areas=(("city", "Brea"),)),
            "tower": Place("Tower", "landmark", 10.0, 20.0, 3.0),
        }
        return [known[words.lower()]] if words.lower() in known else []

    def places(self) -> list[Place]:
        return []


@pytest.fixture(scope="module")
def shops(world: psycopg.Connection[Any]) -> None:
    world.execute(SCHEMA)
    world.commit()


@pytest.fixture
def run(shops: None, connect: Callable[[], Any], reader: PairReader) -> Callable[[str], Any]:
    engine = Engine(connect, CATALOGUE, reader, gazetteer=Places(), now=lambda: NOW)

    async def ids(where: str) -> list[int]:
        result = await engine.run(f"SELECT id FROM shops {where}")
        return [row.values["id"] for row in result.rows]

    return ids


@pytest.mark.parametrize(
    ("where", "ids"),
    [
        ("'cakes' = ANY(sells)", [1]),
        ("'Cakes' = ANY (sells)", [1]),
        ("sells = 'cakes'", [1]),
        ("sells ILIKE '%books%'", [3]),
        ("sells ILIKE '%cof%'", [1, 2]),
        ("owners = '{}'", [3]),
        ("sells @> ARRAY['cakes', 'books']", []),
        ("sells @> ARRAY['coffee & tea', 'cakes']", [1]),
        ("sells && ARRAY['cakes', 'books']", [1, 3]),
        ("sells IN ('cakes', 'books')", [1, 3]),
        ("'coffee' = ANY(sells)", [1, 2]),
        ("NOT 'coffee' = ANY(sells)", [3]),
        ("'coffee' <> ALL (sells)", [3]),
        ("'klingon' = ANY(sells)", []),
        ("price = 'inexpensive'", [1]),
        ("price <> 'cheap'", [2, 3]),
        ("price <= 'moderate'", [1, 3]),
        ("price > 'cheap'", [2, 3]),
        ("price NOT IN ('cheap', 'dear')", [3]),
        ("location = 'Brea'", [1, 2]),
        ("location ILIKE '%brea%'", [1, 2]),
        ("location = 'Tower'", [1, 3]),
        ("location IN ('Tower', 'Brea')", [1, 2, 3]),
        ("NOT location = 'Brea'", [3]),
        ("location = 'Dale'", [2]),
        ("location = 'within 1 km of Tower'", [1]),
        ("location = 'within 2 miles of Tower'", [1, 3]),
        ("location = 'within 30 kilometres of tower'", [1, 3]),
        ("location = 'within 40 km of Tower'", [1, 2, 3]),
        ("hours = 'open now'", [2]),
        ("hours = 'Monday 10:00'", [1]),
        ("NOT hours = 'Monday 10:00'", [2, 3]),
        ("owners ILIKE '%ng%'", [1, 2]),
        ("'Bo Ek' = ANY(owners)", [2]),
        ("owners = 'Bo Ek'", [2]),
        ("opened > 'March 2021'", [2]),
        ("opened = '2020-01-01'", [1]),
        ("tea < 'noon'", [1]),
        ("tea >= '3pm'", [2]),
        ("garden = 'yes'", [1]),
        ("garden", [1]),
        ("NOT garden", [2]),
        ("rating >= '4'", [1]),
        ("rating = 'four'", [1]),
        ("reviews ILIKE '%scone%'", [1]),
        ("matches(reviews, 'scone')", [1]),
    ],
)
async def test_equals(run: Callable[[str], Any], where: str, ids: list[int]) -> None:
    assert await run(f"WHERE {where} ORDER BY id") == ids


async def test_an_ordered_vocabulary_sorts_by_its_order(run: Callable[[str], Any]) -> None:
    assert await run("ORDER BY price") == [1, 3, 2]
    assert await run("ORDER BY price DESC") == [2, 3, 1]


@pytest.mark.parametrize(
    ("where", "ids"),
    [
        ("price > (SELECT price FROM shops WHERE name = 'Three')", [2]),
        ("price < (SELECT price FROM shops WHERE name = 'Two')", [1, 3]),
        ("(SELECT price FROM shops WHERE name = 'Two') > price", [1, 3]),
        ("price >= ALL (SELECT price FROM shops)", [2]),
        ("price < ANY (SELECT price FROM shops)", [1, 3]),
        ("price = (SELECT MAX(price) FROM shops)", [2]),
        ("price < (SELECT MAX(price) FROM shops)", [1, 3]),
        ("EXISTS (SELECT 1 FROM shops AS other WHERE other.price < shops.price AND other.id = 3)", [2]),
    ],
)
async def test_an_ordered_vocabulary_is_compared_by_its_order(
    run: Callable[[str], Any], where: str, ids: list[int]
) -> None:
    assert await run(f"WHERE {where} ORDER BY id") == ids


async def test_the_highest_of_an_ordered_vocabulary_is_its_last(
    shops: None, connect: Callable[[], Any], reader: PairReader
) -> None:
    engine = Engine(connect, CATALOGUE, reader, gazetteer=Places())
    result = await engine.run("SELECT MAX(price) AS top, MIN(price) AS bottom FROM shops")
    assert [row.values for row in result.rows] == [{"top": "dear", "bottom": "cheap"}]
    found = await engine.run("SELECT city FROM shops GROUP BY city HAVING MAX(price) > 'moderate'")
    assert [row.values["city"] for row in found.rows] == ["Brea"]


async def test_what_is_read_along_with_a_list_speaks_where_the_list_is_silent(
    run: Callable[[str], Any], reader: PairReader
) -> None:
    assert await run("WHERE answer(reviews, 'view') = 'sea'") == [2]
    assert await run("WHERE answer(reviews, 'noise') = 'high'") == [2]
    assert reader.calls == 2 * 3  # no more than one for each row and question
    assert await run("WHERE answer(about, 'view') = 'sea'") == [2]


async def test_grouped_texts_are_read_alone(run: Callable[[str], Any], connect: Callable[[], Any]) -> None:
    engine = Engine(connect, CATALOGUE, PairReader())
    result = await engine.run("SELECT answer(reviews, 'view') AS view FROM shops GROUP BY reviews")
    assert {row.values["view"] for row in result.rows} == {None}


async def test_similar_ranks_by_the_words(run: Callable[[str], Any]) -> None:
    assert (await run("ORDER BY similar(reviews, 'music') DESC LIMIT 1")) == [2]


async def test_exact_words_cost_no_call(run: Callable[[str], Any], reader: PairReader) -> None:
    await run("WHERE 'CAKES' = ANY(sells) AND price = 'inexpensive'")
    assert reader.matches == []
    await run("WHERE 'coffee' = ANY(sells)")
    await run("WHERE 'Coffee' = ANY(sells) AND id > 0")
    assert len(reader.matches) == 1


async def test_what_nothing_matches_is_said(shops: None, connect: Callable[[], Any], reader: PairReader) -> None:
    engine = Engine(connect, CATALOGUE, reader, gazetteer=Places())
    result = await engine.run("SELECT id FROM shops WHERE 'klingon' = ANY(sells) OR location = 'Atlantis'")
    assert result.rows == ()
    assert any("klingon" in note for note in result.notes)
    assert any("Atlantis" in note for note in result.notes)


@pytest.mark.parametrize(
    "where",
    ["rating > 'many'", "hours = 'blue'", "reviews = 'nice'", "sells < 'cakes'", "garden = 'perhaps'", "tea = 'soon'"],
)
async def test_comparisons_that_mean_nothing_are_errors(run: Callable[[str], Any], where: str) -> None:
    with pytest.raises(TypeMismatch):
        await run(f"WHERE {where}")


async def test_an_exact_value_does_not_hide_its_kin(
    world: psycopg.Connection[Any], shops: None, connect: Callable[[], Any], reader: PairReader
) -> None:
    """ "coffee" is a value by itself, and "iced coffee" and "coffee & tea" still are coffee."""
    world.execute("INSERT INTO kb.shops (id, name, sells) VALUES (4, 'Four', '{Coffee}')")
    world.commit()
    try:
        engine = Engine(connect, CATALOGUE, reader)
        found = await engine.run("SELECT id FROM shops WHERE 'coffee' = ANY(sells) ORDER BY id")
        assert [row.values["id"] for row in found.rows] == [1, 2, 4]
        others = await engine.run("SELECT id FROM shops WHERE NOT 'coffee' = ANY(sells) ORDER BY id")
        assert [row.values["id"] for row in others.rows] == [3]
        (asked,) = reader.matches
        assert set(asked.values) == {"coffee & tea", "iced coffee"}  # no more of the vocabulary than may be kin
        assert (asked.known, asked.many) == (("Coffee",), True)  # the reader is told that the word is a value itself
    finally:
        world.execute("DELETE FROM kb.shops WHERE id = 4")
        world.commit()
