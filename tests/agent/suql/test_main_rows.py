"""How many rows of one table are found where conditions are on rows of another; what comes first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from agent.catalogue.values import ValueMemory
from agent.suql import Catalogue, Engine
from agent.understanding.compose import compose
from agent.understanding.roles import LIMIT, Literal, Roles
from agent.understanding.schema import read_schema
from tests.agent.suql.world import CATALOGUE, PairReader

VENUES = ((1, "Alder", 3), (2, "Birch", 4), (3, "Cedar", 5), (4, "Dogwood", None))
EVENTS = ((1, 1, "jazz", 10), (2, 1, "folk", 30), (3, 2, "folk", 20), (4, 2, "opera", 25), (5, 3, "jazz", 15))


@pytest.fixture(autouse=True)
def rows(world: psycopg.Connection[Any]) -> None:
    with world.cursor() as cursor:
        cursor.execute("TRUNCATE kb.venues, kb.events")
        cursor.executemany("INSERT INTO kb.venues (id, slug, name, stars) VALUES (%s, %s, %s, %s)",
                           [(key, name.lower(), name, stars) for key, name, stars in VENUES])  # fmt: skip
        cursor.executemany("INSERT INTO kb.events (id, venue_id, title, price) VALUES (%s, %s, %s, %s)", EVENTS)
    world.commit()


async def names(engine: Engine, message: str, **parts: Any) -> list[str]:
    """The names of the venues with an event that costs more than 5, as the catalogue's parser asks for them."""
    tables = tuple(table.name for table in CATALOGUE)
    schema = read_schema(CATALOGUE.only(*tables[:2]), ValueMemory({}))
    name, price = (
        next(at for at, one in enumerate(schema.fields) if one.column.name == column) for column in ("name", "price")
    )
    said = [Literal("5", price, ">", False, message.index("5"), message.index("5") + 1)]
    said += [Literal("3", LIMIT, "=", False, 0, 1)]
    roles = Roles(select=[(name, "")], where=[(price, ">")], literals=said, tables=({0, 1}, set()), limit=2, **parts)
    return [row.values["name"] for row in (await engine.run(compose(roles, schema, message, 2026).sql)).rows]


async def test_limit_counts_main_rows(engine: Engine) -> None:
    assert sorted(await names(engine, "3 venues with an event above 5")) == ["Alder", "Birch", "Cedar"]


@pytest.mark.parametrize(
    ("order", "found"),
    [
        ("stars DESC", ["Cedar", "Birch", "Alder", "Dogwood"]),
        ("stars", ["Alder", "Birch", "Cedar", "Dogwood"]),
        ("stars DESC NULLS FIRST", ["Dogwood", "Cedar", "Birch", "Alder"]),
        ("stars DESC NULLS LAST", ["Cedar", "Birch", "Alder", "Dogwood"]),
    ],
)
async def test_what_is_not_known_comes_last(engine: Engine, order: str, found: list[str]) -> None:
    result = await engine.run(f"SELECT name FROM venues ORDER BY {order}")
    assert [row.values["name"] for row in result.rows] == found


async def test_the_best_is_one_that_is_rated(engine: Engine) -> None:
    result = await engine.run("SELECT name FROM venues ORDER BY stars DESC LIMIT 1")
    assert result.rows[0].values["name"] == "Cedar"
    ranked = await engine.run(
        "SELECT name, rank() OVER (ORDER BY stars DESC) AS place FROM venues ORDER BY place LIMIT 1"
    )
    assert ranked.rows[0].values["name"] == "Cedar"


async def test_the_tables_own_order_puts_what_is_not_known_last(connect: Callable[[], Any], reader: PairReader) -> None:
    venues = replace(CATALOGUE.tables[0], order="stars DESC")
    engine = Engine(connect, Catalogue((venues,)), reader)
    assert (await engine.run("SELECT name FROM venues")).rows[-1].values["name"] == "Dogwood"
