"""The course assistant's actions: enroll, and drop a course."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agent.worksheets.actions import Call, Refusal, Registry, Result
from agent.worksheets.state import Entity
from hybridchat.chat.threads import in_thread
from hybridchat.effects import enrollments
from hybridchat.effects.belonging import belonging
from hybridchat.effects.catalogue import course_named
from hybridchat.effects.enrollments import Choice, Student
from hybridchat.effects.models import Enrollment, Receipt
from hybridchat.effects.once import once
from hybridchat.effects.values import as_entity_key, as_whole, local, text

registry = Registry()


@registry.action("enroll")
async def enroll(call: Call, *, courses: Any, student: Any) -> Result:
    """Enroll a student in courses, all in one transaction, each with its own outcome.

    `courses` is a CoursesToTake (its nested courses, in order) or a list of courses; `student` a StudentInfo.
    """

    def act(receipt: Receipt) -> Result:
        who = _student(student)
        choices = [choice_of(field, one) for field, one in courses_in(courses)]
        return enrollments.enroll(receipt, belonging(call.conversation), who, choices, local(call.now))

    return await in_thread(once, call, "enroll", act)


@registry.action("drop")
async def drop(call: Call, *, enrollment: Entity) -> Result:
    """Drop one of one's own courses, or leave its waitlist."""

    def act(receipt: Receipt) -> Result:
        return enrollments.drop(own_enrollment(call.conversation, enrollment))

    return await in_thread(once, call, "drop", act)


def own_enrollment(conversation: str, value: Any) -> Enrollment:
    """The enrollment that a field holds, or that some words mean. Raises `Refusal` if it is none of one's own."""
    whose = belonging(conversation)
    if isinstance(value, str):
        return enrollments.find(whose, text(value))
    made = Enrollment.objects.filter(whose.holds(), reference=as_entity_key(value)).first()
    if made is None:
        raise Refusal("That is not one of your courses.", "enrollment")
    return made


def courses_in(courses: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the courses with the field of the worksheet that holds each."""
    if isinstance(courses, Mapping):
        named = courses.items()
    else:
        named = ((f"course_{number}_details", one) for number, one in enumerate(courses or ()))
    for field, one in named:
        if isinstance(one, Mapping) and one.get("course_name"):
            yield field, one


def choice_of(field: str, course: Mapping[str, Any]) -> Choice:
    """Return the course of one of them, as it is to be taken. Raises `Refusal` if a value is none."""
    units = as_whole(course.get("course_num_units"), f"{field}.course_num_units", "units")
    named = course_named(text(course["course_name"]), f"{field}.course_name")
    return Choice(named, text(course.get("grade_type")), units, field)


def _student(student: Any) -> Student:
    said = student if isinstance(student, Mapping) else {}
    needed = ("student_name", "student_id", "student_email_address")
    for field in needed:
        if not text(said.get(field)):
            raise Refusal(f"The {field.replace('_', ' ')} is still missing.", field)
    return Student(*(text(said[field]) for field in needed), said.get("is_international_student"))
