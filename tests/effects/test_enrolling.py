"""Enrolling in courses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from agent.worksheets.actions import Call, Refusal
from corpora.models import Course
from hybridchat.chat.models import Conversation
from hybridchat.effects.actions.courses import drop, enroll
from hybridchat.effects.checks.courses import registry
from hybridchat.effects.models import Enrollment
from hybridchat.effects.registry import registry_for
from tests.effects.conftest import NOW, course, meets

Calls = Callable[..., Call]
STUDENT = {
    "student_name": "Ada Byron",
    "student_id": "05512345",
    "student_email_address": "ada@example.org",
    "is_international_student": False,
}


def chosen(*courses: tuple[str, int] | str, grade: str = "Letter") -> dict[str, Any]:
    """A CoursesToTake with these courses."""
    pairs = [one if isinstance(one, tuple) else (one, 4) for one in courses]
    return {
        f"course_{number}_details": {"course_name": name, "grade_type": grade, "course_num_units": units}
        for number, (name, units) in enumerate(pairs)
    }


async def held() -> list[tuple[str, str]]:
    return [(one.code, one.status) async for one in Enrollment.objects.order_by("code")]


@pytest.fixture
def catalogue(transactional_db: None) -> None:
    course("CS 101", "Programming", meets())
    course("CS 102", "Abstractions", meets(days="Tue Thu"), prerequisite_course_codes=["CS 101"])
    course("CS 110", "Machines", meets(days="Wed", start="10:30", end="12:00"))
    course("CS 120", "Networks", meets(days="Mon", capacity=5, enrolled=5))
    course("CS 130", "Proofs", meets(days="Mon"), meets(season="spring", days="Mon"))


@pytest.mark.usefixtures("catalogue")
async def test_all_courses_of_a_confirmation_are_enrolled_with_what_was_said(call: Calls) -> None:
    result = await enroll(call(), courses=chosen("CS 101", ("CS 102", 3)), student=STUDENT)
    assert await held() == [("CS 101", "enrolled"), ("CS 102", "enrolled")]
    made = await Enrollment.objects.aget(code="CS 102")
    assert (made.units, made.grade_type, made.student_id, made.term) == (3, "Letter", "05512345", "winter 2027")
    assert result.values["success"] is True
    assert [one["status"] for one in result.values["outcomes"]] == ["enrolled", "enrolled"]
    assert result.values["transaction_id"] in result.sentence


@pytest.mark.usefixtures("catalogue")
async def test_a_full_course_is_waited_for_and_the_other_enrolled(call: Calls) -> None:
    result = await enroll(call(), courses=chosen("CS 120", "CS 102"), student=STUDENT)
    assert await held() == [("CS 102", "enrolled"), ("CS 120", "waitlisted")]
    assert (
        "CS 120 Networks (winter 2027, Mon, 10:00 am to 11:00 am) is full: you are number 1 on its waitlist."
        in result.sentence
    )
    assert "You are enrolled in CS 102" in result.sentence


@pytest.mark.usefixtures("catalogue")
@pytest.mark.parametrize(
    ("courses", "told"),
    [
        (["CS 101"], "CS 101 Programming would be in winter 2027, Mon and Wed, 10:00 am to 11:00 am."),
        (["CS 120"], "is full in winter 2027, Mon, 10:00 am to 11:00 am: you would be put on its waitlist."),
        (["CS 102"], "CS 102 requires CS 101 first"),
        (["CS 130", "CS 101"], "CS 130 Proofs would be in spring 2027"),
        (["CS 101", "CS 110"], "is held at the same time as"),
    ],
)  # fmt: skip
async def test_what_a_yes_would_come_to_is_told_beforehand(courses: list[str], told: str) -> None:
    assert told in await registry.outlooks["CoursesToTake", "confirm"](chosen(*courses), NOW)


@pytest.mark.usefixtures("catalogue")
async def test_who_wishes_for_a_quarter_is_told_which_one_it_is() -> None:
    said = await registry.unmet["Course", "course_name"]("in spring", {"course_name": "CS 130"}, NOW)
    assert said.startswith("You can't choose the quarter: you enroll in CS 130 for the next time it is held, ")
    assert "winter 2027, Mon" in said
    said = await registry.unmet["Course", "course_name"]("for winter", {"course_name": "CS 130"}, NOW)
    assert said.startswith("CS 130 is next held in winter 2027, Mon")
    assert await held() == []


@pytest.mark.usefixtures("catalogue")
async def test_courses_at_the_same_time_are_refused_and_nothing_is_done(call: Calls) -> None:
    with pytest.raises(Refusal, match="at the same time as") as refusal:
        await enroll(call(), courses=chosen("CS 101", "CS 110"), student=STUDENT)
    assert refusal.value.field == "course_1_details.course_name"
    assert await held() == []


@pytest.mark.usefixtures("catalogue")
async def test_a_course_gives_way_to_a_quarter_in_which_it_fits(call: Calls) -> None:
    await enroll(call(), courses=chosen("CS 130", "CS 101"), student=STUDENT)
    terms = {one.code: one.term async for one in Enrollment.objects.all()}
    assert terms == {"CS 101": "winter 2027", "CS 130": "spring 2027"}


@pytest.mark.usefixtures("catalogue")
async def test_courses_held_already_count_for_conflicts(call: Calls) -> None:
    await enroll(call(), courses=chosen("CS 101"), student=STUDENT)
    with pytest.raises(Refusal, match="at the same time as CS 101"):
        await enroll(call(), courses=chosen("CS 110"), student=STUDENT)


@pytest.mark.usefixtures("catalogue")
async def test_another_students_courses_do_not_count(call: Calls) -> None:
    await enroll(call(), courses=chosen("CS 101"), student=STUDENT)
    await enroll(call(), courses=chosen("CS 110"), student={**STUDENT, "student_id": "777888"})
    assert await Enrollment.objects.acount() == 2


@pytest.mark.usefixtures("catalogue")
async def test_nobody_is_enrolled_twice(call: Calls) -> None:
    await enroll(call(), courses=chosen("CS 101"), student=STUDENT)
    with pytest.raises(Refusal, match="already enrolled in CS 101 for winter 2027"):
        await enroll(call(), courses=chosen("CS 102", "CS 101"), student=STUDENT)
    assert await held() == [("CS 101", "enrolled")]


@pytest.mark.usefixtures("catalogue")
async def test_who_signed_in_since_still_holds_what_they_had(
    call: Calls, conversation: Conversation, django_user_model: Any
) -> None:
    await enroll(call(), courses=chosen("CS 101"), student=STUDENT)
    conversation.user = await django_user_model.objects.acreate(username="ada")
    await conversation.asave()
    with pytest.raises(Refusal, match="already"):
        await enroll(call(), courses=chosen("CS 101"), student=STUDENT)


@pytest.mark.usefixtures("catalogue")
async def test_what_somebody_else_typed_neither_blocks_nor_shows(call: Calls) -> None:
    await enroll(call(), courses=chosen("CS 101"), student=STUDENT)
    await enroll(call(conversation_id="another terminal"), courses=chosen("CS 101"), student=STUDENT)
    assert await held() == [("CS 101", "enrolled")] * 2


@pytest.mark.usefixtures("catalogue")
async def test_a_course_chosen_twice_is_refused(call: Calls) -> None:
    with pytest.raises(Refusal, match="CS 101 was chosen twice"):
        await enroll(call(), courses=chosen("CS 101", "CS 101"), student=STUDENT)


@pytest.mark.usefixtures("catalogue")
@pytest.mark.parametrize("units", [0, 2, 6])
async def test_units_outside_the_courses_range_are_refused(call: Calls, units: int) -> None:
    with pytest.raises(Refusal, match="can be taken for 3 to 5 units") as refusal:
        await enroll(call(), courses=chosen(("CS 101", units)), student=STUDENT)
    assert refusal.value.alternatives == (3, 4, 5)
    assert await held() == []


@pytest.mark.usefixtures("catalogue")
async def test_a_missing_prerequisite_is_a_warning(call: Calls) -> None:
    result = await enroll(call(), courses=chosen("CS 102"), student=STUDENT)
    assert "CS 102 requires CS 101 first" in result.sentence
    assert await held() == [("CS 102", "enrolled")]


@pytest.mark.usefixtures("catalogue")
async def test_a_course_without_offerings_is_refused(call: Calls) -> None:
    await sync_to_async(course)("CS 900", "Ghosts")
    with pytest.raises(Refusal, match="CS 900 Ghosts is not currently offered"):
        await enroll(call(), courses=chosen("CS 900"), student=STUDENT)


@pytest.mark.usefixtures("catalogue")
async def test_a_quarter_that_has_long_begun_is_next_years(call: Calls) -> None:
    await sync_to_async(course)("CS 910", "Leaves", meets(season="autumn"))
    await enroll(call(), courses=chosen("CS 910"), student=STUDENT)
    assert (await Enrollment.objects.aget()).term == "autumn 2027"


@pytest.mark.usefixtures("catalogue")
async def test_a_letter_for_a_course_that_gives_none_is_warned_of(call: Calls) -> None:
    await Course.objects.filter(title="Programming").aupdate(grading="Satisfactory/No Credit")
    result = await enroll(call(), courses=chosen("CS 101"), student=STUDENT)
    assert "CS 101 is graded Satisfactory/No Credit, so it will not give a letter." in result.sentence


@pytest.mark.usefixtures("catalogue")
async def test_ones_own_course_is_found_and_dropped_and_nobody_elses(call: Calls, conversation: Conversation) -> None:
    made = await enroll(call(), courses=chosen("CS 101", "CS 102"), student=STUDENT)
    find = registry_for("courses", str(conversation.pk)).checks["DropCourse", "enrollment"]
    found = await find("please drop cs102", {}, NOW)
    assert found.title == "CS 102 Abstractions (winter 2027)"
    assert (await find("the one on abstractions", {}, NOW)) == found
    with pytest.raises(Refusal, match="Which course do you mean"):
        await find(made.values["transaction_id"], {}, NOW)  # it stands for both
    with pytest.raises(Refusal, match="You are not enrolled in CS 110"):
        await find("drop CS 110", {}, NOW)
    with pytest.raises(Refusal, match="not enrolled in any course") as refusal:
        await registry_for("courses", "elsewhere").checks["DropCourse", "enrollment"]("CS 102", {}, NOW)
    assert refusal.value.final
    with pytest.raises(Refusal, match="not one of your courses"):
        await drop(call(conversation_id="another terminal"), enrollment=found)
    await drop(call(), enrollment=found)
    assert await held() == [("CS 101", "enrolled"), ("CS 102", "dropped")]


@pytest.mark.usefixtures("catalogue")
async def test_a_reference_may_look_like_a_code(call: Calls, conversation: Conversation) -> None:
    await enroll(call(), courses=chosen("CS 101"), student=STUDENT)
    await Enrollment.objects.aupdate(reference="MRJR9M")
    find = registry_for("courses", str(conversation.pk)).checks["DropCourse", "enrollment"]
    assert (await find("drop MRJR9M", {}, NOW)).key == "MRJR9M"
    with pytest.raises(Refusal, match="You are not enrolled in"):
        await find("drop KQJR9M", {}, NOW)
