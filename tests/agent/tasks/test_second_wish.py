"""Two wishes of one message are both taken up: an order and a question, two courses by what they are about."""

from __future__ import annotations

from typing import Any

import pytest

from agent.parsing.tasks.message import Form, Message
from tests.agent.tasks.speaking import Talk, Understander
from tests.agent.tasks.test_several import courses


@pytest.fixture
def talk(understander: Understander) -> Talk:
    return Talk(understander, "courses")


@pytest.mark.parametrize(
    "said",
    [
        "two things: drop CS 140, and what does CS 152 need first?",
        "drop CS 140 and what does CS 152 need first?",
        "what does CS 152 need first, and also drop CS 140",
        "what does CS 152 need first, and please drop CS 140",
        "two things: what does CS 152 need first, and then drop CS 140",
        "what does CS 152 need first? And drop CS 140.",
    ],
)
def test_an_order_and_a_question_are_both_taken_up(talk: Talk, said: str) -> None:
    talk.say(said)
    assert talk.state.focus == "drop_course_1"
    assert talk.asked.rstrip("?") == "what does CS 152 need first"


@pytest.mark.parametrize(
    "said",
    [
        "how do I drop a course, and then add another one?",
        "can you tell me how to cancel and also book again?",
        "what happens if I drop CS 140, and also add CS 152?",
    ],
)
def test_what_one_may_do_is_one_question(said: str) -> None:
    assert all(one.form is not Form.STATEMENT for one in Message(said).sentences)


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("enroll me in rust and in the systems one", ["rust", "systems"]),
        ("sign me up for rust and operating systems", ["rust", "operating systems"]),
        ("enroll me in CS 140 and the machine learning one", ["CS 140", "machine learning"]),
        ("please enroll me in a rust course and a systems course, 3 units each", ["rust", "systems"]),
        ("enroll me in practical rust, machine learning and the systems class", None),
        ("enroll me in rust", ["rust"]),
    ],
)
def test_each_course_told_by_its_subject_is_put_down(talk: Talk, said: str, then: list[Any] | None) -> None:
    talk.say(said)
    assert courses(talk) == (then or ["practical rust", "machine learning", "systems"])


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("rust and systems", ["rust", "systems"]),
        ("the rust one", ["rust"]),
        ("the systems one, for 3 units", ["systems"]),
    ],
)
def test_they_are_understood_where_a_course_is_asked_for(talk: Talk, said: str, then: list[str]) -> None:
    talk.say("enroll me", said)
    assert courses(talk) == then


def test_each_keeps_what_is_said_of_it(talk: Talk) -> None:
    talk.say("enroll me in rust for 3 units and the systems one for 4")
    held = talk.state.instance("courses_to_take_1")
    units = [
        talk.state.instance(str(held.slot(f"course_{at}_details").value)).slot("course_num_units").value
        for at in (0, 1)
    ]
    assert units == [3, 4]


@pytest.mark.parametrize(
    "said", ["enroll me in a course about rust", "please enroll me in a course", "enroll me in two courses"]
)
def test_one_wanted_in_general_is_looked_for(talk: Talk, said: str) -> None:
    talk.say(said)
    assert courses(talk) == []
