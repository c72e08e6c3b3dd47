"""Machine values as Python's own: an action may be given either."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any

from django.utils import timezone

from agent.worksheets.actions import Refusal
from agent.worksheets.state import Entity


def as_date(value: Any, field: str = "date") -> date:
    """Return "2026-11-27" as a date. Raise `Refusal` if it is not one."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value))
    except ValueError as error:
        raise Refusal(f"“{value}” is not a date I can read. Try one like November 27.", field) from error


def as_time(value: Any, field: str = "time") -> time:
    """Return "19:00" as a time, without seconds. Raise `Refusal` if it is not one."""
    try:
        read = value if isinstance(value, time) else time.fromisoformat(str(value))
    except ValueError as error:
        raise Refusal(f"“{value}” is not a time I can read. Try one like 19:00 or 7 pm.", field) from error
    return read.replace(second=0, microsecond=0, tzinfo=None)


def as_whole(value: Any, field: str, what: str) -> int:
    """Return 4, "4" or 4.0 as 4. Raise `Refusal`, which names `what`, if it is not a whole number."""
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise Refusal(f"“{value}” is not a number of {what}. Try a number such as 2.", field) from error
    if isinstance(value, bool) or number != int(number):
        raise Refusal(f"{value} is not a whole number of {what}.", field)
    return int(number)


def as_entity_key(value: Any) -> str:
    """Return the key of an entity, given as an `Entity`, as JSON, or as the key itself."""
    if isinstance(value, Entity):
        return value.key
    if isinstance(value, Mapping):
        return str(value.get("key", ""))
    return str(value)


def text(value: Any) -> str:
    """Return text without surrounding or doubled spaces; "" if unset."""
    return "" if value is None else " ".join(str(value).replace("\0", "").split())


def local(now: datetime) -> datetime:
    """Return the moment in local time, without a time zone."""
    return timezone.localtime(now).replace(tzinfo=None) if timezone.is_aware(now) else now
