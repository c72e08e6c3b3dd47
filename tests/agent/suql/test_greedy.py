"""Queries that ask for more than anybody has end in time, and within their memory, whatever they ask for.

By default five of each family are run, drawn with a seed; FULL_SWEEP=1 runs all, which takes two minutes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from agent.protocols.errors import AgentError
from agent.suql import Budget, Engine
from tests.agent.suql.greedy import families, watched
from tests.agent.suql.hardening import hardened, hardened_url
from tests.agent.suql.world import CATALOGUE, PairReader, fill
from tests.drawn import drawn

__all__ = ["hardened", "hardened_url"]  # fixtures

GREEDY = list(families())
RUN = drawn(GREEDY, 5, kind=lambda query: query[0])
SECONDS = 1.5  # of the budget
BESIDE = 2.0  # seconds that reading a very long query may take the engine itself on a busy machine
MOST = 300 * 2**20  # bytes, of the server's process and this one together


@pytest.fixture(scope="module")
def many(world: psycopg.Connection[Any]) -> None:
    fill(world, seed=3, venues=60, events=60)
    world.execute("ANALYZE kb.venues, kb.events")
    world.commit()


def test_there_are_many_of_them() -> None:
    assert len(GREEDY) >= 142
    assert len({sql for _, sql in GREEDY}) == len(GREEDY)
    assert all(len(sql) < 20_000 or "digits" for _, sql in GREEDY)


@pytest.mark.parametrize(("family", "sql"), RUN, ids=[f"{GREEDY.index(query)}-{query[0]}" for query in RUN])
async def test_greedy_queries_end_within_their_budget(
    family: str, sql: str, many: None, hardened: Callable[[], Any]
) -> None:
    backends: list[int] = []

    async def connect() -> psycopg.AsyncConnection[Any]:
        connection = await hardened()
        backends.append(connection.info.backend_pid)
        return connection

    engine = Engine(connect, CATALOGUE, PairReader(), budget=Budget(calls=50, seconds=SECONDS, rows=100))
    with watched(backends) as taken:
        try:
            outcome = str((await engine.run(sql)).complete)
        except AgentError as error:
            outcome = f"{type(error).__name__}: {error.sentence}"
    assert outcome.strip(": ")
    print(f"\n@@ {taken.seconds:.2f}s {taken.memory >> 20}MB {family} | {sql[:90]} | {outcome[:150]}")
    assert taken.seconds <= SECONDS * 1.2 + BESIDE
    assert taken.memory <= MOST
