"""How many of a kind are wanted, and which: in a task that holds up to four courses, of which one is enough."""

from __future__ import annotations

from typing import Any

import pytest

from agent.worksheets.acts import ActKind
from agent.worksheets.state import InstanceStatus, SlotStatus
from tests.agent.tasks.speaking import Talk, Understander

ONE = ("enroll me in CS 140", "letter", "4 units")
TWO = ("enroll me in CS 140 and CS 152",)


@pytest.fixture
def talk(understander: Understander) -> Talk:
    return Talk(understander, "courses")


def courses(talk: Talk) -> list[Any]:
    """The courses on the list, in order."""
    held = talk.state.instance("courses_to_take_1")
    assert held is not None
    found = []
    for name in ("course_0_details", "course_1_details", "course_2_details", "course_3_details"):
        slot = held.slot(name)
        child = talk.state.instance(str(slot.value)) if slot.status is SlotStatus.SET else None
        if child is not None and child.status is not InstanceStatus.ABANDONED:
            found.append(child.slot("course_name").value)
    return [one for one in found if one is not None]


def closed(talk: Talk) -> bool:
    held = talk.state.instance("courses_to_take_1")
    return held is not None and held.slot("course_1_details").status is SlotStatus.REFUSED


@pytest.mark.parametrize(
    "answer",
    [
        "no",
        "nope, just this class",
        "only CS 140",
        "CS 140 only please",
        "a single course is all I can manage, nothing else",
        "I'm not taking any other classes",
        "there won't be a second one",
        "thats my only class",
        "one course is plenty",
        "that'll be all for this term",
        "not right now",
        "no thank you, one is all I can handle",
        "nope, it will be hard enough",
    ],
)
def test_that_one_is_enough_is_understood_where_another_is_asked_for(talk: Talk, answer: str) -> None:
    decision = talk.say(*ONE, answer)
    assert courses(talk) == ["CS 140"]
    assert closed(talk)
    assert decision.acts[-1].act is ActKind.CONFIRM


@pytest.mark.parametrize(
    "said",
    ["4 units, no second course", "4. it's the only course i want", "just one class, 4 units", "4 and only this one"],
)
def test_that_one_is_enough_is_understood_beside_other_values(talk: Talk, said: str) -> None:
    decision = talk.say("enroll me in CS 140", "letter", said)
    assert talk.state.instance("course_1").slot("course_num_units").value == 4
    assert decision.acts[-1].act is ActKind.CONFIRM


@pytest.mark.parametrize("answer", ["only 3 units", "just 3"])
def test_how_many_units_says_nothing_of_how_many_courses(talk: Talk, answer: str) -> None:
    talk.say("enroll me in CS 140", "letter", answer)
    assert talk.state.instance("course_1").slot("course_num_units").value == 3
    assert not closed(talk)


def test_yes_another_is_asked_which(talk: Talk) -> None:
    decision = talk.say(*ONE, "yes")
    assert (decision.acts[-1].act, decision.acts[-1].field) == (ActKind.ASK, "course_name")
    assert len(decision.acts) == 1
    talk.say("CS 152")
    assert courses(talk) == ["CS 140", "CS 152"]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("remove the second course please", ["CS 140"]),
        ("drop CS 152", ["CS 140"]),
        ("i dont want CS 152 after all", ["CS 140"]),
        ("leave out the first one", ["CS 152"]),
        ("only CS 152", ["CS 152"]),
        ("only one course, CS 140", ["CS 140"]),
        ("no, just CS 140. not CS 152", ["CS 140"]),
    ],
)
def test_one_of_two_is_taken_away(talk: Talk, said: str, left: list[str]) -> None:
    talk.say(*TWO, said)
    assert courses(talk) == left
    assert closed(talk)


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("wait, CS 152 rather", ["CS 152"]),
        ("I meant CS 152", ["CS 152"]),
        ("no, CS 152", ["CS 152"]),
        ("make that CS 152", ["CS 152"]),
        ("also CS 152", ["CS 140", "CS 152"]),
        ("actually add CS 152 too", ["CS 140", "CS 152"]),
    ],
)
def test_another_takes_the_place_of_the_first_or_is_added_to_it(talk: Talk, said: str, then: list[str]) -> None:
    talk.say("enroll me in CS 140", said)
    assert courses(talk) == then


