"""Dates, times and lists as sentences say them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time

from django.utils.formats import date_format


def day(when: date, now: datetime) -> str:
    """ "Friday, November 27", with the year where it is not this one."""
    return date_format(when, "l, F j" if when.year == now.year else "l, F j, Y")


def clock(when: time | datetime) -> str:
    """ "19:00"."""
    return f"{when:%H:%M}"


def people(number: int) -> str:
    """ "1 person", "4 people"."""
    return f"{number} person" if number == 1 else f"{number} people"


def listed(items: Sequence[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"
