"""The applications' own worksheets, their policy, and these actions and checks together."""

from __future__ import annotations

from typing import Any

import pytest

from agent.worksheets.applications import load
from agent.worksheets.state import Entity
from agent.worksheets.statements import Assign, Statement
from agent.worksheets.statements import Start as Open
from corpora.models import Restaurant
from hybridchat.effects.models import Enrollment, Reservation, Ticket
from hybridchat.effects.registry import registry_for
from tests.agent.worksheets.bench import Bench, assign, yes
from tests.effects.conftest import FRIDAY, course, meets

DOOR = Entity(table="restaurants", key="blue-door", title="The Blue Door")


def bench(application: str) -> Bench:
    """A conversation with an application, without its language."""
    talk = Bench(load(application))
    talk.registry = registry_for(application, "c1")
    return talk


def open_nested(worksheet: str, instance: str, parent: str, **values: Any) -> list[Statement]:
    """A nested worksheet with values in it."""
    filled = [Assign(instance=instance, field=name, value=value) for name, value in values.items()]
    return [Open(worksheet=worksheet, instance=instance, parent=parent), *filled]


def taking(number: int, name: str, units: int = 3) -> list[Statement]:
    return open_nested(
        "Course",
        f"course_{number + 1}",
        f"courses_to_take_1.course_{number}_details",
        course_name=name,
        grade_type="Letter",
        course_num_units=units,
    )


STUDENT = open_nested(
    "StudentInfo",
    "student_info_1",
    "main_1.student_info_details",
    student_name="Ada Byron",
    student_id="05512345",
    student_email_address="ada@example.org",
    is_international_student=False,
)


async def enrolling(*courses: str) -> Bench:
    """A conversation at the question whether to enroll."""
    talk = bench("courses")
    nested = Open(worksheet="CoursesToTake", instance="courses_to_take_1", parent="main_1.courses_to_take")
    chosen = [statement for number, name in enumerate(courses) for statement in taking(number, name)]
    no_more = assign("courses_to_take_1.more_courses_2", False)
    await talk.say(Open(worksheet="Main", instance="main_1"), nested, *chosen, no_more, *STUDENT)
    await talk.say(yes("courses_to_take_1"))
    return talk


@pytest.fixture
def catalogue(transactional_db: None) -> None:
    course("CS 101", "Programming", meets())
    course("CS 110", "Machines", meets(days="Wed", start="10:30", end="12:00"))
    course("CS 120", "Networks", meets(days="Fri", capacity=5, enrolled=5))


@pytest.mark.usefixtures("catalogue")
async def test_two_courses_of_which_one_is_full_are_enrolled_and_waited_for() -> None:
    talk = await enrolling("Programming", "cs120")
    decision = await talk.say(yes("main_1"))
    (effect,) = decision.effects
    assert [one["status"] for one in effect.result["outcomes"]] == ["enrolled", "waitlisted"]
    assert effect.values["courses_to_take"]["course_0_details"]["course_name"] == "CS 101"
    assert await Enrollment.objects.acount() == 2


@pytest.mark.usefixtures("catalogue")
async def test_of_two_courses_at_the_same_time_the_one_in_the_way_is_asked_again() -> None:
    talk = await enrolling("CS 101", "CS 110")
    decision = await talk.say(yes("main_1"))
    assert decision.effects == ()
    assert not await Enrollment.objects.aexists()
    assert talk.instance("course_1").slot("course_name").value == "CS 101"
    assert talk.instance("course_1").slot("course_name").status == "set"
    assert talk.instance("course_2").slot("course_name").status == "unset"
    await talk.say(assign("course_2.course_name", "CS 120"))
    await talk.say(yes("courses_to_take_1"))
    assert (await talk.say(yes("main_1"))).effects
    assert {one.code async for one in Enrollment.objects.all()} == {"CS 101", "CS 120"}


