"""Words to values: numbers, dates and times as people write them. What cannot be read as the type is None.

Used for what a model answers (`canonical`) and for what a query compares a column with.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum

from dateutil import parser as dateutil

from agent.text.dates import FIGURES, dates_in
from agent.text.english import NUMBERS
from agent.text.numbers import read_number

__all__ = ["AnswerType", "canonical", "read_date", "read_number", "read_time", "read_yes_no", "weekday"]

LONGEST_VALUE = 4_000  # characters of an answer that are kept
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_A_DATE = re.compile(
    rf"\b(?:{_MONTHS})[a-z]*\b.*\d|\d.*\b(?:{_MONTHS})[a-z]*\b|\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{2,4}}|\b\d{{4}}\b|\b\d{{8}}\b"
)
_PERIOD = re.compile(
    r"(?:in|since|from|around|about|circa|ca\.?|year|the|early|mid|late|[ -])*"
    r"(?:(?P<season>spring|summer|autumn|fall|winter)(?: of)? |q(?P<quarter>[1-4])[ /]?)?(?P<year>\d{4})s?"
)
_CLOCK = re.compile(
    r"(?<![\d-])(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2})(?!\d))?(?::\d{2})?(?!\d|-\d\d-)\s*"
    r"(?P<half>[ap])?(?(half)\.?(?:m\b\.?|(?![a-z])))"
)
_RANGE = re.compile(r"(\d{1,2})(:\d{2})?\s*(?:-|–|to|and|until|till)\s*(\d{1,2})(:\d{2})?\s*([ap])\.?m")
_SAYS_CLOCK = re.compile(r"\d[:.h]\d\d|\d\s*[ap]\.?(?:m|\b)|o'?clock|morning|afternoon|evening|night")


class AnswerType(StrEnum):
    """The type that the SQL around an `answer()` call asks for. A value that is not of it becomes NULL."""

    TEXT = "text"  # a short answer in words; "Yes"/"No" where the question is a yes/no question
    BOOLEAN = "boolean"  # "Yes" or "No"
    NUMBER = "number"
    DATE = "date"  # ISO
    TIME = "time"  # HH:MM
    OPTION = "option"  # one of `options`


def canonical(value: str | None, kind: AnswerType, options: tuple[str, ...] = ()) -> str | None:
    """Return an answer as the text PostgreSQL casts to its type, or None if it is not of the type."""
    value = _storable(value or "")
    if not value:
        return None
    if kind is AnswerType.NUMBER:
        number = read_number(value)
        return None if number is None else format(number, "f")
    if kind is AnswerType.DATE:
        day = read_date(value)
        return day.isoformat() if day else None
    if kind is AnswerType.TIME:
        moment = read_time(value)
        return moment.isoformat("minutes") if moment else None
    if kind is AnswerType.BOOLEAN:
        return read_yes_no(value)
    if kind is AnswerType.OPTION:
        return next((option for option in options if _plain(option) == _plain(value)), None)
    return value


def _storable(value: str) -> str:
    """What PostgreSQL's JSON can hold of a reply, which is anything a model may say."""
    return value.replace("\x00", "").encode(errors="ignore").decode()[:LONGEST_VALUE].strip()


def read_yes_no(value: str) -> str | None:
    """`Yes`, `No`, or None. A sentence is read by its first word."""
    first = re.match(r"[a-z]+", value.strip().lower())
    word = first.group() if first else ""
    if word in ("yes", "true", "y", "yeah", "yep"):
        return "Yes"
    return (
        "No"
        if word in ("no", "false", "n", "nope") and not re.match(r"no (info|answer|mention)", value.lower())
        else None
    )


def read_date(value: str, today: date | None = None) -> date | None:
    """ISO and written dates. A period is its first day: "March 2024", "2019", "spring 2019", "Q3 2021", "the 1990s".

    "yesterday" and the like need `today`; so does a day without its year, which else is in the year 2000.
    """
    text = " ".join(value.lower().replace("’", "'").split()).rstrip(".")
    if today is not None and (relative := _relative_date(text, today)) is not None:
        return relative
    if (period := _period(text)) is not None:
        return period
    if (figures := next(dates_in(text), None)) is not None:
        return figures.day
    if FIGURES.search(text) or not _A_DATE.search(text):
        return None  # no such day, or none at all
    text = re.sub(rf"({_MONTHS})[a-z]*\.? '(\d\d)\b", r"1 \1 20\2", text)
    try:
        found = dateutil.parse(text, default=datetime((today or date(2000, 1, 1)).year, 1, 1), fuzzy=True)
    except (ValueError, OverflowError):
        return None
    return found.date()


