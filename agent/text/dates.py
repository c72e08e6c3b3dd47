"""Dates in figures: 2024-02-16, 31.12.2019, 16/02/2024, 2/16/24.

Between points the day stands first. Between slashes or hyphens a number above 12 is the day; where neither is, another
date in the same text tells which stands first, and where there is none the month does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

FIGURES = re.compile(
    r"(?<![\d./-])(?:(?P<iso>\d{4})(?P<mark>[./-])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})"
    r"|(?P<first>\d{1,2})(?P<sign>[./-])(?P<second>\d{1,2})(?P=sign)(?P<year>\d{4}|\d{2}))(?![\d/-]|\.\d)"
)
_CENTURY = 70  # two figures below are a year of this century


@dataclass(frozen=True, slots=True)
class Written:
    """A date that stands at characters `start:stop` of a text."""

    day: date
    start: int
    stop: int


def dates_in(text: str, context: str = "") -> Iterator[Written]:
    """Yield the dates written in figures in a text, in its order; `context` is the text around it, if there is more."""
    day_first = _day_first(context or text)
    for found in FIGURES.finditer(text):
        day = _read(found, day_first)
        if day is not None:
            yield Written(day, found.start(), found.end())


def _day_first(text: str) -> bool:
    """Whether the day stands first in dates between slashes or hyphens, as far as the text tells."""
    told = [(int(one["first"]), int(one["second"])) for one in FIGURES.finditer(text) if one["first"]]
    return sum((first > 12) - (second > 12) for first, second in told) > 0


def _read(found: re.Match[str], day_first: bool) -> date | None:
    if found["iso"]:
        return calendar_day(int(found["iso"]), int(found["month"]), int(found["day"]))
    first, second, year = int(found["first"]), int(found["second"]), int(found["year"])
    if len(found["year"]) == 2:
        year += 2000 if year < _CENTURY else 1900
    if found["sign"] == "." or first > 12 or (day_first and second <= 12):
        return calendar_day(year, second, first)
    return calendar_day(year, first, second)


def calendar_day(year: int, month: int, day: int) -> date | None:
    """Return a day of the calendar; None where there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
