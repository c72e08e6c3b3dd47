"""Scores of turns: what counts as right, as unanswered and as honest."""

from __future__ import annotations

from typing import Any

import pytest

from hybridchat.research import turns


def item(*truth: list[str] | None) -> dict[str, Any]:
    return {"id": "x", "messages": [f"message {number}" for number in range(len(truth))], "truth": list(truth)}


def report(turn: int = 1, *keys: str | None, relaxed: bool = False) -> dict[str, Any]:
    query = {
        "keys": list(keys),
        "relaxed": ["dropped"] if relaxed else [],
        "suql": "SELECT 1",
        "usage": {"seconds": 1.5, "calls": 3},
    }
    return {"turn": turn, "queries": [query], "error": None}


def only(truth: list[str], *keys: str | None, relaxed: bool = False) -> turns.TurnScore:
    (score,) = turns.score(item(truth), [report(1, *keys, relaxed=relaxed)])
    return score


def test_the_share_is_that_of_the_returned_rows_that_are_right() -> None:
    score = only(["a", "b"], "a", "c", "b", "d")
    assert (score.share, score.recall) == (0.5, 1.0)


def test_an_entity_that_did_not_come_back_costs_recall_but_no_share() -> None:
    score = only(["a", "b"], "a")
    assert (score.share, score.recall, score.missed) == (1.0, 0.5, ("b",))


def test_rows_that_are_no_entity_are_not_counted() -> None:
    assert only(["a"], None, "a").returned == ("a",)


def test_no_row_is_no_share() -> None:
    assert only(["a"]).share == 0.0


def test_right_rows_got_by_relaxing_do_not_answer_the_question() -> None:
    score = only(["a"], "a", relaxed=True)
    assert (score.share, score.recall) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("keys", "relaxed", "honest"), [((), False, True), (("a",), True, True), (("a",), False, False)]
)
def test_where_nothing_satisfies_only_rows_without_relaxing_are_dishonest(
    keys: tuple[str, ...], relaxed: bool, honest: bool
) -> None:
    assert only([], *keys, relaxed=relaxed).honest is honest


def test_messages_that_ask_nothing_of_the_corpus_are_not_scored_and_turns_keep_their_numbers() -> None:
    scores = turns.score(item(None, ["a"], None), [report(1), report(2, "a"), report(3)])
    assert [score.id for score in scores] == ["x.2"]


def test_a_conversation_that_broke_off_is_an_error_not_a_short_score() -> None:
    with pytest.raises(ValueError, match="shorter"):
        turns.score(item(["a"], ["b"]), [report(1, "a")])


def test_all_queries_of_a_turn_count() -> None:
    both = report(1, "a")
    both["queries"] += report(1, "b", relaxed=True)["queries"]
    (score,) = turns.score(item(["a", "b"]), [both])
    assert (score.returned, score.relaxed, score.calls, score.seconds) == (("a", "b"), True, 6, 3.0)


def test_pooled_accuracy_counts_rows_and_an_unanswered_question_as_one_wrong_row() -> None:
    figures = turns.summary([only(["a"], "a", "b", "c"), only(["a"], "a"), only(["a"])])
    assert figures["turn_accuracy"] == pytest.approx(2 / 5)
    assert figures["mean_accuracy"] == pytest.approx((1 / 3 + 1 + 0) / 3, abs=1e-4)
    assert figures["mean_recall"] == pytest.approx(2 / 3, abs=1e-4)
    assert (figures["questions"], figures["unanswered"]) == (3, 1)


def test_questions_that_nothing_satisfies_have_figures_of_their_own() -> None:
    figures = turns.summary([only(["a"], "a"), only([]), only([], "b")])
    assert (figures["questions"], figures["turn_accuracy"]) == (1, 1.0)
    assert (figures["none_questions"], figures["none_honest"]) == (2, 0.5)


def test_no_questions_are_no_division_by_zero() -> None:
    assert turns.summary([])["turn_accuracy"] == 0.0


def test_the_table_has_a_line_a_question_and_every_figure() -> None:
    scores = [only(["a"], "a", "b"), only([], "b", relaxed=True)]
    lines = turns.table(scores).splitlines()
    assert lines[0].split() == ["x.1", "1/2", "message", "0"]
    assert "relaxed none" in lines[1]
    assert [line.split()[0] for line in lines[3:]] == list(turns.summary(scores))


def test_the_report_has_the_rows_that_were_missed() -> None:
    assert turns.report([only(["a", "b"], "a")])["turns"][0]["missed"] == ("b",)


def test_the_same_entity_in_two_rows_is_found_once() -> None:
    assert only(["a", "b"], "a", "a").recall == 0.5


def test_an_error_is_not_an_honest_nothing_and_is_counted_and_shown() -> None:
    (score,) = turns.score(item([]), [{**report(), "error": "The model does not answer."}])
    assert not score.honest
    assert turns.summary([score])["errors"] == 1
    assert "(The model does not answer.)" in turns.table([score])


def test_formula_of_the_paper_counts_an_entity_once_and_an_empty_answer_as_a_false_negative() -> None:
    truth = item(["a", "b"], ["a"], ["c"], [])
    reports = [report(1, "a", "x"), report(2, "a", "b"), report(3), report(4, "y", relaxed=True)]
    found = turns.summary(turns.score(truth, reports))
    assert found["suql_turn_accuracy"] == 0.25  # of a, x, b and y: a came back twice, and b when it was not wanted
    assert found["suql_false_negatives"] == 0.25
    assert "table 5" in turns.table(turns.score(truth, reports))
