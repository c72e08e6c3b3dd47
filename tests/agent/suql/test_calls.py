"""How many values are asked for: what the reference compiler's measurements call attainable, and no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from agent.protocols.reading import AnswerRequest
from agent.suql import Budget, Engine
from agent.suql.memo import MemoryMemo
from tests.agent.suql.world import CATALOGUE, PairReader

MATCHES = {3, 5, 6, 12, 15, 18, 20, 22, 25, 29, 33, 36, 39}  # 13 of 40 rows


@pytest.fixture
def forty(world: psycopg.Connection[Any]) -> psycopg.Connection[Any]:
    """40 rows with different texts, 13 of which answer Yes; five of them are in Aldo, the third of those is a match."""
    with world.cursor() as cursor:
        cursor.execute("TRUNCATE kb.venues, kb.events")
        for number in range(1, 41):
            yes = "Yes" if number in MATCHES else "No"
            city = "Aldo" if number in (1, 2, 3, 4, 7) else "Brea"
            about = (
                f"quiet={yes}; kids={'Yes' if number % 2 else 'No'}; wait={number}; gist=g{number}; mood={number % 3}"
            )
            row = (number, f"v{number}", f"Venue {number}", city, number / 10, about)
            cursor.execute("INSERT INTO kb.venues VALUES (%s, %s, %s, %s, %s, %s, '{}', '{}')", row)
    world.commit()
    return world


@pytest.fixture
def engine(connect: Callable[[], Any], reader: PairReader) -> Engine:
    """An engine that never asks ahead."""
    return Engine(connect, CATALOGUE, reader, patience=float("inf"))


def questions(reader: PairReader) -> list[str]:
    return [request.question if isinstance(request, AnswerRequest) else "summary" for request in reader.requests]


@pytest.mark.parametrize(
    ("sql", "calls"),
    [
        (
            "SELECT *, summary(about), answer(about, 'quiet?') FROM venues "
            "WHERE city = 'Aldo' AND answer(about, 'quiet?') = 'Yes' LIMIT 1",
            3 + 1,
        ),
        ("SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes'", 40),
        ("SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY id LIMIT 1", 3),
        ("SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY stars DESC LIMIT 1", 2),
        ("SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY id LIMIT 2 OFFSET 3", 15),
        ("SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY id LIMIT 1 OFFSET 3", 12),
        ("SELECT id, answer(about, 'quiet?') FROM venues WHERE city = 'Brea' AND answer(about, 'quiet?') = 'Yes'", 35),
        ("SELECT answer(about, 'mood?') AS m, count(*) FROM venues GROUP BY m", 40),
        ("SELECT count(*) FROM venues WHERE answer(about, 'quiet?') = 'Yes' LIMIT 1", 40),
        ("SELECT id, answer(about, 'wait?') FROM venues ORDER BY id LIMIT 3", 3),
        ("SELECT id, answer(about, 'mood?') FROM venues ORDER BY answer(about, 'wait?')::int LIMIT 3", 40 + 3),
        ("SELECT id FROM venues WHERE stars > 3.5 OR answer(about, 'quiet?') = 'Yes'", 35),
        ("SELECT id FROM venues WHERE stars > 3.5 OR answer(about, 'quiet?') = 'Yes' LIMIT 5", 0),
        ("SELECT id FROM venues WHERE stars > 3.5 OR answer(about, 'quiet?') = 'Yes' LIMIT 6", 3),
        ("SELECT id FROM venues WHERE stars > 3.5 OR answer(about, 'quiet?') = 'Yes' ORDER BY id LIMIT 1", 3),
        ("SELECT id FROM venues WHERE id < 40 AND NOT (stars < 3.6 AND answer(about, 'quiet?') = 'Yes') LIMIT 4", 0),
        ("SELECT count(*) FROM (SELECT id FROM venues WHERE id > 9 OR answer(about, 'quiet?') LIMIT 9) AS t", 0),
        ("SELECT id FROM venues v WHERE answer(about, 'quiet?') OR id IN (SELECT max(id) FROM venues) LIMIT 1", 0),
        ("SELECT id FROM venues WHERE stars > 3.5 AND answer(about, 'quiet?') = 'Yes'", 5),
        ("SELECT id FROM venues WHERE id < 0 AND answer(about, 'quiet?') = 'Yes'", 0),
        (
            "SELECT a.id, b.id FROM venues a JOIN venues b ON b.id = a.id "
            "WHERE answer(a.about, 'quiet?') = answer(b.about, 'quiet?')",
            40,
        ),
        ("SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' AND answer(about, 'quiet?') = 'No'", 40),
        ("SELECT id FROM venues LIMIT 3", 0),
        ("SELECT id, CASE WHEN city = 'Aldo' THEN answer(about, 'mood?') ELSE 'x' END AS m FROM venues", 5),
        ("SELECT id, CASE WHEN city = 'Brea' THEN 'x' ELSE answer(about, 'mood?') END AS m FROM venues", 5),
        ("SELECT id, CASE city WHEN 'Aldo' THEN answer(about, 'mood?') END AS m FROM venues", 5),
        ("SELECT id, coalesce(name, answer(about, 'mood?')) AS m FROM venues", 0),
        ("SELECT id, coalesce(answer(about, 'pool?'), answer(about, 'mood?')) AS m FROM venues WHERE id < 4", 6),
        ("SELECT id, coalesce(answer(about, 'mood?'), answer(about, 'pool?')) AS m FROM venues WHERE id < 4", 3),
        ("SELECT id FROM venues WHERE CASE WHEN id < 4 THEN answer(about, 'quiet?') = 'Yes' ELSE FALSE END", 3),
        ("SELECT DISTINCT id, name FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY id LIMIT 2", 5),
        ("SELECT DISTINCT city FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY city LIMIT 1", 3),
        ("SELECT DISTINCT city FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY city LIMIT 2", 3 + 1),
    ],
)
async def test_no_more_is_asked_than_can_change_the_result(
    forty: psycopg.Connection[Any], engine: Engine, reader: PairReader, sql: str, calls: int
) -> None:
    result = await engine.run(sql)
    assert result.complete
    assert (reader.calls, result.usage.calls) == (calls, calls)


async def test_groups_are_asked_for_side_by_side(forty: psycopg.Connection[Any], connect: Callable[[], Any]) -> None:
    batches: list[int] = []

    class Batches(PairReader):
        async def answer(self, requests: Any) -> Any:
            batches.append(len(requests))
            return await super().answer(requests)

    await Engine(connect, CATALOGUE, Batches()).run(
        "SELECT answer(about, 'mood?') AS m, count(*) FROM venues GROUP BY m"
    )
    assert batches == [8, 8, 8, 8, 8]


async def test_the_same_query_again_costs_nothing(
    forty: psycopg.Connection[Any], engine: Engine, reader: PairReader
) -> None:
    sql = "SELECT id, summary(about) FROM venues WHERE answer(about, 'quiet?') = 'Yes'"
    first = await engine.run(sql)
    again = await engine.run(sql)
    assert again.usage.calls == 0
    assert again.usage.cached == first.usage.calls == reader.calls
    assert again.rows == first.rows


async def test_other_queries_use_what_is_known(forty: psycopg.Connection[Any], connect: Callable[[], Any]) -> None:
    memo = MemoryMemo()
    await Engine(connect, CATALOGUE, PairReader(), memo=memo).run(
        "SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes'"
    )
    reader = PairReader()
    await Engine(connect, CATALOGUE, reader, memo=memo).run("SELECT count(*) FROM venues WHERE answer(about, 'quiet?')")
    assert reader.calls == 0


async def test_equal_texts_are_asked_once(world: psycopg.Connection[Any], engine: Engine, reader: PairReader) -> None:
    with world.cursor() as cursor:
        cursor.execute("TRUNCATE kb.venues, kb.events")
        for number in range(20):
            cursor.execute(
                "INSERT INTO kb.venues (id, about) VALUES (%s, %s)", (number, f"quiet=Yes; gist={number % 4}")
            )
    world.commit()
    result = await engine.run("SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes'")
    assert len(result.rows) == 20
    assert reader.calls == 4


async def test_nothing_is_asked_of_null_or_empty_texts(
    world: psycopg.Connection[Any], engine: Engine, reader: PairReader
) -> None:
    with world.cursor() as cursor:
        cursor.execute("TRUNCATE kb.venues, kb.events")
        for number, notes in enumerate((None, [], [""], [None], ["  "])):
            about = (None, "", " ", "\n", None)[number]
            cursor.execute("INSERT INTO kb.venues (id, about, notes) VALUES (%s, %s, %s)", (number, about, notes))
    world.commit()
    result = await engine.run(
        "SELECT id, answer(about, 'quiet?'), answer(notes, 'quiet?') FROM venues WHERE answer(about, 'kids?') IS NULL"
    )
    assert len(result.rows) == 5
    assert reader.calls == 0


async def test_the_condition_that_fails_more_often_is_asked_first(
    forty: psycopg.Connection[Any], engine: Engine, reader: PairReader
) -> None:
    """The first condition holds for all rows, the second for 13: once that is seen, the second is asked first."""
    await engine.run(
        "SELECT id FROM venues WHERE answer(about, 'gist?') IS NOT NULL AND answer(about, 'quiet?') = 'Yes'"
    )
    assert questions(reader).count("quiet?") == 40
    assert questions(reader).count("gist?") <= 13 + 8


async def test_of_alternatives_the_one_that_holds_more_often_is_asked_first(
    forty: psycopg.Connection[Any], engine: Engine, reader: PairReader
) -> None:
    await engine.run(
        "SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' OR answer(about, 'gist?') IS NOT NULL"
    )
    assert questions(reader).count("quiet?") <= 8


async def test_a_budget_is_kept_and_said(forty: psycopg.Connection[Any], engine: Engine, reader: PairReader) -> None:
    result = await engine.run(
        "SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY id", budget=Budget(calls=10)
    )
    assert reader.calls == 10
    assert [row.values["id"] for row in result.rows] == [3, 5, 6]
    assert not result.complete
    assert "10 calls" in result.notes[0]


async def test_a_budget_covers_every_call_site(
    forty: psycopg.Connection[Any], engine: Engine, reader: PairReader
) -> None:
    sql = (
        "WITH q AS (SELECT id, about FROM venues WHERE answer(about, 'quiet?') = 'Yes') "
        "SELECT answer(about, 'mood?') AS m, count(*) FROM q WHERE answer(about, 'kids?') = 'Yes' GROUP BY m"
    )
    result = await engine.run(sql, budget=Budget(calls=45))
    assert reader.calls == 45
    assert not result.complete
