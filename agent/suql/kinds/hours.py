"""OPENING_HOURS: `opening_hours = 'Friday after 9 pm'` as a condition on the minutes of the week a place is open.

Minutes run from Monday 00:00 (0) to Sunday 24:00 (10,080) and wrap. A phrase names days, times, both or neither:

    "open now", "tomorrow at 8"      open at that minute
    "open now for another 2 hours"   open from this minute on, throughout
    "Friday", "open on Sundays"      open at some time of that day
    "Friday 9 to 11 pm"              open throughout
    "Sunday morning", "lunch"        open at some time of that part (on some day, where none is named)
    "after 11 pm on weekdays"        still open at that hour, on each of those days
    "late", "early", "24 hours"      open at 23:00; open at 7:00; open the whole day
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from agent.protocols.errors import TypeMismatch
from agent.text.values import weekday

DAY = 1440
WEEK = 7 * DAY
LATE, EARLY = 23 * 60, 7 * 60
SMALL_HOURS = 5 * 60  # "open past 1 am on Friday" is the night that Friday begins
Range = tuple[int, int]
Span = tuple[int, int, bool]  # from, to, throughout
_WHOLE_DAY: Span = (0, DAY, True)

_PARTS: tuple[tuple[str, Range], ...] = (
    (r"breakfast", (7 * 60, 10 * 60)),
    (r"brunch", (10 * 60, 14 * 60)),
    (r"lunch ?time|lunch", (12 * 60, 14 * 60)),
    (r"dinner|supper", (18 * 60, 21 * 60)),
    (r"morning", (6 * 60, 12 * 60)),
    (r"afternoon", (12 * 60, 17 * 60)),
    (r"evening", (17 * 60, 21 * 60)),
    (r"tonight|night", (20 * 60, 23 * 60)),
)
_CLOCK = (
    r"(?:(?P<{0}h>\d{{1,2}})(?:[:.](?P<{0}m>\d{{2}}))?\s*(?P<{0}x>[ap]\.?m?\.?\b|o'?clock)?"
    r"|\b(?P<{0}w>noon|midday|midnight))"
)
_A, _B = _CLOCK.format("a"), _CLOCK.format("b")
_SPAN = re.compile(rf"(?:from |between )?{_A}\s*(?:-|–|to|until|till|and)\s*{_B}")
_AFTER = re.compile(rf"(?:after|past|later than|until|till|through|up to|beyond)\s+(?:at least |about )?{_A}")
_BEFORE = re.compile(rf"(?:before|by|earlier than|prior to)\s+{_A}")
_POINT = re.compile(rf"(?:at|around|about|from|@)?\s*{_A}")
_ALL_DAY = re.compile(
    r"24\s*(?:/\s*7|hours?|hrs?|h\b)|all day|around the clock|all night|round the clock|twenty[- ]four hours"
)
_HOURS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_HOUR = re.compile(rf"\b(?:{'|'.join(_HOURS)})\b")
_PAST_HOUR = re.compile(
    r"\b(?P<part>half|(?:a )?quarter|(?P<minutes>\d{1,2})(?: minutes?)?) (?P<side>past|after|to|before) "
    r"(?P<hour>\d{1,2})\b(?!:)"
)
_ON = re.compile(  # how much longer than this minute
    r"\bfor (?:at least )?(?:(?:another|the next|an?) )?(?P<number>half an? |\d{1,3} )?(?:more )?"
    r"(?P<unit>hours?|hrs?|minutes?|mins?)(?: more| longer)?\b"
)
_NOW = re.compile(r"\b(?:right )?now\b|\bcurrently\b|\bat the moment\b")
_LATE, _EARLY = re.compile(r"\blate(?:r|[ -]night)?\b"), re.compile(r"\bearly\b")
_FILLING = re.compile(  # words that may stand around days and times, and say nothing more
    r"\b(?:open(?:s|ed|ing)?|still|already|at|on|in|for|from|during|around|about|till?|until|the|a|an|and|or|this|next|"
    r"coming|any|some|of|day|days|time|hours?|hrs?|is|are|it|be|to|every|each|both|between|week|weekly|by|s|only|o'?clock)\b"
)
_DAY_SPAN = re.compile(r"\b([a-z]{3,9})\s*(?:-|–|to|through|thru)\s*([a-z]{3,9})\b")


@dataclass(frozen=True, slots=True)
class Need:
    """Open `throughout` the ranges (one minute stands for a moment), or else at some time in them."""

    ranges: tuple[Range, ...]
    throughout: bool = True


def read_hours(words: str, now: datetime) -> tuple[tuple[Need, ...], ...]:
    """Return what a phrase asks: of each inner tuple one need must hold.

    Raises `TypeMismatch` if it names no time, or has words that are no part of one: "Friday half past bananas".
    """
    text = _in_digits(" ".join(words.lower().replace("’", "'").split()))
    if now.hour * 60 < SMALL_HOURS and text.removeprefix("open ") == "tonight":
        text = "open now"  # what is left of the night
    days, each, text = _days(text, now)
    if _NOW.search(text):
        longer = _ON.search(text)
        _require_nothing_else(words, _NOW.sub(" ", _ON.sub(" ", text)))
        minute = now.hour * 60 + now.minute
        return ((Need(_wrapped(now.weekday(), (minute, minute + _minutes(longer)))),),)
    span, rest = _times(text)
    _require_nothing_else(words, rest)
    if span is None and days is None:
        if not re.search(r"\bopen\b", text):
            raise _unread(words)
        return ()
    if days is None and span == _WHOLE_DAY:
        days, each = list(range(7)), True
    on = [_need(day, span) for day in (range(7) if days is None else days)]
    return tuple((need,) for need in on) if days is not None and each else (tuple(on),)


def _in_digits(text: str) -> str:
    """Hours in words as digits, and those counted from another one by the clock: "half past nine" is 9:30."""
    text = _HOUR.sub(lambda match: str(_HOURS.index(match[0]) + 1), text)

    def told(match: re.Match[str]) -> str:
        part = 30 if match["part"] == "half" else int(match["minutes"] or 15)
        minutes = int(match["hour"]) * 60 + (part if match["side"] in ("past", "after") else -part)
        return f"{minutes // 60}:{minutes % 60:02d}" if minutes > 0 else match[0]

    return _PAST_HOUR.sub(told, text)


def _minutes(longer: re.Match[str] | None) -> int:
    """The minutes that a place stays open: one where only this moment counts."""
    if longer is None:
        return 1
    number = longer["number"] or "1"
    factor = 60 if longer["unit"].startswith("h") else 1
    return factor // 2 if number.startswith("half") else int(number) * factor


def _require_nothing_else(words: str, rest: str) -> None:
    if left := re.findall(r"[^\W_]+", _FILLING.sub(" ", rest)):
        raise _unread(words, " ".join(left))


def _unread(words: str, part: str = "") -> TypeMismatch:
    problem = f"I cannot read “{part}” in “{words}” as a time" if part else f"“{words}” is not a time I understand"
    return TypeMismatch(f"{problem}; write a day and a time, such as 'Friday 21:00' or 'open now'.")


def condition(column: str, words: str, now: datetime) -> str:
    """Return the condition as SQL on a column of int4multirange."""
    needs = [" OR ".join(_clause(column, need) for need in either) for either in read_hours(words, now)]
    return " AND ".join(f"({need})" for need in needs) if needs else f"NOT isempty({column})"


def _clause(column: str, need: Need) -> str:
    inside = ",".join(f"[{start},{stop})" for start, stop in sorted(need.ranges))
    return f"{column} {'@>' if need.throughout else '&&'} '{{{inside}}}'::int4multirange"


def _need(day: int, span: Span | None) -> Need:
    if span is None:  # the small hours belong to the night before
        return Need(((day * DAY + SMALL_HOURS, (day + 1) * DAY),), throughout=False)
    return Need(_wrapped(day, span[:2]), span[2])


def _wrapped(day: int, span: Range) -> tuple[Range, ...]:
    """A stretch that begins on a day, in minutes of the week; what passes Sunday midnight goes on at Monday's."""
    first, last = day * DAY + span[0], day * DAY + span[1]
    if last <= WEEK:
        return ((first, last),)
    if first >= WEEK:
        return ((first - WEEK, last - WEEK),)
    return ((first, WEEK), (0, last - WEEK))


