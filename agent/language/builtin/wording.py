"""Values and names in words, for replies."""

from __future__ import annotations

import re
from datetime import date, time
from typing import Any

from agent.english import listed
from agent.worksheets.wording import time_words

__all__ = ["hours", "identifier_in_words", "listed", "number", "readable", "said_plainly"]

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_IDENTIFIER = re.compile(r"[a-z]+(?:_[a-z]+)+")
SMALL_HOURS = "06:00"  # until which a night goes on
DAYS = {"mon": "Mon", "tue": "Tue", "wed": "Wed", "thu": "Thu", "fri": "Fri", "sat": "Sat", "sun": "Sun"}


def number(count: int) -> str:
    """Small numbers as words."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else f"{count:,}"


def readable(value: Any) -> str:
    """A value of a row as a person would write it."""
    match value:
        case None:
            return "no information"
        case bool():
            return "yes" if value else "no"
        case int():
            return str(value)
        case float():
            return f"{value:.2f}".rstrip("0").rstrip(".")
        case date():
            return f"{value:%B} {value.day}, {value.year}"
        case time():
            return time_words(value)
        case dict():
            return hours(value)
        case list() | tuple():
            return listed([readable(item) for item in value]) or "none"
    return identifier_in_words(str(value))


def identifier_in_words(text: str) -> str:
    """A value of a closed vocabulary that is spelled as an identifier: "people_and_society" is people and society."""
    return text.replace("_", " ") if _IDENTIFIER.fullmatch(text) else text


def hours(week: dict[str, list[list[str]]]) -> str:
    """Opening hours by day, days that are alike together: "Tue-Fri 17:00-22:00; Mon closed"."""
    groups: list[tuple[list[str], str]] = []
    week = through_the_night(week)
    for day, shown in DAYS.items():
        times = ", ".join("-".join(stretch) for stretch in week.get(day, [])) or "closed"
        if groups and groups[-1][1] == times:
            groups[-1][0].append(shown)
        else:
            groups.append(([shown], times))
    return "; ".join(f"{days[0] if len(days) == 1 else f'{days[0]}-{days[-1]}'} {times}" for days, times in groups)


def through_the_night(week: dict[str, list[list[str]]]) -> dict[str, list[list[str]]]:
    """Opening hours in which a night belongs to the day it begins on: "Sat 17:00-02:00", not "Sun 00:00-02:00"."""
    days = list(DAYS)
    joined = {day: [list(stretch) for stretch in week.get(day, [])] for day in days}
    for day, after in zip(days, [*days[1:], days[0]], strict=True):
        ends = joined[day] and joined[day][-1][1] == "24:00" and joined[day][-1][0] != "00:00"
        goes_on = week.get(after) and week[after][0][0] == "00:00" and week[after][0][1] <= SMALL_HOURS
        if ends and goes_on:
            joined[day][-1][1] = joined[after].pop(0)[1]
    return joined


def said_plainly(name: str, end: str = ".") -> str:
    """A column's name or a note as words: "avg_rating" -> "average rating"."""
    words = name.replace("_", " ").strip()
    words = words.replace("avg", "average").replace("num ", "number of ")
    words = re.sub(r"(?<=\w) names$", "s", words)  # "instructor names" are instructors
    return words if not end or words.endswith((".", "!", "?")) else words + end
