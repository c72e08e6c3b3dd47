"""ENUM columns that are of enum types in PostgreSQL, not texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from agent.suql import Catalogue, Column, Engine, Kind, Table
from tests.agent.suql.conftest import ROLE
from tests.agent.suql.world import PairReader

SHOPS = Catalogue(
    (
        Table(
            "shops",
            (
                Column("id", Kind.NUMBER, integer=True),
                Column("name", Kind.TEXT),
                Column("size", Kind.ENUM, values=("small", "medium", "large")),
                Column("goods", Kind.ENUM, many=True),
                Column("about", Kind.FREE_TEXT),
            ),
            entity="name",
            title="name",
        ),
    )
)


@pytest.fixture
def shops(world: psycopg.Connection[Any], connect: Callable[[], Any], reader: PairReader) -> Engine:
    world.execute(
        "DROP TABLE IF EXISTS kb.shops; DROP TYPE IF EXISTS extent; DROP TYPE IF EXISTS goods;"
        "CREATE TYPE extent AS ENUM ('small', 'medium', 'large');"
        "CREATE TYPE goods AS ENUM ('fruit', 'red wine', 'white wine');"
        "CREATE TABLE kb.shops (id int, name text, size extent, goods goods[], about text);"
        "INSERT INTO kb.shops VALUES (1, 'Ash', 'small', '{fruit}', 'quiet=Yes'),"
        "(2, 'Box', 'large', '{fruit,red wine}', 'quiet=No'), (3, 'Cob', 'medium', '{white wine}', 'quiet=Yes');"
        f"GRANT SELECT ON kb.shops TO {ROLE}"
    )
    world.commit()
    return Engine(connect, SHOPS, reader)


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("size = 'small'", [1]),
        ("size <> 'small'", [2, 3]),
        ("size IN ('small', 'large')", [1, 2]),
        ("size >= 'medium'", [2, 3]),
        ("'fruit' = ANY(goods)", [1, 2]),
        ("NOT 'fruit' = ANY(goods)", [3]),
        ("'wine' = ANY(goods)", [2, 3]),
        ("goods && ARRAY['white wine']", [3]),
        ("goods @> ARRAY['fruit', 'red wine']", [2]),
        ("goods <@ ARRAY['fruit']", [1]),
        ("goods = ARRAY['fruit']", [1]),
        ("size ILIKE '%ma%'", [1]),
        ("lower(size) = 'large'", [2]),
        ("coalesce(size, 'none') = 'large'", [2]),
        ("size = (SELECT max(size) FROM shops)", [2]),
        ("EXISTS (SELECT 1 FROM unnest(goods) AS one WHERE one = 'fruit')", [1, 2]),
        ("size || '!' = 'small!'", [1]),
        ("size = 'small' AND answer(about, 'quiet?') = 'Yes'", [1]),
        ("size = 'gigantic'", []),
    ],
)
async def test_an_enum_type_compares_as_its_texts(shops: Engine, where: str, found: list[int]) -> None:
    result = await shops.run(f"SELECT id FROM shops WHERE {where} ORDER BY id")
    assert [row.values["id"] for row in result.rows] == found


async def test_an_enum_type_is_shown_grouped_and_ordered_as_its_texts(shops: Engine) -> None:
    (row,) = (await shops.run("SELECT * FROM shops WHERE id = 2")).rows
    assert row.values["size"] == "large"
    assert row.values["goods"] == ["fruit", "red wine"]
    ordered = await shops.run("SELECT name FROM shops ORDER BY size DESC")
    assert [row.values["name"] for row in ordered.rows] == ["Box", "Cob", "Ash"]
    counted = await shops.run(
        "SELECT good, count(*) AS n FROM shops, unnest(goods) AS good GROUP BY good ORDER BY good"
    )
    assert dict(counted.rows[0].values) == {"good": "fruit", "n": 2}
    listed = await shops.run("SELECT DISTINCT size FROM shops ORDER BY size")
    assert len(listed.rows) == 3
