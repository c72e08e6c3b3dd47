"""Scores of one question over many lists of reviews: what counts as found, missed and wrongly said."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from agent.suql import Budget, Engine, Result, Row, Step, Usage
from hybridchat.research.lists import evaluate, score

ITEM = {"id": "l1", "question": "does it?", "yes": ["a", "b", "c"], "no": ["d"], "unclear": ["e"]}


def test_precision_is_of_what_was_said_and_recall_of_what_is_so() -> None:
    row = score(ITEM, {"a": "Yes", "b": None, "c": "No", "d": "No", "e": "Yes", "f": "Yes"})
    assert (row["precision"], row["recall"]) == (0.5, 0.3333)
    assert (row["missed"], row["wrong_yes"], row["wrong_no"]) == (["b", "c"], ["f"], ["c"])


def test_what_can_be_seen_either_way_is_not_scored() -> None:
    assert score(ITEM, {"e": "Yes"})["wrong_yes"] == score(ITEM, {"e": "No"})["wrong_no"] == []


def test_no_said_of_a_list_that_says_nothing_is_wrong() -> None:
    assert score(ITEM, {"f": "No"})["wrong_no"] == ["f"]


def test_nothing_said_has_no_precision() -> None:
    assert score(ITEM, {"a": None})["precision"] == 0.0


class _CutShort:
    """An engine that reads one list, and the others only if the query has no limit."""

    async def run(self, sql: str, *, budget: Budget | None = None) -> Result:
        bounded = budget is None or budget.seconds is not None or budget.calls is not None
        rows = tuple(Row({"slug": slug, "said": "Yes"}) for slug in ("a", "b", "c"))
        return Result(("slug", "said"), rows[: 1 if bounded else 3], Usage(), Step(""), complete=not bounded)


class _AlwaysCutShort(_CutShort):
    async def run(self, sql: str, *, budget: Budget | None = None) -> Result:
        return await super().run(sql)


def test_lists_are_read_to_the_end_however_slow_the_machine() -> None:
    report, _ = asyncio.run(evaluate(cast(Engine, _CutShort()), [ITEM]))
    assert report["recall"] == 1.0


def test_lists_that_were_not_all_read_are_not_scored() -> None:
    with pytest.raises(ValueError, match="Not every list was read"):
        asyncio.run(evaluate(cast(Engine, _AlwaysCutShort()), [ITEM]))
