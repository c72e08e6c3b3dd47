"""Clock times said in words, as a clock shows them: "a quarter to midnight" is 23:45, "half past one" is 1:30."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent.text.readers.times import clock

_HOUR = r"(?P<hour>1[0-2]|[1-9]|one|noon|midday|midnight|\d{1,2}:\d{2})(?: o'?clock)?"
_HALF = r"(?: (?P<half>am|pm))?"
_TAIL = r"(?P<tail>(?: (?:sharp|ish|on the (?:dot|nose)|or so|or thereabouts|o'?clock))*)"
_COUNTED = (  # what makes a number before it no time of day
    r"(?! (?:people|persons?|ppl|of (?:us|them)|guests?|adults?|kids|children|friends|stars?|reviews?|units?|credits?|"
    r"hours?|minutes?|miles?|blocks?|days|weeks|dollars|bucks|percent|courses|classes|options|places|reasons?)(?= |$))"
)
_CUE = r"(?P<cue>(?<!\S)(?:at|by|until|till|til|before|after|around|about|from|past|say|is|for) )"
_POINT = r"(?P<cue>(?<!\S)(?:at|by|until|till|til|before|after|past) )"  # what is never said of how many
_ENDS = (
    r"(?= (?:[.,;:!?]|on|in the|for|tonight|today|tomorrow|this|every|please|or|and|with|at)(?: |$)|"
    r" [a-z]+day(?: |$)|$)"
)

_SIDED = re.compile(  # "a quarter past seven", "half an hour before midnight"
    r"(?<!\S)(?:(?P<minutes>an? quarter|quarter|half an hour|an hour|\d{1,2} minutes?)"
    r" (?P<side>past|after|to|till|til|before)|(?P<half_past>an? half|half) (?:past|after))"
    rf" {_HOUR}{_HALF}{_TAIL}(?!\S){_COUNTED}"
)
_FIVES = re.compile(
    rf"{_POINT}(?P<minutes>5|10|20|25) (?P<side>past|after|to|till|til) {_HOUR}{_HALF}{_TAIL}(?!\S){_COUNTED}"
)
_FIVES_PAST = re.compile(rf"(?<!\S)(?P<minutes>5|10|20|25) (?P<side>past) {_HOUR}{_HALF}{_TAIL}(?!\S){_COUNTED}")
_SPELT = re.compile(  # "at seven forty five", "eleven thirty at night"
    rf"(?:{_CUE}(?P<hour>1[0-2]|[1-9]|one) (?P<minutes>[1-5][05]){_HALF}{_TAIL}|"
    r"(?<!\S)(?P<hour2>1[0-2]|[1-9]) (?P<minutes2>[1-5][05])"
    rf"(?: (?P<half2>am|pm)|(?= (?:in the (?:morning|afternoon|evening)|at night|tonight))))(?!\S){_COUNTED}"
)
_HALF_TEN = re.compile(rf"{_POINT}(?P<half_past>half) (?P<hour>1[0-2]|[1-9]|one){_TAIL}{_ENDS}")
_ONE = re.compile(rf"{_POINT}(?P<hour>one)(?: o'?clock)?{_HALF}{_TAIL}{_ENDS}")
_EXACT = re.compile(rf"{_CUE}(?P<hour>1[0-2]|[1-9]) (?:(?P<half>am|pm)|(?:sharp|ish|on the (?:dot|nose)))(?!\S)")
_PATTERNS = (_SIDED, _FIVES, _FIVES_PAST, _SPELT, _HALF_TEN, _ONE, _EXACT)
_MINUTES = {"quarter": 15, "half an hour": 30, "an hour": 60}


def clocks(words: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """The times of day among normalised words, left to right: `first:last` of the words, and the time.

    A time whose half of the day is not said is written without a leading zero ("1:30"), any other in the 24-hour clock.
    """
    text = " ".join(words)
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word) + 1)
    stop = 0
    for match in sorted((m for pattern in _PATTERNS for m in pattern.finditer(text)), key=_order):
        groups = match.groupdict()
        begin = match.end("cue") if groups.get("cue") else match.start()
        if begin >= stop and begin in starts:
            stop = match.end()
            yield starts.index(begin), next(n for n, start in enumerate(starts) if start > match.end()), _time(groups)


def _order(match: re.Match[str]) -> tuple[int, int]:
    begin = match.end("cue") if match.groupdict().get("cue") else match.start()
    return begin, -match.end()


def _time(groups: dict[str, str | None]) -> str:
    said = (groups.get("minutes") or groups.get("minutes2") or "").removeprefix("a ")
    minutes = 30 if groups.get("half_past") else _MINUTES.get(said) or int((said or "0").split()[0])
    if groups.get("side") in ("to", "till", "til", "before"):
        minutes = -minutes
    hour, half = groups.get("hour") or groups.get("hour2") or "", groups.get("half") or groups.get("half2")
    if hour in ("noon", "midday"):
        return clock(720 + minutes)
    if hour == "midnight":
        return clock(1440 + minutes)
    if ":" in hour:
        shown, rest = hour.split(":")
        total = 60 * int(shown) + int(rest) + minutes
        return clock(total) if len(shown) == 2 else _bare(total)
    number = 1 if hour == "one" else int(hour)
    if half:
        return clock(60 * (number % 12 + (12 if half == "pm" else 0)) + minutes)
    return _bare(60 * number + minutes)


def _bare(minutes: int) -> str:
    return f"{(minutes // 60 - 1) % 12 + 1}:{minutes % 60:02d}"
