"""One of several courses gives way to another: the one that is meant, or it is asked which."""

from __future__ import annotations

import pytest

from agent.worksheets.acts import ActKind
from tests.agent.tasks.speaking import Talk, Understander
from tests.agent.tasks.test_several import courses

TWO = "enroll me in CS 140 and CS 152, 3 units each"
TITLED = "enroll me in operating systems and machine learning, 3 units each"
GRADED = ("letter for both", "no")


@pytest.fixture
def talk(understander: Understander) -> Talk:
    return Talk(understander, "courses")


@pytest.mark.parametrize("before", [(), GRADED], ids=["before", "at confirmation"])
@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("swap CS 152 for CS 239", ["CS 140", "CS 239"]),
        ("swap CS 140 for CS 239", ["CS 239", "CS 152"]),
        ("could you switch CS 140 to CS 239 please", ["CS 239", "CS 152"]),
        ("replace the first course with CS 239", ["CS 239", "CS 152"]),
        ("instead of CS 140 I'd take CS 239", ["CS 239", "CS 152"]),
        ("CS 239 instead of CS 140", ["CS 239", "CS 152"]),
        ("I'd rather take Practical Rust in place of CS 152", ["CS 140", "Practical Rust"]),
        ("not the second one, make that CS 239", ["CS 140", "CS 239"]),
        ("not the first one, make that Practical Rust", ["Practical Rust", "CS 152"]),
        ("the first one should be CS 239", ["CS 239", "CS 152"]),
        ("exchange the last one for CS 239, letter grade", ["CS 140", "CS 239"]),
        ("take the first one out", ["CS 152"]),
        ("take CS 140 out", ["CS 152"]),
        ("leave the second course off", ["CS 140"]),
    ],
)
def test_the_one_that_is_meant_gives_way(talk: Talk, before: tuple[str, ...], said: str, then: list[str]) -> None:
    talk.say(TWO, *before, said)
    assert courses(talk) == then


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("instead of Machine Learning I'd take Practical Rust", ["operating systems", "Practical Rust"]),
        ("swap operating systems for Practical Rust", ["Practical Rust", "machine learning"]),
        ("not the machine learning one, make it Practical Rust", ["operating systems", "Practical Rust"]),
        ("change the systems course to CS 239", ["CS 239", "machine learning"]),
    ],
)
def test_it_is_known_by_its_title(talk: Talk, said: str, then: list[str]) -> None:
    talk.say(TITLED, *GRADED, said)
    assert courses(talk) == then


@pytest.mark.parametrize(
    "said",
    [
        "change it to CS 239",
        "replace one of them with CS 239",
        "make that CS 239",
        "swap one for CS 239",
        "no, CS 239",
        "CS 239 instead",
    ],
)
@pytest.mark.parametrize(
    ("answer", "then"),
    [
        ("CS 152", ["CS 140", "CS 239"]),
        ("instead of CS 140", ["CS 239", "CS 152"]),
        ("the second one", ["CS 140", "CS 239"]),
        ("the first", ["CS 239", "CS 152"]),
    ],
)
def test_where_it_may_be_any_it_is_asked_which(talk: Talk, said: str, answer: str, then: list[str]) -> None:
    decision = talk.say(TWO, *GRADED, said)
    assert courses(talk) == ["CS 140", "CS 152"]
    assert decision.acts[-1].act is ActKind.ASK
    assert decision.acts[-1].options == ("CS 239 instead of CS 140", "CS 239 instead of CS 152")
    talk.say(answer)
    assert courses(talk) == then


def test_what_is_told_with_it_is_of_the_new_one(talk: Talk) -> None:
    talk.say(TWO, *GRADED, "swap CS 152 for CS 239, 4 units")
    held = talk.state.instance("courses_to_take_1")
    units = [
        talk.state.instance(str(held.slot(f"course_{at}_details").value)).slot("course_num_units").value
        for at in (0, 1)
    ]
    assert courses(talk) == ["CS 140", "CS 239"]
    assert units == [3, 4]


@pytest.mark.parametrize(
    "said", ["and CS 239 too", "add CS 239 as well", "change the grading of CS 152 and add CS 239"]
)
def test_one_more_replaces_none(talk: Talk, said: str) -> None:
    talk.say(TWO, "letter for both", said)
    assert courses(talk)[:2] == ["CS 140", "CS 152"]


def test_two_that_are_held_change_places(talk: Talk) -> None:
    talk.say(TWO, "swap them")
    assert courses(talk) == ["CS 152", "CS 140"]
