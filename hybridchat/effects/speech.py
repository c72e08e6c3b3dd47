"""Dates, times and numbers as the rest of the conversation says them (`agent.worksheets.wording`)."""

from __future__ import annotations

from datetime import date, datetime, time

from agent.worksheets.wording import date_words, time_words


def day(when: date, now: datetime) -> str:
    """ "Friday, November 27"."""
    return date_words(when, now.date())


def clock(when: time | datetime) -> str:
    """ "7:30 pm"."""
    return time_words(when.time() if isinstance(when, datetime) else when)


def people(number: int) -> str:
    """ "1 person", "4 people"."""
    return f"{number} person" if number == 1 else f"{number} people"
