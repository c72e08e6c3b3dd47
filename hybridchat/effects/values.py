"""Machine values as Python's own: an action may be given either."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any

from django.utils import timezone

from agent.worksheets.actions import Refusal
from agent.worksheets.state import Entity


def as_date(value: Any, field: str = "date") -> date:
    """ "2026-11-27" as a date. Raises `Refusal` where it is none."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value))
    except ValueError as error:
        raise Refusal(f"“{value}” is not a day I can read. A date like November 27 would do.", field) from error


def as_time(value: Any, field: str = "time") -> time:
    """ "19:00" as a time, without seconds. Raises `Refusal` where it is none."""
    try:
        read = value if isinstance(value, time) else time.fromisoformat(str(value))
    except ValueError as error:
        raise Refusal(f"“{value}” is not a time I can read. One like 19:00 or 7 pm would do.", field) from error
    return read.replace(second=0, microsecond=0, tzinfo=None)


def as_whole(value: Any, field: str, what: str) -> int:
    """4, "4" or 4.0 as 4. Raises `Refusal` where it is no whole number; `what` names it for the person."""
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise Refusal(f"“{value}” is not a number of {what}. A number such as 2 would do.", field) from error
    if isinstance(value, bool) or number != int(number):
        raise Refusal(f"{value} is not a whole number of {what}.", field)
    return int(number)


def as_entity_key(value: Any) -> str:
    """The key of an entity, however it is spelt: an `Entity`, one as JSON, or the key itself."""
    if isinstance(value, Entity):
        return value.key
    if isinstance(value, Mapping):
        return str(value.get("key", ""))
    return str(value)


def text(value: Any) -> str:
    """Text without surrounding or doubled space; "" for what is unset."""
    return "" if value is None else " ".join(str(value).replace("\0", "").split())


def local(now: datetime) -> datetime:
    """The moment by the clock on the wall here, without a time zone."""
    return timezone.localtime(now).replace(tzinfo=None) if timezone.is_aware(now) else now
