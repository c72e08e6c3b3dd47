"""How the turns of an unseen corpus are held against their truth."""

from __future__ import annotations

import json

import pytest

from hybridchat.research.corpus import conversations, report, score


def turn(keys=(), rows=(), *, suql="SELECT * FROM x", reply="Here.", relaxed=(), error=None):
    queries = [{"keys": list(keys), "rows": list(rows), "suql": suql, "relaxed": list(relaxed)}] if suql else []
    return {"queries": queries, "agent": reply, "error": error}


def question(**truth):
    return {"id": "q", "user": "which?", **truth}


def test_rows_are_right_when_they_are_all_there_and_no_others():
    assert score(question(keys=["a", "b"]), turn(["b", "a"]), 1).right
    assert not score(question(keys=["a", "b"]), turn(["a"]), 1).right
    assert not score(question(keys=["a"]), turn(["a", "b"]), 1).right


def test_rows_that_may_be_there_are_no_fault():
    answered = score(question(keys=["a"], either=["b"]), turn(["a", "b"]), 1)
    assert answered.right
    assert answered.good == 2


def test_the_first_rows_of_a_search_in_prose_suffice():
    few = turn(["a", "b", "c"], suql="SELECT * FROM x LIMIT 3")
    assert score(question(keys=["a", "b", "c", "d"]), few, 1).right
    assert not score(question(keys=["a", "b", "d"]), few, 1).right


def test_nothing_is_right_only_where_a_search_found_nothing():
    assert score(question(keys=[]), turn([]), 1).right
    assert not score(question(keys=[]), turn([], suql=""), 1).right


def test_rows_of_a_search_with_less_asked_do_not_count():
    assert score(question(keys=["a"]), turn(["a"], relaxed=["cheap"]), 1).found == []


def test_what_is_told_not_to_be_understood_is_no_error():
    refused = {"keys": [], "rows": [], "suql": "", "relaxed": []}
    told = score(question(keys=["a"]), turn(error="I do not know.") | {"queries": [refused]}, 1)
    failed = score(question(keys=["a"]), turn(error="The query took too long."), 1)
    silent = score(question(keys=["a"]), turn(suql="", error="The model did not answer."), 1)
    found = report([told, failed, silent])
    assert (found["not understood, told"], found["errors"]) == ((1, 3), (2, 3))


@pytest.mark.parametrize(
    ("answer", "cell", "right"),
    [
        (174, 174.0, True),
        (174, 140, False),
        (3.9, "3.90 EUR", True),
        ("no", "No, not any more", True),
        ("no", "Nobody knows", False),
        ("yes", True, True),
    ],
)
def test_an_answer_is_looked_for_in_the_cells(answer, cell, right):
    assert score(question(answer=answer), turn(["a"], [{"x": cell}], reply=""), 1).right is right


def test_a_yes_may_be_said():
    assert score(question(answer="yes"), turn(["a"], [], reply="Yes, Storm is for sale."), 1).right


def test_questions_are_asked_alone_and_conversations_in_order(tmp_path):
    (tmp_path / "questions.jsonl").write_text('{"id": "1", "question": "one?", "keys": []}\n')
    turns = '{"id": "2", "turns": [{"user": "two?", "keys": []}, {"user": "three?", "answer": 3}]}\n'
    (tmp_path / "conversations.jsonl").write_text(turns)
    asked = [[one["user"] for one in each] for each in conversations(tmp_path)]
    assert asked == [["one?"], ["two?", "three?"]]
    assert [one.get("type") for one in conversations(tmp_path)[0]] == ["question"]


def test_one_half_is_asked_alone(tmp_path):
    lines = [{"id": str(at), "question": half, "keys": [], "half": half} for at, half in enumerate(("open", "sealed"))]
    (tmp_path / "questions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [[one["user"] for one in each] for each in conversations(tmp_path, "sealed")] == [["sealed"]]
    assert len(conversations(tmp_path)) == 2


def test_the_report_counts_rows_questions_and_turns_apart():
    scored = [
        score(question(keys=["a"], type="plain"), turn(["a", "b"]), 1),
        score(question(keys=["a"]), turn(["a"]), 1),
        score(question(answer=1), turn([], suql=""), 2),
    ]
    told = report(scored)
    assert told["rows returned"] == (2, 3)
    assert told["questions"] == (0, 1)
    assert (told["first turns"], told["later turns"]) == ((1, 1), (0, 1))
