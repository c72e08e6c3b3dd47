"""Words to values: numbers, dates and times as people write them. What cannot be read as the type is None.

Used for what a model answers (`canonical`) and for what a query compares a column with.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from dateutil import parser as dateutil

from agent.language.tasks import AnswerType
from agent.suql.wordlists import words

LONGEST_VALUE = 4_000  # characters of an answer that are kept
MOST_DIGITS = 40
_SMALL = {
    word: number
    for number, word in enumerate(
        words(
            """
        zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
        sixteen seventeen eighteen nineteen
        """
        )
    )
}
_TENS = {
    word: 10 * number
    for number, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
_SCALES = {
    "hundred": 100, "thousand": 1_000, "k": 1_000, "million": 10**6, "m": 10**6, "mn": 10**6, "billion": 10**9,
    "bn": 10**9, "b": 10**9, "trillion": 10**12, "dozen": 12,
}  # fmt: skip
_FEW: dict[str, int | Decimal] = {
    "a": 1,
    "an": 1,
    "half": Decimal("0.5"),
    "once": 1,
    "twice": 2,
    "thrice": 3,
    "none": 0,
}
_NUMERAL = re.compile(
    r"(?P<sign>(?<![\w.])[-−])?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"\s?(?P<scale>hundred|thousand|million|billion|trillion|dozen|bn|mn|[kmb])?(?![\w])",
    re.IGNORECASE,
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_CLOCK = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2}))?(?::\d{2})?\s*(?P<half>[ap])?\.?(?:m\b\.?)?", re.IGNORECASE
)


def canonical(value: str | None, kind: AnswerType, options: tuple[str, ...] = ()) -> str | None:
    """An answer as the text PostgreSQL casts to its type, or None where it is not of the type."""
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


def read_number(value: str) -> Decimal | None:
    """ "$20 million", "about 1,200 people", "seven", "twenty-five", "3.5 stars". The first number counts."""
    numeral, words = _NUMERAL.search(value), _number_words(value)
    if numeral is None or (words is not None and words[1] < numeral.start()):
        return words[0] if words else None
    if len(numeral["digits"]) > MOST_DIGITS:
        return None
    number = Decimal(numeral["digits"].replace(",", ""))
    scale = (numeral["scale"] or "").lower()
    number *= _SCALES.get(scale, 1)
    return -number if numeral["sign"] else number


def _number_words(value: str) -> tuple[Decimal, int] | None:
    """A number in words, and where it begins."""
    total, current, start = Decimal(0), Decimal(0), None
    for match in re.finditer(r"[a-z]+", value.lower()):
        word = match.group()
        if word in _SMALL or word in _TENS:
            current += _SMALL.get(word, _TENS.get(word, 0))
        elif word in _FEW and start is None and (word not in ("a", "an") or _scale_follows(value, match.end())):
            current += _FEW[word]
        elif word in _SCALES and len(word) > 2 and start is not None:
            current = (current or Decimal(1)) * _SCALES[word]
            if _SCALES[word] >= 1_000:
                total, current = total + current, Decimal(0)
        elif word == "and" and start is not None:
            continue
        elif start is not None:
            break
        else:
            continue
        start = match.start() if start is None else start
    return None if start is None else (total + current, start)


def _scale_follows(value: str, at: int) -> bool:
    following = re.match(r"[\s-]*([a-z]+)", value[at:].lower())
    return bool(following and following[1] in _SCALES and len(following[1]) > 2)


def read_date(value: str, today: date | None = None) -> date | None:
    """ISO and written dates; "March 2024" is its first day, "2019" its first of January; "yesterday" needs `today`."""
    text = value.strip().lower().rstrip(".")
    if today is not None and (relative := _relative_date(text, today)) is not None:
        return relative
    if year := re.fullmatch(r"(?:in |since |year )?(\d{4})", text):
        return date(int(year[1]), 1, 1) if int(year[1]) > 0 else None
    if not re.search(r"\d", text):
        return None
    try:
        found = dateutil.parse(text, default=datetime((today or date(2000, 1, 1)).year, 1, 1), fuzzy=True)
    except (ValueError, OverflowError):
        return None
    return found.date()


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
    """ "1pm", "13:00", "half past nine", "noon". Without am or pm, an hour is on the 24-hour clock."""
    text = value.strip().lower()
    for word, moment in (("noon", time(12)), ("midday", time(12)), ("midnight", time(0))):
        if word in text:
            return moment
    text = re.sub(r"\b([a-z]+)\b", lambda match: str(_SMALL.get(match[1], match[1])), text)
    shift = 0
    if relation := re.match(r"(half|quarter|\d+)(?: minutes)? (past|after|to|before) (.*)", text):
        minutes = {"half": 30, "quarter": 15}.get(relation[1]) or int(relation[1])
        shift, text = (minutes if relation[2] in ("past", "after") else -minutes), relation[3]
    clock = _CLOCK.search(text)
    if clock is None:
        return None
    hour, minute = int(clock["hour"]), int(clock["minute"] or 0)
    if clock["half"]:
        hour = hour % 12 + (12 if clock["half"].lower() == "p" else 0)
    if hour > 24 or minute > 59:
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
