"""The quarter, the days and the teacher of a course cannot be chosen, and are not silently left out."""

from __future__ import annotations

import pytest

from agent.worksheets.acts import ActKind
from agent.worksheets.policy import Decision
from tests.agent.tasks.speaking import Talk, Understander
from tests.agent.tasks.test_several import courses

CHOSEN = ("enroll me in CS 140, letter, 3 units", "no")


@pytest.fixture
def talk(understander: Understander) -> Talk:
    return Talk(understander, "courses")


def told(decision: Decision) -> list[str]:
    return [act.text for act in decision.acts if "nothing that can be chosen" in act.text]


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("enroll me in CS 140 in spring", "in spring"),
        ("sign me up for CS 140 next fall please, letter grade", "next fall please"),
        ("enroll me in CS 140 with Osric Pemberley, 3 units", "with Osric Pemberley"),
        ("I want to take CS 140 on Mondays and CS 152", "on Mondays"),
    ],
)
def test_a_wish_told_with_a_course_is_answered(talk: Talk, said: str, wish: str) -> None:
    decision = talk.say(said)
    assert courses(talk)[0] == "CS 140"
    assert told(decision) == [f"“{wish}” is nothing that can be chosen here."]
    assert decision.acts[-1].act is ActKind.ASK


def test_a_wish_told_later_is_of_what_is_asked_about(talk: Talk) -> None:
    decision = talk.say("enroll me in CS 140", "letter, and I want it in spring")
    assert len(told(decision)) == 1
    assert talk.state.instance("course_1").slot("grade_type").value == "Letter"


def test_a_wish_for_two_is_answered_for_both(talk: Talk) -> None:
    decision = talk.say("enroll me in CS 140 and CS 152 in winter")
    assert {act.instance for act in decision.acts if "can be chosen" in act.text} == {"course_1", "course_2"}


@pytest.mark.parametrize("said", ["yes but in spring", "yes, in summer", "can I take it in summer instead?"])
def test_a_yes_with_such_a_wish_is_asked_for_again(talk: Talk, said: str) -> None:
    decision = talk.say(*CHOSEN, said)
    assert len(told(decision)) == 1
    assert decision.acts[-1].act is ActKind.CONFIRM


@pytest.mark.parametrize("said", ["letter, 3 units", "yes", "for credit", "CS 152 too", "Summer Autumn, 05552222"])
def test_other_values_are_no_such_wish(talk: Talk, said: str) -> None:
    decision = talk.say("enroll me in CS 140", said)
    assert told(decision) == []


def test_the_application_tells_what_comes_of_it(talk: Talk) -> None:
    async def when(words: str, known: object, now: object) -> str:
        return f"It is held next in winter, not {words}."

    talk._registry.wish("Course", "course_name")(when)
    decision = talk.say("enroll me in CS 140 in spring")
    assert "It is held next in winter, not in spring." in [act.text for act in decision.acts]