def _days(text: str, now: datetime) -> tuple[list[int] | None, bool, str]:
    """The days named (None: none), whether all of them are meant, and the text without them."""
    relative = {"day after tomorrow": 2, "tomorrow": 1, "today": 0, "tonight": 0}
    for phrase, ahead in relative.items():
        if re.search(rf"\b{phrase}\b", text):
            rest = re.sub(rf"\b{phrase}\b", "night" if phrase == "tonight" else " ", text)
            return [(now + timedelta(days=ahead)).weekday()], True, rest
    if re.search(r"\bthis (morning|afternoon|evening|night)\b", text):
        return [now.weekday()], True, text
    groups = {
        r"week ?days?|business days?|work(?:ing)? days?|mon(?:day)? ?(?:-|–|to|through) ?fri(?:day)?": [0, 1, 2, 3, 4],
        r"week ?ends?": [5, 6],
        r"every ?day|daily|(?:7|seven) days(?: a| per)?(?: week)?|each day|24 ?/ ?7|all week": [0, 1, 2, 3, 4, 5, 6],
    }
    for pattern, days in groups.items():
        if re.search(rf"\b(?:{pattern})\b", text):
            keep = "24 hours" if re.search(r"24 ?/ ?7", text) else " "
            return days, True, re.sub(rf"\b(?:{pattern})\b", keep, text)
    return _named_days(text)


