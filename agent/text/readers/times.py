"""Times of day in words, as "HH:MM": "7", "7pm", "half past seven", "19:30", "noon", "eight thirty in the evening"."""

from __future__ import annotations

import re
from functools import lru_cache

from agent.text.readers.numbers import is_pronoun, word
from agent.text.readers.reading import Reading, apart, led_by

_HALF = r"(?: ?(?P<half>[ap])\.? ?m\b\.?)"
_PART = (
    r"(?: ?(?:o'? ?clock|ish|sharp|on the dot))*"
    r"(?: (?:in the|this|tomorrow|at|that) ?(?P<part>morning|afternoon|evening|night)| (?P<tonight>tonight))?"
)
_HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_HOUR = rf"(?P<hour>\d{{1,2}}|{_HOURS})"
_MINUTES = (
    r"(?P<minutes>five|ten|quarter|a quarter|twenty|twenty[ -]five|half|5|10|15|20|25|\d{1,2}(?= minutes))"
    r"(?: minutes?)?"
)

_CLOCK = re.compile(rf"(?<![\d:/.$])(?P<hour>\d{{1,2}})(?P<sep>[:.h])(?P<minute>[0-5]\d)(?![\d:/]){_HALF}?{_PART}")
_WITH_HALF = re.compile(rf"(?<![\w:/.$]){_HOUR}{_HALF}")
_RELATIVE = re.compile(rf"(?<!from )\b{_MINUTES} (?P<side>past|to|before|after|till|til) {_HOUR}\b{_HALF}?{_PART}")
_HALF_HOUR = re.compile(rf"\bhalf (?P<hour>{_HOURS})\b{_PART}")
_SPELLED = re.compile(
    rf"\b(?P<hour>\d{{1,2}}|{_HOURS})[ -](?P<minute>fifteen|thirty|forty[ -]five|oh[ -]five){_HALF}?{_PART}\b"
)
_NAMED = re.compile(r"\b(?:(?P<noon>noon|midday|noontime)|(?P<midnight>midnight))\b")
_PARTED = re.compile(
    rf"(?<![\w:/.$]){_HOUR}(?= ?o'? ?clock| ?ish\b| in the (?:morning|afternoon|evening)| at night|"
    rf" tonight| this (?:evening|morning|afternoon))"
    rf"{_PART}"
)
_AT = re.compile(
    rf"\b(?P<cue>at(?: around| about| like| say)?|around|about|by|from|@|to|until|till|after|"
    rf"before)(?: |(?=\d)|(?<=@))(?:like )?{_HOUR}(?![\w:/%-]|\.\d){_PART}"
)
_BARE = re.compile(
    rf"(?<![\w:/.$#-]){_HOUR}(?![\d:/%]|\.\d| ?(?:people|ppl|persons|of us|guests|adults|kids))\b{_PART}"
)
_MILITARY = re.compile(r"(?<![\d:/.$#-])(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d)(?: ?h(?:ou)?rs)?\b(?!\d)")
_FOR = re.compile(r"\b(?:for|of)(?: just| only)? $")
_CUE = re.compile(r"\b(?:at|around|by|@|about) ?$")
_AFTER_NUMBER = re.compile(r"^ (?:people|ppl|persons?|guests?|adults?|kids|units?|credits?|of us|friends|days|weeks)\b")
_NO_TIME = re.compile(
    r"(?<![\w:/.$#-])(?:(?P<hour>\d{1,3}):(?P<minute>\d{2})(?![\d:/])(?: ?[ap]\.? ?m\b)?|"
    r"(?P<alone>\d{1,3}) ?(?:[ap]\.? ?m\b|o'? ?clock\b))"
)
_HOURS_A_DAY, _MINUTES_AN_HOUR = 24, 60

# Meals and parts of the day that settle the half of a bare hour.
_GREETING = re.compile(r"\bgood (?:morning|afternoon|evening|night|day)\b")
_MORNING = re.compile(r"\b(?:breakfast|morning)\b")
_EVENING = re.compile(r"\b(?:dinner|supper|evening|tonight|tonite|night)\b")
_MIDDAY = re.compile(r"\b(?:lunch|brunch|afternoon)\b")


