"""How a person can be reached, and who they are: shapes that any application checks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from agent.worksheets.actions import Check, Refusal
from hybridchat.effects.speech import day
from hybridchat.effects.values import as_date, local, text

OLDEST = 120  # years
_DIGITS_OF_A_PHONE = range(7, 16)  # E.164 ends at 15
_STUDENT_ID = re.compile(r"(?=.*\d)[A-Za-z0-9][A-Za-z0-9-]{3,19}")


def email_check(field: str) -> Check:
    """Check an e-mail address."""

    async def check_email(value: Any, known: Mapping[str, Any], now: datetime) -> str:
        address = text(value).removeprefix("mailto:")
        try:
            validate_email(address)
        except ValidationError as error:
            raise Refusal(
                f"“{address}” is not an e-mail address. It should look like name@example.org.", field
            ) from error
        return address

    return check_email


def phone_check(field: str) -> Check:
    """Check a phone number in any format."""

    async def check_phone(value: Any, known: Mapping[str, Any], now: datetime) -> str:
        number = text(value)
        digits = re.sub(r"\D", "", number)
        if len(digits) not in _DIGITS_OF_A_PHONE or re.search(r"[^\d\s()+./-]", number.split("ext")[0].rstrip()):
            raise Refusal(f"“{number}” is not a phone number. It should look like (650) 555-0100.", field)
        return number

    return check_phone


def student_id_check(field: str) -> Check:
    """Check a student ID: 4 to 20 letters and digits, at least one a digit; dashes and spaces are allowed."""

    async def check_student_id(value: Any, known: Mapping[str, Any], now: datetime) -> str:
        given = text(value)
        compact = given.replace(" ", "").lstrip("#")
        if not _STUDENT_ID.fullmatch(compact):
            raise Refusal(
                f"“{given}” does not look like a student ID: those are 4 to 20 digits or letters, such as 05512345.",
                field,
            )
        return compact

    return check_student_id


def name_check(field: str) -> Check:
    """Check a person's name: some letters, and no address or number."""

    async def check_name(value: Any, known: Mapping[str, Any], now: datetime) -> str:
        name = text(value)
        if not re.search(r"[^\W\d_]", name) or re.search(r"[@\d<>]", name) or len(name) > 200:
            raise Refusal(f"“{name}” does not look like a name.", field)
        return name

    return check_name


def past_date_check(field: str, what: str) -> Check:
    """Check a day up to today, or a month that has begun ("2026-06"); `what` happened then."""

    async def check_past_date(value: Any, known: Mapping[str, Any], now: datetime) -> str:
        month = isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}", value) is not None
        read = as_date(f"{value}-01" if month else value, field)
        if read > local(now).date():
            raise Refusal(f"{what} cannot be in the future, and {day(read, now)} is.", field)
        return read.isoformat()[:7] if month else read.isoformat()

    return check_past_date


def birth_date_check(field: str) -> Check:
    """Check the date of birth of a person who may be alive."""

    async def check_birth_date(value: Any, known: Mapping[str, Any], now: datetime) -> str:
        born, today = as_date(value, field), local(now).date()
        if born >= today:
            raise Refusal(f"A date of birth must be in the past; {born:%B} {born.day}, {born.year} is not.", field)
        if born < date(today.year - OLDEST, today.month, 1):
            raise Refusal(f"{born:%B} {born.day}, {born.year} is too long ago for a date of birth.", field)
        return born.isoformat()

    return check_birth_date
