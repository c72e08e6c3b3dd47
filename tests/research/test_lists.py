"""Scores of one question over many lists of reviews: what counts as found, missed and wrongly said."""

from __future__ import annotations

from hybridchat.research.lists import score

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
