"""Waves under LIMIT: few prompts more than the fewest, filled prompts, and rows that do not hang on either."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import islice
from typing import Any

import psycopg
import pytest

from agent.suql import Budget, Engine
from agent.suql.waves import Belief, Waves
from hybridchat.research import bench_world
from hybridchat.research.bench_suql import fewest_calls
from hybridchat.research.bench_world import Clock
from tests.agent.suql.oracle import right_rows
from tests.agent.suql.world import CATALOGUE, PairReader, fill

SEARCHES = ((0.02, 2), (0.1, 3), (0.1, 10), (0.3, 5), (0.5, 1), (0.8, 10))  # how often a row matches, and LIMIT
STARTS = 300


def waves(batch: int, together: int, *, slow: bool = True, patience: float = 0.3) -> Waves:
    """Waves that have seen one wave of a reader that takes long, or none of the time."""
    found = Waves(batch, together, patience, lambda: 0.0)
    found.asked(0.5 if slow else 0.0, 1, 100)
    return found


def search(chance: float, limit: int, batch: int, together: int, dice: random.Random) -> tuple[int, int, int]:
    """One search for `limit` matches: the calls it took, the fewest it could have taken, and its waves."""
    asking = waves(batch, together, slow=False)
    asked, hits, calls, rounds, last = 0, 0, 0, 0, 0
    while hits < limit:
        values = limit - hits + asking.ahead(limit - hits, Belief((hits + 1) / (asked + 2), asked))
        for place in range(asked, asked + values):
            if dice.random() < chance:
                hits += 1
                last = place + 1 if hits == limit else last
        asked, calls, rounds = asked + values, calls - (-values // batch), rounds + 1
        asking.asked(0.5, values, 100 * values)
    return calls, -(-last // batch), rounds


@pytest.mark.parametrize(("batch", "together"), [(1, 64), (1, 8), (4, 32), (8, 64), (16, 128), (32, 64)])
def test_calls_are_at_most_a_quarter_more_than_the_fewest(batch: int, together: int) -> None:
    dice = random.Random(batch)
    found = [search(*asked, batch, together, dice) for asked in SEARCHES for _ in range(STARTS)]
    assert sum(calls for calls, _, _ in found) <= 1.25 * sum(fewest for _, fewest, _ in found)


@pytest.mark.parametrize(("batch", "most"), [(1, 4.5), (8, 3.0), (16, 2.5)])
def test_three_of_a_tenth_are_found_in_few_waves(batch: int, most: float) -> None:
    dice = random.Random(3)
    rounds = [search(0.1, 3, batch, max(64, 8 * batch), dice)[2] for _ in range(STARTS)]
    assert sum(rounds) / STARTS <= most


@pytest.mark.parametrize(("missing", "chance", "tried"), [(1, 0.5, 0), (3, 0.25, 10), (5, 0.9, 30)])
def test_a_row_is_needed_while_fewer_rows_before_it_match(missing: int, chance: float, tried: int) -> None:
    """Counted out by drawing from Pólya's urn, which the beta distribution is the limit of."""
    counts = {0: 1.0}  # how likely each number of matches is
    weight = tried + 2
    for place, needed in enumerate(islice(Belief(chance, tried).needed(missing), 40)):
        assert needed == pytest.approx(sum(share for hits, share in counts.items() if hits < missing), abs=1e-9)
        after: dict[int, float] = {}
        for hits, share in counts.items():
            drawn = (chance * weight + hits) / (weight + place)
            after[hits] = after.get(hits, 0.0) + share * (1 - drawn)
            after[hits + 1] = after.get(hits + 1, 0.0) + share * drawn
        counts = after


def test_many_tries_in_other_rows_do_not_make_sure() -> None:
    few, many = (list(islice(Belief(0.1, tried).needed(3), 60)) for tried in (50, 100_000))
    assert few == many


@pytest.mark.parametrize("slow", [True, False])
def test_a_prompt_that_is_sent_is_filled_with_what_may_be_needed(slow: bool) -> None:
    rare, common = Belief(0.05, 40), Belief(0.9, 40)
    assert (1 + waves(16, 16, slow=slow).ahead(1, rare)) == 16
    assert (1 + waves(16, 16, slow=slow).ahead(1, common)) <= 2


def test_a_fast_reader_is_sent_no_prompt_that_is_not_sure_to_be_needed() -> None:
    rare = Belief(0.05, 40)
    assert waves(1, 64, slow=False).ahead(3, rare) == 0
    assert 3 + waves(8, 64, slow=False).ahead(3, rare) == 8
    assert 3 + waves(8, 64).ahead(3, rare) > 16


def test_without_patience_for_more_nothing_is_asked_ahead() -> None:
    patient = waves(16, 128, patience=math.inf)
    assert (patient.ahead(3, Belief(0.05, 40)), patient.filled(5)) == (0, 5)


def test_groups_share_a_prompt() -> None:
    rare = Belief(0.05, 40)
    for groups in (1, 3, 5, 16, 100):
        rows = groups * (1 + waves(16, 16, slow=False).ahead(1, rare, groups))
        assert rows <= max(16, groups)
        assert rows > 16 - groups


def test_one_text_a_call_makes_the_fewest_calls_the_fewest_values() -> None:
    assert fewest_calls(3, 1_000, 100, 1) == pytest.approx(3 * 1_001 / 101)
    assert fewest_calls(3, 1_000, 100, 1_000) == pytest.approx(1.0)


