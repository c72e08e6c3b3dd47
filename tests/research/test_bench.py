"""Times of turns: the steps are told apart, and the statistics are the ones they are called."""

from __future__ import annotations

from typing import Any

import pytest

from hybridchat.chat import runner
from hybridchat.chat.models import Conversation
from hybridchat.research import bench, bench_start
from tests.chat import fakes


@pytest.fixture
def scripted(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "agent_for", lambda language: fakes.ScriptedAgent())
    monkeypatch.setattr(runner, "conversation_for", fakes.conversation_for)


def item(*messages: str) -> dict[str, Any]:
    return {"assistant": "restaurants", "messages": messages}


async def test_each_step_has_a_time_for_each_turn(scripted: None) -> None:
    times = await bench.time_turns("", [item("somewhere romantic", "rows=3"), item("rows=1")])
    assert {step: len(times[step]) for step in bench.STEPS} == dict.fromkeys(bench.STEPS, 3)
    for first, parse, execute, whole in zip(*(times[step] for step in bench.STEPS), strict=True):
        assert 0 < first < whole
        assert parse + execute == pytest.approx(whole)


async def test_the_conversations_of_a_measurement_are_deleted(scripted: None) -> None:
    await bench.time_turns("", [item("somewhere romantic")])
    assert not await runner.in_thread(Conversation.objects.exists)


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
