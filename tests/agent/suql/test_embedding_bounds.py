"""Embedding what is not indexed has an end: so many passages a query, and none when nobody waits any more."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import psycopg
import pytest

from agent.suql import Budget, Engine
from tests.agent.suql.world import CATALOGUE, PairReader

LONG = "SELECT answer(array_agg(about || id), 'quiet?') AS a FROM venues"


class Embedder:
    """Takes `seconds` for a text, on a thread as a real one does."""

    name = "test"
    dimensions = 4

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.texts = 0

    async def embed(self, texts: Sequence[str]) -> Any:
        self.texts += len(texts)
        await asyncio.to_thread(time.sleep, self.seconds * len(texts))
        return np.ones((len(texts), self.dimensions), np.float32)


@pytest.fixture(autouse=True)
def rows(world: psycopg.Connection[Any]) -> None:
    world.execute("TRUNCATE kb.venues, kb.events")
    world.execute(
        "INSERT INTO kb.venues (id, about) SELECT n, 'quiet=No; wait=' || n FROM generate_series(1, 500) AS n"
    )
    world.commit()


async def test_no_more_than_so_many_are_embedded_and_it_is_said(
    connect: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.suql.passages.EMBEDDED", 100)
    embedder = Embedder()
    result = await Engine(connect, CATALOGUE, PairReader(), embedder).run(LONG)
    assert embedder.texts <= 101
    assert not result.complete
    assert any("400 passages" in note for note in result.notes)


async def test_all_are_embedded_where_they_are_not_too_many(connect: Callable[[], Any]) -> None:
    embedder = Embedder()
    result = await Engine(connect, CATALOGUE, PairReader(), embedder).run(LONG)
    assert (embedder.texts, result.complete) == (501, True)


async def test_embedding_ends_when_the_time_is_over(connect: Callable[[], Any]) -> None:
    embedder = Embedder(seconds=0.01)
    started = time.monotonic()
    result = await Engine(connect, CATALOGUE, PairReader(), embedder).run(LONG, budget=Budget(seconds=1.5))
    assert time.monotonic() - started < 1.5 * 1.2
    assert not result.complete
    asked = embedder.texts
    await asyncio.sleep(1.0)
    assert embedder.texts == asked < 501
