"""Checks of the enrollment worksheets."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from hybridchat.chat.threads import in_thread
from hybridchat.effects.actions.courses import registry
from hybridchat.effects.catalogue import course_named
from hybridchat.effects.checks.contact import email_check, name_check, student_id_check
from hybridchat.effects.enrollments import check_units
from hybridchat.effects.values import as_entity_key, as_whole


@registry.check("Course", "course_name")
async def course_name(value: Any, known: Mapping[str, Any], now: datetime) -> str:
    """A course's main code, from a code, a title or a misspelt title; its units must fit those given before."""

    def check() -> str:
        course = course_named(as_entity_key(value))
        if known.get("course_num_units") is not None:
            check_units(course, as_whole(known["course_num_units"], "course_num_units", "units"))
        return course.code

    return await in_thread(check)


@registry.check("Course", "course_num_units")
async def course_num_units(value: Any, known: Mapping[str, Any], now: datetime) -> int:
    """Units within the course's range, once the course is known; a positive number before."""

    def check() -> int:
        units = as_whole(value, "course_num_units", "units")
        if known.get("course_name") is None:
            return units
        return check_units(course_named(as_entity_key(known["course_name"])), units)

    return await in_thread(check)


registry.check("StudentInfo", "student_name")(name_check("student_name"))
registry.check("StudentInfo", "student_id")(student_id_check("student_id"))
registry.check("StudentInfo", "student_email_address")(email_check("student_email_address"))
