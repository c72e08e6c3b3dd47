"""Times of turns: the steps are told apart, and the statistics are the ones they are called."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent.language.tasks import Conversation
from agent.record import TurnState, past_turn
from hybridchat.research import bench, bench_start


class SlowAgent:
    """Parses in 20 ms with an event at the start, executes in 60 ms."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    async def parse_turn(self, state: TurnState, emit: Any) -> TurnState:
        self.seen.append(len(state.conversation.past))
        await emit("understood", {})
        await asyncio.sleep(0.02)
        return state

    async def execute_turn(self, state: TurnState, emit: Any) -> TurnState:
        await asyncio.sleep(0.06)
        return state


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> SlowAgent:
    def conversation_for(assistant: str, states: list[TurnState], now: Any) -> Conversation:
        return Conversation(assistant=assistant, tables=(), past=tuple(map(past_turn, states)), now=now)

    monkeypatch.setattr(bench, "conversation_for", conversation_for)
    return SlowAgent()


async def test_each_step_has_a_time_for_each_turn(slow: SlowAgent) -> None:
    times = await bench.time_turns(slow, [{"messages": ["one", "two"]}, {"messages": ["three"]}], "2026-11-20T10:00")  # type: ignore[arg-type]
    assert {step: len(times[step]) for step in bench.STEPS} == dict.fromkeys(bench.STEPS, 3)
    first, parse, execute, whole = (min(times[step]) for step in bench.STEPS)
    assert first < parse
    assert parse >= 20
    assert execute >= 60
    assert whole >= parse + execute - 1


async def test_later_messages_of_a_conversation_are_timed_with_its_past(slow: SlowAgent) -> None:
    await bench.time_turns(slow, [{"messages": ["one", "two"]}, {"messages": ["three"]}], "2026-11-20T10:00")  # type: ignore[arg-type]
    assert slow.seen == [0, 1, 0]


@pytest.mark.parametrize(("share", "value"), [(50, 3), (95, 5), (100, 5), (1, 1)])
def test_a_percentile_is_the_nearest_rank(share: int, value: float) -> None:
    assert bench.percentile([5, 1, 4, 2, 3], share) == value


def test_no_values_have_no_statistics_to_fail_on() -> None:
    assert (bench.median([]), bench.percentile([], 95)) == (0.0, 0.0)


def test_the_table_has_a_line_a_step() -> None:
    lines = bench.table({step: [1.0, 2.0, 9.0] for step in bench.STEPS}).splitlines()
    assert [line.split()[-3:] for line in lines[1:]] == [["2.0", "9.0", "3"]] * len(bench.STEPS)


def test_later_starts_are_told_by_their_median_and_beside_the_first() -> None:
    assert bench_start.start_table([50.0, 6.0, 5.0, 4.0]) == (
        "first start   50.0 s\nlater start    5.0 s (median of 3), 0.10 of the first"
    )