def read(low: str, *, evening: bool = False) -> list[Reading]:
    """Times in a lower-cased message. `evening`: an hour without its half is one for dinner (1 to 10 mean 13 to 22);
    else it is one for office hours (1 to 7 mean 13 to 19)."""
    low = _GREETING.sub(lambda match: " " * len(match.group()), low)
    found: list[Reading] = []
    for match in _CLOCK.finditer(low):
        if match["sep"] == ":" or match["half"] or match["part"] or _cued(low, match):
            found.append(_reading(match, low, int(match["minute"]), evening))
    found += [_reading(match, low, 0, evening) for match in _WITH_HALF.finditer(low)]
    for match in _PARTED.finditer(low):  # "for 2 tonight" may be two people
        found.append(_reading(match, low, 0, evening, sure=not led_by(_FOR, low, match.start())))
    for match in _RELATIVE.finditer(low):
        said = re.sub(r"^a ", "", match["minutes"])
        minutes = {"quarter": 15, "half": 30}.get(said) or word(said) or 0
        found.append(_reading(match, low, minutes if match["side"] in ("past", "after") else -minutes, evening))
    found += [_reading(match, low, 30, evening) for match in _HALF_HOUR.finditer(low)]
    for match in _SPELLED.finditer(low):
        minute = 5 if match["minute"].startswith("oh") else word(match["minute"]) or 0
        found.append(_reading(match, low, minute, evening))
    found += [Reading("12:00" if m["noon"] else "00:00", m.start(), m.end()) for m in _NAMED.finditer(low)]
    for match in _AT.finditer(low):
        sure = match["cue"].split()[0] in ("at", "@", "around", "by")
        if _possible(match) and not _AFTER_NUMBER.match(low[match.end() :]):
            found.append(_reading(match, low, 0, evening, sure=sure, start=match.start("hour")))
    bare = (match for match in _BARE.finditer(low) if _possible(match) and not is_pronoun(low, *match.span("hour")))
    found += [_reading(match, low, 0, evening, sure=False) for match in bare]
    for match in _MILITARY.finditer(low):
        found.append(Reading(f"{match['hour']}:{match['minute']}", match.start(), match.end(), sure=False))
    return apart(reading for reading in found if reading.value)


def impossible(low: str) -> list[Reading]:
    """What is written as a time in a lower-cased message and is none on any clock: "25:00", "7:75 pm"."""
    return [
        Reading("", *match.span())
        for match in _NO_TIME.finditer(low)
        if int(match["hour"] or match["alone"]) > _HOURS_A_DAY or int(match["minute"] or 0) >= _MINUTES_AN_HOUR
    ]


def _reading(
    match: re.Match[str], low: str, minutes: int, evening: bool, *, sure: bool = True, start: int | None = None
) -> Reading:
    groups = match.groupdict()
    hour = word(groups["hour"])
    begin = match.start() if start is None else start
    if hour is None or hour > 24 or not -60 < minutes < 60:
        return Reading("", begin, match.end(), sure)
    value = clock(60 * resolved(hour % 24, groups, low, evening, written=groups["hour"]) + minutes)
    others = (flipped(value),) if is_open(groups, groups["hour"], low) else ()
    return Reading(value, begin, match.end(), sure, others)


def clock(minutes: int) -> str:
    """Minutes since midnight as "HH:MM"."""
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def flipped(value: str) -> str:
    """The same time in the other half of the day."""
    return f"{(int(value[:2]) + 12) % 24:02d}{value[2:]}"


def is_open(groups: dict[str, str | None], written: str, low: str) -> bool:
    """Whether nothing said tells morning from evening: a place that is closed then may mean the other one."""
    hour = word(written)
    told = groups.get("half") or groups.get("part") or groups.get("tonight")
    return (
        not told and not any(_parts_named(low)) and not written.startswith("0") and hour is not None and 1 <= hour <= 12
    )


def resolved(hour: int, groups: dict[str, str | None], low: str, evening: bool, *, written: str) -> int:
    """The hour in the 24-hour clock."""
    half, part = groups.get("half"), groups.get("part") or ("night" if groups.get("tonight") else "")
    if half:
        return hour % 12 + (12 if half == "p" and hour <= 12 else 0) if hour <= 12 else hour
    if hour > 12 or hour == 0 or (len(written) == 2 and written.startswith("0")):
        return hour
    if part == "morning":
        return hour % 12
    if part in ("afternoon", "evening") or (part == "night" and hour >= 5):
        return hour % 12 + 12
    if part == "night":
        return hour % 12
    return _by_meal(hour, low, evening)


def _by_meal(hour: int, low: str, evening: bool) -> int:
    if hour == 12:
        return 12
    morning, midday, night = _parts_named(low)
    if morning and not night and hour >= 5:
        return hour
    if midday and not night:
        return hour if hour >= 9 else hour + 12
    if night or evening:
        return hour if hour >= 11 and not night else hour + 12
    return hour + 12 if hour <= 7 else hour


@lru_cache(maxsize=64)  # each time of a message asks it again
def _parts_named(low: str) -> tuple[bool, bool, bool]:
    """Whether a message names the morning, the middle of the day, the evening."""
    return bool(_MORNING.search(low)), bool(_MIDDAY.search(low)), bool(_EVENING.search(low))


def _possible(match: re.Match[str]) -> bool:
    hour = word(match["hour"])
    return hour is not None and 1 <= hour <= 23


def _cued(low: str, match: re.Match[str]) -> bool:
    return led_by(_CUE, low, match.start())