def _period(text: str) -> date | None:
    """The first day of a year, a decade, a quarter or a season."""
    found = _PERIOD.fullmatch(text)
    if found is None or int(found["year"]) == 0:
        return None
    month = 1
    if found["season"]:
        month = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}[found["season"]]
    elif found["quarter"]:
        month = 3 * int(found["quarter"]) - 2
    return date(int(found["year"]), month, 1)


def _relative_date(text: str, today: date) -> date | None:
    fixed = {
        "today": 0, "now": 0, "tomorrow": 1, "yesterday": -1, "last week": -7, "next week": 7, "a week ago": -7,
    }  # fmt: skip
    if text in fixed:
        return today + timedelta(days=fixed[text])
    if text in ("this year", "this month"):
        return today.replace(day=1) if text.endswith("month") else today.replace(month=1, day=1)
    ago = re.fullmatch(r"(?:(?:the )?(?:last|past) )?(\w+) (day|week|month|year)s?(?: ago)?", text)
    if ago:
        count = {"last": Decimal(1), "past": Decimal(1)}.get(ago[1], read_number(ago[1]))
        if count is None and ago[1] in ("a", "one"):
            count = Decimal(1)
        if count is not None:
            return _months_before(today, ago[2], int(count))
    return None


def _months_before(today: date, unit: str, count: int) -> date:
    if unit in ("day", "week"):
        return today - timedelta(days=count * (7 if unit == "week" else 1))
    months = today.year * 12 + today.month - 1 - count * (12 if unit == "year" else 1)
    return date(months // 12, months % 12 + 1, min(today.day, 28))


def read_time(value: str) -> time | None:
    """ "1pm", "13:00", "0930", "half past nine", "eight in the evening", "noon". A range is its beginning.

    Without am or pm, an hour is on the 24-hour clock.
    """
    text = value.strip().lower().replace("’", "'")
    for word, moment in (("noon", time(12)), ("midday", time(12)), ("midnight", time(0))):
        if re.search(rf"\b{word}\b", text):
            return moment
    text = _in_digits(text)
    shift = 0
    if relation := re.match(r"(half|quarter|\d+)(?: minutes)? (past|after|to|before) (.*)", text):
        minutes = {"half": 30, "quarter": 15}.get(relation[1]) or int(relation[1])
        shift, text = (minutes if relation[2] in ("past", "after") else -minutes), relation[3]
    elif not _SAYS_CLOCK.search(text) and not re.fullmatch(r"(?:at|around|about|by|from|\s)*\d{1,2}", text):
        return None
    text = _RANGE.sub(_with_its_half, text)
    clock = _CLOCK.search(text)
    return _moment(clock, text, shift) if clock else None


def _in_digits(text: str) -> str:
    """ "seven-thirty" as 7:30, "eight" as 8, "0930" as 09:30."""
    hours = "|".join(word for word, number in NUMBERS.items() if 0 < number <= 12)
    tens = {word: number for word, number in NUMBERS.items() if 10 <= number < 60}
    text = re.sub(
        rf"\b({hours})[ -]({'|'.join(tens)})(?:[ -]({hours}))?\b",
        lambda found: f"{NUMBERS[found[1]]}:{tens[found[2]] + NUMBERS.get(found[3] or '', 0):02d}",
        text,
    )
    text = re.sub(r"\b([a-z]+)\b", lambda match: str(NUMBERS.get(match[1], match[1])), text)
    return re.sub(r"^(\d{2})(\d{2})(?= ?(?:h|hrs|hours)?$)", r"\1:\2", text)


def _with_its_half(found: re.Match[str]) -> str:
    """ "5-7pm" begins at 5 pm, "11-2pm" at 11 am."""
    first, second, half = int(found[1]) % 12, int(found[3]) % 12, found[5]
    if first > second:
        half = "a" if half == "p" else "p"
    return f"{found[1]}{found[2] or ''}{half}m"


def _moment(clock: re.Match[str], text: str, shift: int) -> time | None:
    hour, minute = int(clock["hour"]), int(clock["minute"] or 0)
    half = clock["half"] or ""
    if not half and 0 < hour < 12 and (part := re.search(r"morning|afternoon|evening|night", text)):
        half = "a" if part[0] == "morning" else "p"
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        return None
    total = (hour * 60 + minute + shift) % 1440
    return time(total // 60, total % 60)


def weekday(word: str) -> int | None:
    """0 for Monday … 6 for Sunday, from a name, its plural or abbreviation."""
    word = word.strip().lower().rstrip(".")
    if len(word) < 2:
        return None
    for number, name in enumerate(_WEEKDAYS):
        if word == name or word == name + "s" or (3 <= len(word) <= 5 and name.startswith(word)):
            return number
    return {"tues": 1, "thurs": 3, "weds": 2}.get(word)


def _plain(value: str) -> str:
    return re.sub(r"[\W_]+", " ", value).strip().lower()
