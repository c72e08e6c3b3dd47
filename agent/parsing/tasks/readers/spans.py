"""Times that are a stretch rather than a moment: "between 7 and 8", "8 or 9", "after six", "tomorrow evening".

A stretch whose beginning is a time to propose is a reading of that time, with the rest of it as `others`. One that
names none ("lunchtime", "before 8") is a reading of several times, of which the user may choose.
"""

from __future__ import annotations

import re

from agent.parsing.tasks.phrases import compiled
from agent.text.readers.numbers import word
from agent.text.readers.reading import Reading, apart, led_by
from agent.text.readers.times import clock, flipped, is_open, resolved

_STEP, _MOST = 30, 6  # minutes between the times of a stretch, and how many of them
_DAY = 24 * 60
_HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_TIME = (
    rf"(?:\d{{1,2}}(?:[:.h][0-5]\d)?|(?:{_HOURS})(?:[ -](?:fifteen|thirty|forty[ -]five))?)"
    r"(?: ?[ap]\.? ?m\b\.?)?(?: ?-?ish\b| ?o'? ?clock)?"
)
_ENDS = (
    r"(?![\w:/%]|\.\d|-\d)(?!(?: more| other)? ?(?:people|ppl|pax|persons?|guests?|adults?|kids|of us|friends|heads|"
    r"seats|units?|credits?|days?|weeks?|hours?|minutes?|mins?|stars?|dollars?|jan|feb|mar|apr|may|jun|jul|"
    r"aug|sep|oct|nov|dec)\b)"
)
_BETWEEN = re.compile(
    rf"\b(?P<cue>between|from|anywhere from) (?P<first>{_TIME}) ?(?:and|to|until|till?|-|–) ?(?P<last>{_TIME}){_ENDS}"
)
_OR = re.compile(
    rf"(?<![\w:/.$#-])(?P<first>{_TIME})(?: ?[-–/] ?|,? (?:or|to)(?: maybe| perhaps| even| at)? )"
    rf"(?P<last>{_TIME}){_ENDS}"
)
_AFTER = re.compile(
    rf"\b(?:(?:any ?time |some ?time |a (?:bit|little) |shortly |right |just )?after|not before|"
    rf"(?:no|not) earlier than)(?: about| around)? (?P<first>{_TIME}){_ENDS}|"
    rf"\b(?:from )?(?P<then>{_TIME}) (?:or (?:later|after|any ?time after)\b|onwards?\b|at the earliest)|"
    rf"\bfrom (?P<since>{_TIME}) on\b"
)
_BEFORE = re.compile(
    rf"(?<!not )(?<!minutes )(?<!\d )\b(?P<cue>before|earlier than|no later than|not later than|not after|"
    rf"at the latest at|latest) (?P<last>{_TIME}){_ENDS}|"
    rf"\b(?:by )?(?P<then>{_TIME}) (?:at the latest|latest|or (?:earlier|before)\b)"
)
_CUED = re.compile(r"\b(?:at|around|about|by|@|either|say|maybe)(?: at| around| about| like)? ?$")
_PARTIAL = re.compile(r"(?:past|to|half|quarter|from) $")
_PARTED = re.compile(
    r"(?P<hour>\d{1,2}|[a-z]+)(?:[:.h ]?-?(?P<minute>[0-5]\d)|[ -](?P<said>fifteen|thirty|forty[ -]five))?"
    r"(?: ?(?P<half>[ap])\.? ?m)?"
)

_PAST = r"(?<!good )(?<!last )(?<!yesterday )(?<!every )(?<!other )(?<!all )"
_PARTS = tuple(
    (re.compile(rf"{_PAST}\b(?:{pattern})\b"), tuple(times.split()))
    for pattern, times in (
        (r"early (?:in the )?morning|first thing(?: in the morning)?|breakfast ?time", "08:00 08:30 09:00"),
        (r"(?:late|mid)[ -]?(?:in the )?morning|brunch ?time", "10:00 10:30 11:00 11:30"),
        (r"morning", "09:00 10:00 11:00"),
        (r"lunch ?time|lunch ?hour|noon-?ish|mid-?day-?ish", "12:00 12:30 13:00"),
        (r"early (?:in the )?afternoon|after lunch", "13:00 13:30 14:00"),
        (r"mid[ -]?afternoon", "14:30 15:00 15:30"),
        (r"late (?:in the )?afternoon", "16:00 16:30 17:00"),
        (r"afternoon", "14:00 15:00 16:00"),
        (r"early (?:in the )?evening|early (?:dinner|supper)", "17:30 18:00 18:30"),
        (r"after (?:work|class|classes|school|the office)", "17:30 18:00 18:30"),
        (r"late (?:in the )?evening|late (?:dinner|supper)|late (?:at )?night|late-?ish", "20:30 21:00 21:30"),
        (r"(?:dinner|supper) ?time|evening|tonight|tonite", "18:00 19:00 20:00"),
        (r"night", "19:00 20:00 21:00"),
    )
)  # fmt: skip
_EARLIEST_EVENING, _LATEST = "17:00", "23:30"
_END = (
    r"(?=\s*(?:$|[,;.!?]|\b(?:by|on foot|at|around|leaving|departing|please|tomorrow|today|tonight|via|"
    r"using|with|when|in the|this|now|and|instead|because|before|after)\b))"
)
_PLACE = r"(?P<{}>(?:(?!\b(?:to|from|by|at)\b)[\w'&-]++(?:\.++[\w'&-]++)*+\.?\s?){{1,6}}?)"
_FROM = re.compile(
    rf"\b(?:from|leaving|departing(?: from)?|starting (?:at|from|in)|i'm (?:at|in)|i am (?:at|in)|"
    rf"currently (?:at|in))\s+{_PLACE.format('a')}(?=\s+to\b|\s+towards?\b|{_END[3:-1]})"
)
_TO = re.compile(
    rf"\b(?:to|towards?|reach|into)\s+(?!(?:go|get|travel|walk|drive|take|be|come|leave|know|see|find|make|change|head|start|visit|book|have|do|meet)\b){_PLACE.format('b')}(?=\s+from\b|{_END[3:-1]})"
)
START = re.compile(r"\b(?:departure|depart|start\w*|begins?|origin|leav\w+|from|pick ?up|coming from)\b")
END = re.compile(r"\b(?:arrival|arrive|ends?|destination|going|drop ?off|to)\b")