async def test_a_booking_that_is_full_is_asked_for_another_time_and_then_made(place: Restaurant) -> None:
    start = [assign("user_info_1.user_task", "Book Restaurant")]
    start = [Open(worksheet="UserInfo", instance="user_info_1"), *start]

    async def confirmed(number: int, time: str) -> tuple[Bench, Any]:
        talk = bench("restaurants")
        name = f"book_restaurant_{number}"
        values = {"restaurant": DOOR.model_dump(), "date": FRIDAY, "time": time, "number_of_people": 8}
        values |= {"email": "ada@example.org"}
        filled = [assign(f"{name}.{field}", value) for field, value in values.items()]
        await talk.say(*start, Open(worksheet="BookRestaurant", instance=name), *filled)
        while talk.last.act == "CONFIRM" and talk.last.field != "confirm":
            await talk.say(yes(name, field=talk.last.field))
        return talk, await talk.say(yes(name))

    _, first = await confirmed(1, "19:00")
    assert first.effects[0].result["booking_id"]
    talk, second = await confirmed(2, "19:30")
    assert second.effects == ()
    assert "full at 7:30 pm" in second.acts[0].text
    assert talk.slot("book_restaurant_2.time").status == "unset"
    await talk.say(assign("book_restaurant_2.time", "21:00"))
    assert (await talk.say(yes("book_restaurant_2"))).effects[0].result["time"] == "21:00"
    assert await Reservation.objects.acount() == 2


@pytest.mark.usefixtures("transactional_db")
async def test_a_ticket_is_submitted_with_everything_nested_in_it() -> None:
    talk = bench("services")
    change = {"change_type": "Drop a Course", "course_code": "CS 101", "issue_description": "It does nothing."}
    await talk.say(
        Open(worksheet="Main", instance="main_1"),
        assign("main_1.student_task", "Troubleshoot Student Enrollment"),
        *open_nested(
            "TroubleShootStudentEnrollment",
            "trouble_shoot_student_enrollment_1",
            "main_1.trouble_shoot",
            trouble_shoot_specific_issue="Change Course",
        ),
        *open_nested(
            "ChangeCourse", "change_course_1", "trouble_shoot_student_enrollment_1.change_course_issues", **change
        ),
        assign("main_1.extra_details", "Since yesterday."),
        assign("main_1.full_name", "Ada Byron"),
    )
    decision = await talk.say(yes("main_1"))
    made = await Ticket.objects.aget()
    assert decision.effects[0].result["transaction_id"] == made.reference
    assert made.category == "Troubleshoot Student Enrollment › Change Course › Drop a Course"
    assert ("Course code", "CS 101") in tuple(made.answers())


def one_course(**values: Any) -> list[Statement]:
    """An enrollment with some values of its first course."""
    nested = Open(worksheet="CoursesToTake", instance="courses_to_take_1", parent="main_1.courses_to_take")
    inside = open_nested("Course", "course_1", "courses_to_take_1.course_0_details", **values)
    return [Open(worksheet="Main", instance="main_1"), nested, *inside]


@pytest.fixture
def seminar(transactional_db: None) -> None:
    course("CS 31", "Looms", meets(), min_units=3, max_units=3, grading="Satisfactory/No Credit")
    course("CS 101", "Programming", meets(), grading="Letter or Credit/No Credit")


@pytest.mark.usefixtures("seminar")
async def test_what_a_course_leaves_no_choice_of_is_told_and_not_asked() -> None:
    talk = bench("courses")
    decision = await talk.say(*one_course(course_name="CS 31"))
    slots = talk.instance("course_1").slots
    assert (slots["course_num_units"].value, slots["grade_type"].value) == (3, "Credit/No Credit")
    assert "CS 31 is always taken for 3 units." in [act.text for act in decision.acts]
    await talk.say(assign("course_1.course_name", "CS 101"))
    slots = talk.instance("course_1").slots
    assert (slots["course_num_units"].value, slots["grade_type"].value) == (None, None)


@pytest.mark.usefixtures("seminar")
async def test_units_that_a_course_has_not_are_refused_and_asked_again() -> None:
    talk = bench("courses")
    decision = await talk.say(*one_course(course_name="CS 31", course_num_units=4))
    assert decision.acts[-1].field == "course_num_units"
    assert talk.instance("course_1").slot("course_num_units").options == (3,)


@pytest.mark.usefixtures("seminar")
async def test_a_grading_that_a_course_has_not_is_refused() -> None:
    talk = bench("courses")
    decision = await talk.say(*one_course(course_name="CS 31", grade_type="Letter"))
    assert any("Letter is not possible" in act.text for act in decision.acts)
    assert talk.instance("course_1").slot("grade_type").value is None
