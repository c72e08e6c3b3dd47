"""What could grow without bounds is refused in words, before it is run or at the bound; what is bounded is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from agent.protocols.errors import AgentError, NotAllowed, ResultTooLarge, TooExpensive
from agent.suql import Budget, Engine
from tests.agent.suql.oracle import right_rows
from tests.agent.suql.world import CATALOGUE, PairReader, fill

pytestmark = pytest.mark.usefixtures("filled")


@pytest.fixture
def filled(world: psycopg.Connection[Any]) -> None:
    fill(world, seed=9, venues=60, events=40)


@pytest.mark.parametrize(
    ("sql", "error"),
    [
        ("SELECT array_agg(a.about) FROM venues a, venues b, venues c, venues d", TooExpensive),
        ("SELECT length(string_agg(a.about, ', ')) FROM venues a, venues b, venues c, venues d", TooExpensive),
        ("SELECT ARRAY(SELECT a.about FROM venues a, venues b, venues c, venues d)", TooExpensive),
        ("SELECT array_agg(a.id) OVER (ORDER BY a.id, b.id) FROM venues a, venues b, venues c", TooExpensive),
        ("SELECT string_agg(a.name, (SELECT string_agg(about, '') FROM venues)) FROM venues a, venues b", TooExpensive),
        ("WITH RECURSIVE r AS (SELECT 'x' AS t UNION ALL SELECT t || t FROM r) SELECT max(t) FROM r", ResultTooLarge),
        ("WITH RECURSIVE r AS (SELECT 'x' AS t UNION SELECT t || t FROM r) SELECT max(t) FROM r", ResultTooLarge),
        ("WITH RECURSIVE r AS (SELECT 1 AS n UNION SELECT n + 1 FROM r) SELECT count(*) FROM r", ResultTooLarge),
        ("SELECT replace(about, 'e', about) FROM venues", NotAllowed),
        ("SELECT array_to_string(notes, about) FROM venues", NotAllowed),
        ("SELECT id FROM venues WHERE stars > " + "7" * 4_300, NotAllowed),
        ("SELECT id FROM venues WHERE stars > \udcff", NotAllowed),
        ("SELECT count(*) FROM " + ", ".join(f"venues v{number}" for number in range(12)), TooExpensive),
    ],
)  # fmt: skip
async def test_what_grows_without_bounds_is_refused(
    sql: str, error: type[AgentError], connect: Callable[[], Any]
) -> None:
    with pytest.raises(error):
        await Engine(connect, CATALOGUE, PairReader(), budget=Budget(seconds=None)).run(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT city, array_agg(name ORDER BY id) FROM venues GROUP BY city ORDER BY city",
        "SELECT string_agg(about, '; ' ORDER BY id) FROM venues",
        "SELECT ARRAY(SELECT id FROM venues ORDER BY id)",
        "SELECT replace(about, '=', ' is ') FROM venues ORDER BY id",
        "SELECT array_to_string(notes, ', ') FROM venues ORDER BY id",
        "SELECT id, stars ^ 2 FROM venues ORDER BY id",
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 500) SELECT sum(n) FROM r",
        "WITH RECURSIVE r(a, b) AS (SELECT id, name FROM venues WHERE id = 1 UNION SELECT v.id, v.name FROM r "
        "JOIN venues v ON v.id = r.a + 1) SELECT a, b FROM r ORDER BY a",
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT n FROM r LIMIT 5",
    ],
)  # fmt: skip
async def test_what_is_bounded_gives_the_rows_postgresql_gives(
    sql: str, world: psycopg.Connection[Any], connect: Callable[[], Any]
) -> None:
    result = await Engine(connect, CATALOGUE, PairReader()).run(sql)
    assert [tuple(row.values.values()) for row in result.rows] == right_rows(world, sql)
    assert result.complete