def proposed(low: str, *, evening: bool = False) -> list[Reading]:
    """Stretches that begin with a time, as that time and, as its `others`, the rest of the stretch."""
    found: list[Reading] = []
    for match in _BETWEEN.finditer(low):
        if not changes(low, match.start()):
            found.append(_stretch(match, low, evening, match["cue"] != "from" or not match["last"].isdigit()))
    for match in _OR.finditer(low):
        either = " or" in match.group() or "/" in match.group()
        if led_by(_PARTIAL, low, match.start()) or (not either and changes(low, match.start())):
            continue
        told = re.search(r"[:m]|ish|clock", match["first"] + match["last"])
        sure = bool(told or led_by(_CUED, low, match.start()))
        found.append(_stretch(match, low, evening, sure, only=either))
    for match in _AFTER.finditer(low):
        first = _minutes(match["first"] or match["then"] or match["since"], low, evening)
        if first is not None:
            later = tuple(clock(first + _STEP * step) for step in range(1, 4) if first + _STEP * step < _DAY)
            found.append(Reading(clock(first), match.start(), match.end(), others=later))
    return apart(reading for reading in found if reading.value)


def bounds(low: str, *, evening: bool = False) -> list[Reading]:
    """Bounds from above ("before 8"), each as the tuple of the times that they may mean."""
    found = []
    for match in _BEFORE.finditer(low):
        last = _minutes(match["last"] or match["then"], low, evening)
        if last is not None and last >= 2 * _STEP:
            first = 1 if match["cue"] in ("before", "earlier than") else 0
            times = (clock(last - _STEP * (first + 1)), clock(last - _STEP * first))
            found.append(Reading(times, match.start(), match.end()))
    return found


def parts(low: str) -> list[Reading]:
    """Parts of the day, each as the tuple of the times that they may mean."""
    found: list[Reading] = []
    for pattern, times in _PARTS:
        for match in pattern.finditer(low):
            if not any(other.start <= match.start() < other.stop for other in found):
                found.append(Reading(times, match.start(), match.end()))
    return sorted(found, key=lambda item: item.start)


def within(times: tuple[str, ...], value: str) -> bool:
    """Whether a time lies in a part of the day that stands for some times."""
    if times[0] >= _EARLIEST_EVENING:
        return _EARLIEST_EVENING <= value <= _LATEST
    return clock(_of(times[0]) - 2 * _STEP) <= value <= clock(_of(times[-1]) + 2 * _STEP)


def _stretch(match: re.Match[str], low: str, evening: bool, sure: bool, *, only: bool = False) -> Reading:
    """From one time to another; with `only` those two."""
    first = _minutes(match["first"], low, evening, half_of=match["last"])
    last = _minutes(match["last"], low, evening, half_of=match["first"])
    none = Reading("", match.start(), match.end())
    if first is None or last is None:
        return none
    if first > last and not re.search(r"[ap]\.? ?m", match["first"]):  # "11 to 1 pm"
        first %= _DAY // 2
    if last < first and last + _DAY // 2 - first <= _DAY // 2 and last < _DAY // 2:
        last += _DAY // 2
    if not 0 < last - first <= _STEP * 2 * _MOST:
        return none
    steps = [last] if only else range(first + _STEP, last + 1, max(_STEP, (last - first) // _MOST))
    others = [clock(step) for step in steps]
    if _is_bare(match["first"], low) and _is_bare(match["last"], low):
        others += [flipped(clock(first)), *map(flipped, others)]
    return Reading(clock(first), match.start("first"), match.end(), sure, tuple(others))


def _minutes(said: str, low: str, evening: bool, half_of: str = "") -> int | None:
    """A time as minutes since midnight; its half of the day may be told by another time beside it."""
    match = _PARTED.match(said)
    hour = word(match["hour"]) if match else None
    if match is None or hour is None or hour > 24:
        return None
    minute = int(match["minute"]) if match["minute"] else word(match["said"].replace("-", " ")) if match["said"] else 0
    beside = _PARTED.match(half_of)
    half = match["half"] or (beside["half"] if beside else None)
    return resolved(hour % 24, {"half": half}, low, evening, written=match["hour"]) * 60 + (minute or 0)


def _is_bare(said: str, low: str) -> bool:
    match = _PARTED.match(said)
    return match is not None and is_open(match.groupdict(), match["hour"], low)


def _of(time: str) -> int:
    return int(time[:2]) * 60 + int(time[3:])


def changes(low: str, start: int) -> bool:
    """Whether "from 7 to 8" tells of a change."""
    return led_by(compiled(r"\b(?:{changing})\b[^.]*$"), low, start)


def read(low: str) -> dict[str, Reading]:
    """The places a lower-cased message names, under "from" and "to"."""
    found = {}
    for side, pattern, group in (("from", _FROM, "a"), ("to", _TO, "b")):
        match = pattern.search(low)
        if match is not None and match[group].strip():
            start = match.start(group)
            found[side] = Reading(match[group].strip(), start, start + len(match[group].rstrip()))
    return found
