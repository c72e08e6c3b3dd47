"""Values and names in words, for replies."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date, datetime, time
from typing import Any

from agent.backends.builtin.reading.opinions import topic_of, topic_of_amount
from agent.text.english import listed
from agent.worksheets.wording import time_words

__all__ = ["OnDays", "days_named", "identifier_in_words", "listed", "number", "on_days", "readable", "said_plainly"]

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_IDENTIFIER = re.compile(r"[a-z]+(?:_[a-z]+)+")
SMALL_HOURS = "06:00"  # until which a night goes on
WHOLE_DAY = ("00:00", "24:00")
MORNING = 5  # o'clock: until then it is still the night before
_WHOLE = {"mon": "Monday", "tue": "Tuesday", "wed": "Wednesday", "thu": "Thursday", "fri": "Friday", "sat": "Saturday",
          "sun": "Sunday"}  # fmt: skip
_DAY = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tues?|wed|thurs?|fri|sat|sun|"
    r"today|tonight|tomorrow|weekends?|(?:open|right) now)\b"
)
_MEANT = {
    "today": ("_today",),
    "tonight": ("_tonight",),
    "open now": ("_tonight",),
    "right now": ("_tonight",),
    "tomorrow": ("_tomorrow",),
    "weekend": ("sat", "sun"),
    "weekends": ("sat", "sun"),
}
DAYS = {"mon": "Mon", "tue": "Tue", "wed": "Wed", "thu": "Thu", "fri": "Fri", "sat": "Sat", "sun": "Sun"}


def number(count: int) -> str:
    """Small numbers as words."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else f"{count:,}"


def readable(value: Any) -> str:
    """Return a value of a row as a person would write it."""
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
    day = _day(str(value))
    return readable(day) if day is not None else identifier_in_words(str(value))


def _day(text: str) -> date | None:
    """The day that a text is, as rows that were kept have it."""
    try:
        return date.fromisoformat(text) if _ISO.fullmatch(text) else None
    except ValueError:  # February 31
        return None


def identifier_in_words(text: str) -> str:
    """A value of a closed vocabulary that is spelled as an identifier: "people_and_society" is people and society."""
    return text.replace("_", " ") if _IDENTIFIER.fullmatch(text) else text


class OnDays(str):
    """Opening hours on some days, as what a place is: "open on Thursday 10:00 am to 3:00 pm and closed on Friday"."""

    __slots__ = ()


def on_days(week: dict[str, list[list[str]]], days: Collection[str]) -> OnDays:
    """Return the opening hours on some of the days "mon" to "sun"."""
    week = through_the_night(week)
    open_ = {day: _stretches(week.get(day, [])) for day in days}
    told = [f"open on {_WHOLE[day]} {times}" if times else f"closed on {_WHOLE[day]}" for day, times in open_.items()]
    return OnDays(listed(told))


def hours(week: dict[str, list[list[str]]]) -> str:
    """Opening hours by day, days that are alike together: "Tue-Fri 5:00 pm to 10:00 pm; Mon closed"."""
    groups: list[tuple[list[str], str]] = []
    week = through_the_night(week)
    for day, shown in DAYS.items():
        times = _stretches(week.get(day, [])) or "closed"
        if groups and groups[-1][1] == times:
            groups[-1][0].append(shown)
        else:
            groups.append(([shown], times))
    return "; ".join(f"{days[0] if len(days) == 1 else f'{days[0]}-{days[-1]}'} {times}" for days, times in groups)


def _stretches(stretches: list[list[str]]) -> str:
    return ", ".join(
        "around the clock" if (start, stop) == WHOLE_DAY else f"{_clock(start)} to {_clock(stop)}"
        for start, stop in stretches
    )


def _clock(written: str) -> str:
    return "midnight" if written in WHOLE_DAY else time_words(written)


def days_named(text: str, now: datetime) -> tuple[str, ...]:
    """The days of the week that a text names, also as "tomorrow" or "the weekend"; after midnight, tonight is the night
    of the day before."""
    names = list(DAYS)
    said = [name for match in _DAY.finditer(text.lower()) for name in _MEANT.get(match[0], (match[0][:3],))]
    ahead = {"_today": 0, "_tonight": -1 if now.hour < MORNING else 0, "_tomorrow": 1}
    named = [names[(now.weekday() + ahead[one]) % len(names)] if one in ahead else one for one in said]
    return tuple(dict.fromkeys(named))


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


def silence(near: str) -> str:
    """That a question is not answered: nobody says, or what is `near` to it may."""
    return "I'm not sure" if near else "nobody says"


def unheard(question: str, near: str = "") -> str:
    """That no text answers a question: "nobody speaks of the service"; what comes `near` may."""
    topic = topic_of(question) or topic_of_amount(question) if question else ""
    topic = re.sub(r"^this \w+'s ", "", topic or "")
    if near:
        return f"I'm not sure what people say about the {topic}" if topic else silence(near)
    return f"nobody mentions the {topic}" if topic else silence(near)


def said_plainly(name: str, end: str = ".") -> str:
    """Return a column's name or a note as words: "avg_rating" -> "average rating"."""
    words = name.replace("_", " ").strip()
    words = words.replace("avg", "average").replace("num ", "number of ")
    words = re.sub(r"(?<=\w) names$", "s", words)  # "instructor names" are instructors
    return words if not end or words.endswith((".", "!", "?")) else words + end
