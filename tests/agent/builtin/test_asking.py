"""A message to a long text is taken apart: what it asks, what it tells beside that, what it rules out."""

from __future__ import annotations

import pytest

from agent.backends.builtin.asking import asks_verdict, content, read_asking, without_courtesies
from agent.text.words import words_of


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        (
            "what does a locker cost and until when can I keep it?",
            ["what does a locker cost", "until when can I keep it?"],
        ),
        ("My bike broke, where is it mended?", ["My bike broke, where is it mended?"]),
        ("I moved house. Do I tell the office?", ["Do I tell the office?"]),
        ("deposit for a locker, price", ["deposit for a locker, price"]),
    ],
)
def test_a_message_asks_one_thing_or_several(message: str, parts: list[str]) -> None:
    assert [part.text for part in read_asking(message).parts] == parts


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("at what hours is the desk staffed?", "hours"),
        ("which number do I dial?", "number to ring"),
        ("how long does a copy take?", "length"),
        ("what is the fee for a copy?", "money"),
        ("by when must I hand it in?", "date"),
        ("by when must I hand it in to pay no fine?", "date"),
        ("how many hours a week may I swim?", "count"),
    ],
)
def test_the_kind_of_thing_asked_for(question: str, kind: str) -> None:
    (part,) = read_asking(question).parts
    assert part.kind is not None
    assert part.kind.name == kind


def test_what_is_not_wanted_and_what_is_lacking_are_no_part_of_the_question() -> None:
    asking = read_asking("I don't care about the price of lockers, just tell me where they are.")
    assert asking.unwanted == "the price of lockers"
    assert "price" not in asking.text
    assert read_asking("I have no passport. How do I prove who I am?").lacking == {"passport"}


def test_a_follow_up_is_not_the_question_before_it() -> None:
    asking = read_asking("and in May? (about: what does a locker cost)")
    assert asking.about == "what does a locker cost"
    assert [part.text for part in asking.parts] == ["and in May?"]


def test_courtesies_are_left_out() -> None:
    assert without_courtesies("Hi there! Hope all is well. When do you open? Thanks a lot") == "When do you open?"
    assert without_courtesies("thanks") == "thanks"


def test_a_number_with_its_word_is_one_word_more_to_look_for_and_none_to_miss() -> None:
    assert "week 6" in content("it is week 6")
    assert words_of("it is week 6") == {"week", "6"}


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("can I go on using the gym?", True),
        ("I'm on leave, do I lose my room?", True),
        ("are three exams in one day a conflict?", True),
        ("my card broke, what do I do?", False),
        ("who should I point them to?", False),
        ("is there a fee, and how much?", False),
        ("lost phone", False),
    ],
)
def test_a_verdict_is_asked_for_where_a_clause_begins_with_its_verb(text: str, verdict: bool) -> None:
    assert asks_verdict(text) is verdict