def _named_days(text: str) -> tuple[list[int] | None, bool, str]:
    if span := _DAY_SPAN.search(text):
        first, last = weekday(span[1]), weekday(span[2])
        if first is not None and last is not None:
            days = [(first + step) % 7 for step in range((last - first) % 7 + 1)]
            return days, True, text.replace(span[0], " ")
    words = re.findall(r"[a-z]+", text)
    named = [(word, day) for word in words if len(word) > 2 and (day := weekday(word)) is not None]
    for word, _ in named:
        text = re.sub(rf"\b{word}\b\.?", " ", text)
    days = list(dict.fromkeys(day for _, day in named))
    return (days or None), " or " not in text, text


def _times(text: str) -> tuple[Span | None, str]:
    """The stretch of a day that is named (it may pass midnight), whether it must be open throughout, and what is left
    of the text. A part of a day beside a clock time says which half is meant: "at 9 in the evening".
    """
    if whole := _ALL_DAY.search(text):
        return _WHOLE_DAY, _without(text, whole)
    for pattern, read in ((_SPAN, _stretch), (_AFTER, _later), (_BEFORE, _earlier), (_POINT, _moment)):
        found = pattern.search(text)
        span = read(found, text) if found else None
        if found and span is not None:
            return span, _parts_of_day(_without(text, found))[1]
    return _parts_of_day(text)


def _without(text: str, match: re.Match[str]) -> str:
    return f"{text[: match.start()]} {text[match.end() :]}"


def _stretch(span: re.Match[str], text: str) -> Span | None:
    stop = _clock(span, "b", _half(span, "a"))
    start = _clock(span, "a", _half(span, "b"))
    if start is None or stop is None:
        return None
    if start >= stop and not _half(span, "a"):  # "9 to 5 pm": the morning's nine
        start = _clock(span, "a") or 0
    return start, stop if stop > start else stop + DAY, True


def _later(after: re.Match[str], text: str) -> Span | None:
    moment = _clock(after, "a", _half_of_part(text))
    if moment is None:
        return None
    moment += DAY if moment < SMALL_HOURS else 0
    until = re.match(r"until|till|through|up to", after[0]) is not None
    return (moment - 1, moment, True) if until else (moment, moment + 1, True)


def _earlier(before: re.Match[str], text: str) -> Span | None:
    moment = _clock(before, "a", _half_of_part(text))
    return None if moment is None else (max(moment - 1, 0), max(moment, 1), True)


def _moment(point: re.Match[str], text: str) -> Span | None:
    moment = _clock(point, "a", _half_of_part(text))
    return None if moment is None else (moment, moment + 1, True)


def _parts_of_day(text: str) -> tuple[Span | None, str]:
    """The part of the day that is named, and the text without the names of parts."""
    named = [rf"\b(?:{pattern})s?\b" for pattern, _ in _PARTS]
    rest = re.sub("|".join([_LATE.pattern, _EARLY.pattern, *named]), " ", text)
    if _LATE.search(text):
        return (LATE, LATE + 1, True), rest
    if _EARLY.search(text):
        return (EARLY, EARLY + 1, True), rest
    found = [part for pattern, (_, part) in zip(named, _PARTS, strict=True) if re.search(pattern, text)]
    return ((*found[0], False) if found else None), rest


def _half(match: re.Match[str], name: str) -> str:
    return (match[name + "x"] or "")[:1].replace("o", "")


def _half_of_part(text: str) -> str:
    """ "at 9 in the evening" is 9 pm."""
    if re.search(r"\b(?:evening|night|afternoon|dinner|tonight)\b", text):
        return "p"
    return "a" if re.search(r"\b(?:morning|breakfast)\b", text) else ""


def _clock(match: re.Match[str], name: str, half: str = "") -> int | None:
    """Minutes after midnight. `half` ("a", "p") is taken where the time itself does not say."""
    if word := match[name + "w"]:
        return DAY if word == "midnight" else 720
    hour, minute = int(match[name + "h"]), int(match[name + "m"] or 0)
    if hour > 24 or minute > 59:
        return None
    mark = _half(match, name) or (half if match[name + "m"] is None else "")
    if mark in ("a", "p") and hour <= 12:
        hour = hour % 12 + (12 if mark == "p" else 0)
    return hour * 60 + minute
