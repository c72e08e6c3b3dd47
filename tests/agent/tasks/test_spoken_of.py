"""What words are about within a task: the thing it has named, the field they belong to, or nothing at all."""

import pytest

from agent.worksheets.state import SlotStatus
from tests.agent.tasks.speaking import Talk, Understander


@pytest.fixture
def courses(understander: Understander) -> Talk:
    return Talk(understander, "courses")


@pytest.fixture
def services(understander: Understander) -> Talk:
    return Talk(understander, "services")


@pytest.mark.parametrize(
    "asked", ["who teaches it?", "when does it meet?", "is it hard", "does that course have labs?"]
)
def test_it_is_the_course_that_the_task_names(courses: Talk, understander: Understander, asked: str) -> None:
    courses.say("enroll me in CS 140", asked)
    assert "CS 140" in courses.asked


@pytest.mark.parametrize("asked", ["does it conflict with CS 152?", "do CS 140 and CS 152 overlap?"])
def test_whether_courses_overlap_is_told_by_when_each_is_held(courses: Talk, asked: str) -> None:
    courses.say("enroll me in CS 140", asked)
    assert courses.asked == "when do CS 140 and CS 152 meet?"


def test_a_stretch_of_units_is_no_grading(courses: Talk) -> None:
    courses.say("enroll me in CS 140", "3-4 units")
    assert courses.state.instance("course_1").slot("grade_type").status is SlotStatus.UNSET
    courses.say("4")
    assert courses.state.instance("course_1").slot("course_num_units").value == 4


def test_a_choice_alone_is_of_the_course_before_the_one_asked_for(courses: Talk) -> None:
    courses.say("enroll me in CS 140 for 4 units, letter grade", "credit/no credit")
    assert courses.state.instance("course_1").slot("grade_type").value == "Credit/No Credit"


def test_what_is_put_right_is_no_description(services: Talk) -> None:
    services.say("I want to change the units of CS 140", "actually not change units, I want to drop it")
    (change,) = [one for one in services.state.instances if one.worksheet == "ChangeCourse"]
    assert change.slot("change_type").value == "Drop a Course"
    assert change.slot("issue_description").value is None


def test_no_special_request_is_none(understander: Understander) -> None:
    talk = Talk(understander, "restaurants")
    talk.say("book Quorum for 2 on Friday at 7, no special requests")
    assert talk.state.instance("book_restaurant_1").slot("special_request_info").status is SlotStatus.UNSET


def test_the_same_course_once_more_counts_once(courses: Talk) -> None:
    decision = courses.say("enroll me in CS 140 for 4 units, letter grade", "CS 140")
    assert "already" in decision.acts[0].text


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("how many hours?", "how many hours in CS 140?"),
        ("any prerequisites?", "any prerequisites in the course CS 140?"),
        ("are there many assignments?", "are there many assignments in CS 140?"),
        ("is it hard?", "is CS 140 hard?"),
        ("is CS 152 hard?", "is CS 152 hard?"),
        ("which courses are easier?", "which courses are easier?"),
    ],
)
def test_what_is_asked_in_passing_is_about_the_course_that_is_chosen(
    understander: Understander, said: str, asked: str
) -> None:
    talk = Talk(understander, "courses")
    talk.say("enroll me in CS 140", said)
    assert talk.asked == asked
