"""Samples of a suite, and what a model took for it."""

from __future__ import annotations

from agent.protocols.metering import metered, report
from agent.protocols.reading import CallRecord
from hybridchat.research.commands import drawn
from hybridchat.research.spending import spending, spending_lines


def call(task: str = "parse", tokens: int = 100) -> CallRecord:
    return CallRecord(
        task=task, model="m", prompt_hash="0", milliseconds=1.0, items=1, prompt_tokens=tokens, completion_tokens=10
    )


def test_a_sample_is_the_same_for_the_same_seed_and_keeps_the_order():
    items = list(range(100))
    sample = drawn(items, 10, seed=3)
    assert sample == drawn(items, 10, seed=3) == sorted(sample)
    assert len(sample) == 10
    assert sample != drawn(items, 10, seed=4)


def test_each_part_gives_its_share_of_a_sample():
    sample = drawn(list(range(40)), 12, seed=1, part=lambda number: number < 30)
    assert sum(number < 30 for number in sample) == 9
    assert len(sample) == 12


def test_a_sample_of_more_than_there_is_takes_everything():
    assert drawn([1, 2, 3], 10, seed=0) == [1, 2, 3]


def test_calls_and_tokens_are_told_per_turn():
    spent = spending([call("parse"), call("answer"), call("answer")], turns=2)
    assert (spent["calls per turn"], spent["tokens per turn"]) == (1.5, 165)
    assert spent["calls by task"] == {"answer": 2, "parse": 1}
    assert "each of 2 turns: 1.5 calls and 165 tokens" in "\n".join(spending_lines(spent))


def test_a_language_without_a_model_spends_nothing():
    assert spending([], turns=5) == {}
    assert spending_lines({}) == []


def test_what_is_metered_inside_counts_outside_too():
    with metered() as outer:
        report(call("understand"))
        with metered() as inner:
            report(call("answer"))
    assert [one.task for one in inner] == ["answer"]
    assert [one.task for one in outer] == ["understand", "answer"]
