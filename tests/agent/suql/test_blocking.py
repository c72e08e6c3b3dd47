"""same() between many texts: all pairs within the budget, and beyond it those near in meaning, which is said."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import psycopg
import pytest

from agent.protocols.errors import TooExpensive
from agent.protocols.reading import MatchReply, MatchRequest
from agent.suql import Budget, Catalogue, Column, Engine, Kind, Result, Table, forecast
from agent.suql.asking import CHOICES
from agent.suql.blocking import how_many
from tests.agent.suql.world import PairReader

SMALLER, LARGER = 40, 400
EVERYTHING = Budget(calls=None, seconds=None)
CALLS = 75  # fewer than all pairs take, which is four for each text of the smaller side
TIGHT = Budget(calls=CALLS, seconds=None)

CATALOGUE = Catalogue(
    (
        Table(
            "teams",
            (Column("id", Kind.NUMBER, integer=True), Column("name", Kind.TEXT), Column("league", Kind.NUMBER)),
        ),
        Table("clubs", (Column("id", Kind.NUMBER, integer=True), Column("title", Kind.TEXT))),
    ),
    schema="kb",
)
SCHEMA = f"""
CREATE TABLE kb.teams (id int PRIMARY KEY, name text, league int);
CREATE TABLE kb.clubs (id int PRIMARY KEY, title text);
INSERT INTO kb.teams SELECT n, 'team ' || n, n % 4 FROM generate_series(1, {SMALLER}) AS n;
INSERT INTO kb.clubs SELECT n, n || ' club' FROM generate_series(1, {LARGER}) AS n;
INSERT INTO kb.teams VALUES (1001, NULL, 0), (1002, '', 0);
GRANT SELECT ON kb.teams, kb.clubs TO suql_test_reader;
ANALYZE kb.teams;
ANALYZE kb.clubs;
"""


def number(text: str) -> int:
    return int(re.sub(r"\D", "", text))


class Matcher(PairReader):
    """Texts are the same where their numbers are; counts the pairs."""

    async def match_values(self, requests: Sequence[MatchRequest]) -> list[MatchReply]:
        self.matches.extend(requests)
        return [
            MatchReply(values=tuple(value for value in each.values if number(value) == number(each.wanted)))
            for each in requests
        ]

    @property
    def pairs(self) -> int:
        return sum(len(request.values) for request in self.matches)


class Line:
    """Texts lie on an arc by their numbers, `off` steps away from where they belong."""

    name = "line"
    dimensions = 2

    def __init__(self, off: int = 0) -> None:
        self.off = off
        self.texts = 0

    async def embed(self, texts: Sequence[str]) -> Any:
        self.texts += len(texts)
        steps = np.array([number(text) + self.off * text.startswith("team") for text in texts])
        return np.stack([np.cos(steps / 1000), np.sin(steps / 1000)], axis=1).astype(np.float32)


@pytest.fixture(scope="module")
def tables(world: psycopg.Connection[Any]) -> None:
    world.execute(SCHEMA)
    world.commit()


@pytest.fixture
def reader() -> Matcher:
    return Matcher()


@pytest.fixture
def run(tables: None, connect: Callable[[], Any], reader: Matcher) -> Callable[..., Any]:
    async def result(sql: str, budget: Budget = TIGHT, embedder: Line | None = None) -> Result:
        return await Engine(connect, CATALOGUE, reader, embedder or Line(), budget=budget).run(sql)

    return result


JOIN = "SELECT t.id, c.id FROM teams t JOIN clubs c ON same(t.name, c.title)"
ALL = [(n, n) for n in range(1, SMALLER + 1)]


def pairs(result: Result) -> list[tuple[Any, ...]]:
    return sorted(tuple(row.values.values()) for row in result.rows)


async def test_without_a_limit_every_pair_is_compared(run: Callable[..., Any], reader: Matcher) -> None:
    embedder = Line()
    result = await run(JOIN, EVERYTHING, embedder)
    assert pairs(result) == ALL
    assert result.complete
    assert reader.pairs == SMALLER * LARGER
    assert embedder.texts == 0


async def test_the_pairs_of_one_text_are_asked_of_together(run: Callable[..., Any], reader: Matcher) -> None:
    """A wave may end in the middle of a text's pairs; that costs one more call."""
    await run(JOIN, EVERYTHING)
    assert len(reader.matches) <= 1.5 * SMALLER * -(-LARGER // CHOICES)


async def test_a_join_within_the_budget_is_not_blocked(run: Callable[..., Any], reader: Matcher) -> None:
    embedder = Line(off=50)
    result = await run(f"{JOIN} WHERE t.league = 1 AND t.id < 30", TIGHT, embedder)
    assert pairs(result) == [(n, n) for n in range(1, 30) if n % 4 == 1]
    assert result.complete
    assert result.notes == ()
    assert embedder.texts == 0


async def test_beyond_the_budget_only_near_pairs_are_compared(run: Callable[..., Any], reader: Matcher) -> None:
    result = await run(JOIN)
    assert pairs(result) == ALL
    assert result.usage.calls == len(reader.matches) <= CALLS
    assert reader.pairs == SMALLER * how_many(SMALLER, LARGER, CALLS)
    assert not result.complete
    assert [note for note in result.notes if "ran out" in note] == []
    assert any("nearest in meaning" in note and f"{SMALLER * LARGER:,} pairs" in note for note in result.notes)


async def test_a_pair_is_missed_only_where_as_many_others_are_nearer(run: Callable[..., Any], reader: Matcher) -> None:
    """With an embedding that is off by more than it may be, the pairs it misses are left out, and no others come in."""
    nearest = how_many(SMALLER, LARGER, CALLS)
    assert pairs(await run(JOIN, TIGHT, Line(off=nearest // 2 - 1))) == ALL
    far = pairs(await run(JOIN, TIGHT, Line(off=2 * nearest)))
    assert far == [(n, m) for n, m in ALL if n + 2 * nearest + nearest // 2 > LARGER]


async def test_texts_that_read_alike_are_compared_however_far_they_are(
    world: psycopg.Connection[Any], run: Callable[..., Any], reader: Matcher
) -> None:
    world.execute("INSERT INTO kb.clubs VALUES (2001, 'Team 7')")
    world.commit()
    try:
        result = await run(JOIN, TIGHT, Line(off=300))
    finally:
        world.execute("DELETE FROM kb.clubs WHERE id = 2001")
        world.commit()
    assert (7, 2001) in pairs(result)


@pytest.mark.parametrize("kind", ["JOIN", "LEFT JOIN"])
async def test_more_pairs_than_can_be_gone_through_are_refused_before_any_call(
    run: Callable[..., Any], reader: Matcher, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(forecast, "PAIRS", SMALLER * LARGER // 2)
    everywhere = JOIN.replace("JOIN", kind)
    with pytest.raises(TooExpensive, match="more than 8,000 pairs"):
        await run(everywhere, EVERYTHING)
    assert reader.matches == []
    assert (await run(f"{everywhere} WHERE t.id < 9", EVERYTHING)).complete
    assert (await run(everywhere)).rows  # within its budget, only near pairs are compared


async def test_a_join_that_may_stop_early_is_let_through(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forecast, "PAIRS", 10)
    assert pairs(await run(f"{JOIN} LIMIT 2", EVERYTHING)) == ALL[:2]


async def test_an_outer_join_keeps_its_rows(run: Callable[..., Any], reader: Matcher) -> None:
    result = await run("SELECT t.id, c.id AS club FROM teams t LEFT JOIN clubs c ON same(t.name, c.title)")
    assert {row.values["id"]: row.values["club"] for row in result.rows} == {**dict(ALL), 1001: None, 1002: None}
    assert not result.complete


async def test_what_may_hold_in_another_way_is_not_blocked(run: Callable[..., Any], reader: Matcher) -> None:
    """Under OR and NOT a pair that is passed over would not be a pair left out."""
    embedder = Line()
    await run("SELECT t.id FROM teams t, clubs c WHERE t.id = 5 AND NOT same(t.name, c.title)", TIGHT, embedder)
    await run("SELECT count(*) FROM teams t, clubs c WHERE t.id = c.id OR same(t.name, c.title)", TIGHT, embedder)
    assert embedder.texts == 0


async def test_the_plan_says_which_pairs_are_compared(
    tables: None, connect: Callable[[], Any], reader: Matcher
) -> None:
    engine = Engine(connect, CATALOGUE, reader, Line(), budget=TIGHT)
    assert "NEAR(" in (await engine.explain(JOIN)).sql
    assert "NEAR(" not in (await engine.explain(JOIN, budget=EVERYTHING)).sql
    assert reader.matches == []


@pytest.mark.parametrize("smaller", [1, 5, 50, 150, 900])
@pytest.mark.parametrize("larger", [1, 90, 400, 3_000])
@pytest.mark.parametrize("calls", [1, 20, 200, 5_000])
def test_texts_are_passed_over_only_where_calls_are_saved(smaller: int, larger: int, calls: int) -> None:
    one, other = sorted((smaller, larger))
    nearest = how_many(smaller, larger, calls)
    assert nearest == how_many(larger, smaller, calls)
    whole = one * -(-other // CHOICES)
    if whole <= calls:
        assert nearest == 0
    if nearest:
        assert nearest < other
        assert one * nearest / CHOICES <= max(calls, one) < whole