def test_the_fewest_calls_are_the_mean_over_orders() -> None:
    dice = random.Random(1)
    total = 0
    for _ in range(4_000):
        places = sorted(dice.sample(range(60), 6))
        total += places[1] // 7 + 1
    assert fewest_calls(2, 60, 6, 7) == pytest.approx(total / 4_000, rel=0.03)


class Paced(PairReader):
    """Takes `batch` texts in a prompt and `concurrency` prompts at once, and puts a clock forward by half a second."""

    def __init__(self, batch: int, concurrency: int) -> None:
        super().__init__()
        self.batch = batch
        self.concurrency = concurrency
        self.clock = Clock()

    async def answer(self, requests: Any) -> Any:
        self.clock.skipped += 0.5
        return await super().answer(requests)


LIMITED = (
    "SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY id DESC LIMIT 3",
    "SELECT id, answer(about, 'mood?') FROM venues WHERE answer(about, 'kids?') = 'Yes' ORDER BY stars, id LIMIT 2",
    "SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' AND answer(about, 'kids?') = 'No' ORDER BY id LIMIT 2",
    "SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' OR answer(notes, 'kids?') = 'Yes' ORDER BY id LIMIT 4",
    "SELECT DISTINCT city FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY city LIMIT 2",
    "SELECT DISTINCT city FROM venues WHERE answer(about, 'quiet?') = 'Yes'",
    "SELECT id FROM venues v WHERE EXISTS (SELECT 1 FROM events e WHERE e.venue_id = v.id "
    "AND answer(blurb, 'quiet?') = 'Yes') ORDER BY id LIMIT 2",
    "SELECT EXISTS (SELECT 1 FROM venues WHERE answer(about, 'mood?') = 'formal')",
)


@pytest.mark.parametrize(("batch", "concurrency"), [(1, 1), (1, 8), (3, 2), (16, 1), (16, 8), (100, 8)])
@pytest.mark.parametrize("patience", [0.01, 0.3, math.inf])
async def test_rows_do_not_hang_on_prompts(
    world: psycopg.Connection[Any], connect: Callable[[], Any], batch: int, concurrency: int, patience: float
) -> None:
    reader = Paced(batch, concurrency)
    engine = Engine(
        connect, CATALOGUE, reader, budget=Budget(calls=None, seconds=None), clock=reader.clock, patience=patience
    )
    for sql in LIMITED:
        found = [tuple(row.values.values()) for row in (await engine.run(sql)).rows]
        right = right_rows(world, sql)
        assert sorted(map(repr, found)) == sorted(map(repr, right)), sql


async def test_different_values_are_looked_for_in_full_prompts(connect: Callable[[], Any]) -> None:
    sql = "SELECT DISTINCT city FROM venues WHERE answer(about, 'mood?') = 'formal' ORDER BY city LIMIT 2"
    calls = []
    for batch in (1, 8):
        result = await Engine(connect, CATALOGUE, Paced(batch, 4)).run(sql)
        calls.append(result.usage.calls)
    assert calls[1] <= calls[0] / 2


async def test_different_values_are_looked_for_among_as_many_rows_again(
    world: psycopg.Connection[Any], connect: Callable[[], Any]
) -> None:
    """A is certain only by its 30th row, whose text is that of B's first, once so many rows are looked at."""
    with world.cursor() as cursor:
        cursor.execute("TRUNCATE kb.venues, kb.events")
        for number in range(1, 41):
            city = "A" if number <= 10 or number == 30 else "B" if number <= 20 else "C"
            about = "quiet=Yes; n=11" if number in (11, 30) else f"quiet=No; n={number}"
            cursor.execute(
                "INSERT INTO kb.venues VALUES (%s, %s, %s, %s, 1, %s, '{}', '{}')", (number, "s", "n", city, about)
            )
    world.commit()
    reader = Paced(1, 8)
    engine = Engine(
        connect, CATALOGUE, reader, budget=Budget(calls=None, seconds=None), clock=reader.clock, patience=0.01
    )
    sql = "SELECT DISTINCT city FROM venues WHERE answer(about, 'quiet?') = 'Yes' LIMIT 2"
    first = await engine.run(sql)
    assert sorted(row.values["city"] for row in first.rows) == ["A", "B"]
    assert (await engine.run(sql)).usage.calls == 0
    fill(world, seed=1)


REPEATED = (
    "SELECT max(stars) FROM venues WHERE answer(about, 'rare?') = 'Yes' AND answer(notes, 'kids?') = 'Yes'",
    "SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' AND answer(notes, 'quiet?') = 'Yes' "
    "ORDER BY id LIMIT 3",
)


async def test_a_query_that_is_repeated_costs_nothing_though_texts_are_empty(database_url: str) -> None:
    """A quarter of the notes are empty: known to say nothing, they settle a row whose other text nobody asked about."""

    async def opened() -> psycopg.AsyncConnection[Any]:
        return await psycopg.AsyncConnection.connect(database_url, autocommit=True, prepare_threshold=0)

    with psycopg.connect(database_url) as owner:
        bench_world.generate(owner, 600)
        for sql in REPEATED:
            reader = bench_world.SimulatedReader(0.5)
            engine = Engine(opened, bench_world.CATALOGUE, reader, clock=reader.clock)
            first = await engine.run(sql, budget=Budget(calls=None, seconds=None))
            again = await engine.run(sql)
            assert again.usage.calls == 0, sql
            assert [row.values for row in again.rows] == [row.values for row in first.rows]
        bench_world.drop(owner)
