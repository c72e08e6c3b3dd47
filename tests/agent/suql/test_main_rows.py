"""What a question means by rows of one table when its conditions are on rows of another; what comes first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from agent.parsing.frame import Condition, Either, Frame, Order
from agent.parsing.generate import to_suql
from agent.suql import Catalogue, Engine
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


def event(column: str, *values: object, op: str = "=", negated: bool = False) -> Condition:
    return Condition.model_validate(
        {"table": "events", "column": column, "op": op, "values": values, "negated": negated}
    )


async def names(engine: Engine, frame: Frame) -> list[str]:
    return [row.values["name"] for row in (await engine.run(to_suql(frame, CATALOGUE))).rows]


async def test_what_is_denied_of_another_table_is_denied_of_all_its_rows(engine: Engine) -> None:
    without_folk = Frame(tables=("venues",), where=(event("title", "folk", negated=True),))
    assert sorted(await names(engine, without_folk)) == ["Cedar", "Dogwood"]
    several = Either(parts=(event("title", "jazz"), event("title", "opera")), negated=True)
    assert await names(engine, Frame(tables=("venues",), where=(several,))) == ["Dogwood"]


async def test_what_is_denied_beside_a_condition_is_denied_of_the_row_that_meets_it(engine: Engine) -> None:
    """ "An evening below 28 that is no folk" is one evening."""
    frame = Frame(tables=("venues",), where=(event("price", 28, op="<"), event("title", "folk", negated=True)))
    assert sorted(await names(engine, frame)) == ["Alder", "Birch", "Cedar"]


async def test_limit_counts_main_rows(engine: Engine) -> None:
    some = Frame(tables=("venues",), where=(event("price", 5, op=">"),), limit=3)
    assert sorted(await names(engine, some)) == ["Alder", "Birch", "Cedar"]


@pytest.mark.parametrize(("down", "order"), [(True, ["Alder", "Birch", "Cedar"]), (False, ["Alder", "Cedar", "Birch"])])
async def test_limit_counts_main_rows_in_the_order_of_another_table(
    engine: Engine, down: bool, order: list[str]
) -> None:
    by = (Order(table="events", column="price", descending=down),)
    frame = Frame(tables=("venues",), where=(event("price", 5, op=">"),), order=by, limit=3)
    assert await names(engine, frame) == order


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
