"""Checks of the enrollment worksheets."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from agent.worksheets.actions import Check, Refusal, Registry, Sole
from agent.worksheets.state import Entity
from corpora.models import Course
from hybridchat.chat.threads import in_thread
from hybridchat.effects import enrollments
from hybridchat.effects.actions.courses import choice_of, courses_in, own_enrollment, registry
from hybridchat.effects.catalogue import course_named
from hybridchat.effects.checks.contact import email_check, name_check, student_id_check
from hybridchat.effects.enrollments import check_grading, check_units, foreseen, gradings_of
from hybridchat.effects.values import as_entity_key, as_whole, local


@registry.check("Course", "course_name")
async def course_name(value: Any, known: Mapping[str, Any], now: datetime) -> str:
    """Find a course's main code from a code, a title or a misspelled title; it must allow the units given before."""

    def check() -> str:
        course = course_named(as_entity_key(value))
        if known.get("course_num_units") is not None:
            check_units(course, as_whole(known["course_num_units"], "course_num_units", "units"))
        return course.code

    return await in_thread(check)


@registry.check("Course", "course_num_units")
async def course_num_units(value: Any, known: Mapping[str, Any], now: datetime) -> int:
    """Check units: within the course's range once the course is known, a positive number before."""

    def check() -> int:
        units = as_whole(value, "course_num_units", "units")
        if known.get("course_name") is None:
            return units
        return check_units(course_named(as_entity_key(known["course_name"])), units)

    return await in_thread(check)


@registry.sole("Course", "course_num_units")
async def sole_units(known: Mapping[str, Any], now: datetime) -> Sole | None:
    """Return the units of a course that allows only one number of them."""

    def one() -> Sole | None:
        course = _known_course(known)
        if course is None or course.min_units != course.max_units:
            return None
        units = f"{course.min_units} unit{'' if course.min_units == 1 else 's'}"
        return Sole(course.min_units, f"{course.code} is always taken for {units}.")

    return await in_thread(one)


@registry.check("Course", "grade_type")
async def grade_type(value: Any, known: Mapping[str, Any], now: datetime) -> str:
    """Check that the course offers this grading, once the course is known."""

    def check() -> str:
        course = _known_course(known)
        if course is not None:
            check_grading(course, str(value))
        return str(value)

    return await in_thread(check)


@registry.sole("Course", "grade_type")
async def sole_grading(known: Mapping[str, Any], now: datetime) -> Sole | None:
    """Return the grading of a course that offers only one."""

    def one() -> Sole | None:
        course = _known_course(known)
        gradings = gradings_of(course) if course is not None else ()
        if course is None or len(gradings) != 1:
            return None
        return Sole(gradings[0], f"{course.code} is graded {course.grading}, so that is the grading.")

    return await in_thread(one)


@registry.wish("Course", "course_name")
async def when_it_is_held(words: str, known: Mapping[str, Any], now: datetime) -> str:
    """Return the quarter and times of a course, for students who want to choose them."""

    def tell() -> str:
        try:
            return enrollments.held_next(course_named(as_entity_key(known["course_name"])), local(now), words)
        except Refusal as refusal:
            return refusal.sentence

    return await in_thread(tell)


@registry.outlook("CoursesToTake", "confirm")
async def what_comes_of_it(values: Mapping[str, Any], now: datetime) -> str:
    """Return the quarters and times of the courses, to show before the confirmation."""

    def tell() -> str:
        try:
            return foreseen([choice_of(field, one) for field, one in courses_in(values)], local(now))
        except Refusal as refusal:  # told now already; enrolling is what refuses
            return refusal.sentence

    return await in_thread(tell)


def enrollment_check(conversation: str) -> Check:
    """Find a course that the conversation's owner is enrolled in or waits for."""

    async def enrollment(value: Any, known: Mapping[str, Any], now: datetime) -> Entity:
        def find() -> Entity:
            return enrollments.as_entity(own_enrollment(conversation, value))

        return await in_thread(find)

    return enrollment


def registry_of(conversation: str) -> Registry:
    """Return the registry of the course assistant for one conversation."""
    own = {("DropCourse", "enrollment"): enrollment_check(conversation)}
    return dataclasses.replace(registry, checks=registry.checks | own)


def _known_course(known: Mapping[str, Any]) -> Course | None:
    """The course that the worksheet holds: it was checked when it was put down."""
    named = known.get("course_name")
    return course_named(as_entity_key(named)) if named is not None else None


registry.check("StudentInfo", "student_name")(name_check("student_name"))
registry.check("StudentInfo", "student_id")(student_id_check("student_id"))
registry.check("StudentInfo", "student_email_address")(email_check("student_email_address"))