def test_a_title_beside_its_code_names_the_same_course(talk: Talk) -> None:
    talk.say("enroll me in CS 140, Operating Systems, letter, 4 units")
    assert courses(talk) == ["CS 140"]
    talk.say("no")
    assert closed(talk)


def test_a_title_cut_short_and_glued_units(talk: Talk) -> None:
    talk.say("sign me up for oper systems, letter 4u")
    assert courses(talk) == ["Operating Systems"]
    assert talk.state.instance("course_1").slot("course_num_units").value == 4


@pytest.mark.parametrize("said", ["I want to take operating systems", "put me in CS 140", "we'd like to do CS 140"])
def test_what_is_wished_for_by_its_code_or_title_begins_the_task(talk: Talk, said: str) -> None:
    talk.say(said)
    assert talk.state.focus == "main_1"


@pytest.mark.parametrize(
    "said",
    [
        "I'd like to know more about CS 140",
        "I want to see reviews of CS 140",
        "I need the number of credits of a degree and whether CS 140 belongs to it",
        "I want to understand how CS 140 is graded",
    ],
)
def test_who_wants_to_know_of_a_course_begins_nothing(talk: Talk, said: str) -> None:
    talk.say(said)
    assert not talk.state.instances


def test_a_name_is_found_before_other_details_and_a_no(talk: Talk) -> None:
    talk.say(*ONE, "no", "yes", "Una Roe 05552222 una@uni.edu no")
    assert talk.state.instance("student_info_1").slot("student_name").value == "Una Roe"


def gradings(talk: Talk) -> list[Any]:
    held = talk.state.instance("courses_to_take_1")
    assert held is not None
    inside = [talk.state.instance(str(held.slot(f"course_{index}_details").value)) for index in range(2)]
    return [one.slot("grade_type").value for one in inside if one is not None]


@pytest.mark.parametrize(
    "said",
    [
        "CS 140 and CS 152 please. first letter, second credit/no credit, 3 units each",
        "enroll me in CS 140 with a letter grade and CS 152 credit/no credit, 3 units each",
        "CS 140 and CS 152 for 4 units each, letter for the first and credit for the second",
    ],
)
def test_each_has_a_grading_of_its_own(talk: Talk, said: str) -> None:
    talk.say(said)
    assert courses(talk) == ["CS 140", "CS 152"]
    assert gradings(talk) == ["Letter", "Credit/No Credit"]


def test_a_course_told_with_how_it_is_wanted_is_to_be_taken(talk: Talk) -> None:
    talk.say("CS 152, letter grade, 3 units")
    assert courses(talk) == ["CS 152"]


@pytest.mark.parametrize("said", ["tell me about CS 152 for 3 units", "CS 152 reviews", "is CS 152 letter graded?"])
def test_a_course_that_is_asked_about_is_not_taken(talk: Talk, said: str) -> None:
    talk.say(said)
    assert not any(one.status is InstanceStatus.ACTIVE for one in talk.state.instances)


def test_another_course_that_was_meant_takes_the_place_of_the_one_before(talk: Talk) -> None:
    talk.say("enroll me in CS 140, letter", "oh wait I mean CS 152, and 4 units")
    assert courses(talk) == ["CS 152"]


def test_units_alone_begin_no_further_course(talk: Talk) -> None:
    talk.say("enroll me in CS 140 and CS 152 for 3 units each", "4 units")
    assert courses(talk) == ["CS 140", "CS 152"]
    held = talk.state.instance("courses_to_take_1")
    assert held is not None
    assert held.slot("more_courses_2").value is not True


def test_what_is_denied_beside_two_courses_replaces_neither(talk: Talk) -> None:
    talk.say("enroll me in CS 140 and CS 152, both for a letter, not international")
    assert courses(talk) == ["CS 140", "CS 152"]


def test_units_told_with_another_course_are_of_that_one(talk: Talk) -> None:
    talk.say("enroll me in CS 140 for a letter", "and CS 152 for 3 units")
    held = talk.state.instance("courses_to_take_1")
    units = [
        talk.state.instance(str(held.slot(f"course_{at}_details").value)).slot("course_num_units") for at in (0, 1)
    ]
    assert [slot.value for slot in units] == [None, 3]
