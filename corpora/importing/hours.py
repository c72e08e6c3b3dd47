"""Opening hours as people write them: "Mon-Fri 11:00 am–2:30 pm, 5–9pm; Sat 10-14, Sun closed"."""

from __future__ import annotations

import json
import re
from typing import Any

from corpora.importing.cells import Refused, missing
from corpora.models.hours import WEEKDAYS, is_stretch

Week = dict[str, list[list[str]]]

EXPECTED = "opening hours such as Mon-Fri 11:00-14:30, 17:00-21:00; Sat 10 am-2 pm; Sun closed"

_DAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|(?:mo|tu|we|th|fr|sa|su)\b)\.?"
_BEGINNINGS = {day[:2]: place for place, day in enumerate(WEEKDAYS)}
_DAYS = re.compile(rf"(?:daily|every ?day|weekdays|weekends?|{_DAY})(?:\s*(?:-|to|&|and|,|/)\s*{_DAY})*:?\s*")
_AT = r"(?:\d{1,2}(?:[:.]\d{2})?\s*(?:[ap]\.?m\.?)?|noon|midnight)"
_STRETCH = re.compile(rf"({_AT})\s*(?:-|to|until)\s*({_AT})")
_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?\s*(?:([ap])\.?m\.?)?")


def hours(cell: Any) -> Week | None:
    """The stretches of each day, "HH:MM" to "HH:MM". A day that is not named is closed. Raises Refused."""
    if isinstance(cell, dict):
        return _of_object(cell)
    if missing(cell):
        return None
    said = str(cell).strip()
    if said.startswith("{"):
        try:
            return _of_object(json.loads(said))
        except ValueError:
            raise Refused(EXPECTED) from None
    plain = re.sub(r"[–—−]", "-", " ".join(said.casefold().split()))
    if plain in ("24/7", "24 hours", "always open", "open 24 hours"):
        return {day: [["00:00", "24:00"]] for day in WEEKDAYS}
    week: Week = {}
    position = 0
    while position < len(plain):
        match = _DAYS.match(plain, position)
        if match is None and (position or not _STRETCH.match(plain)):
            raise Refused(EXPECTED)
        days = _named(match.group()) if match else list(WEEKDAYS)
        stretches, position = _stretches(plain, match.end() if match else 0)
        for day in days:
            if day in week:
                raise Refused(f"each day once, and {day} comes twice")
            week[day] = stretches
    return week


def _stretches(said: str, position: int) -> tuple[list[list[str]], int]:
    """The stretches from a position on, and where they end."""
    if match := re.compile(r"(?:closed|off)\s*[;,]?\s*").match(said, position):
        return [], match.end()
    found = []
    while match := _STRETCH.match(said, position):
        found.append(_stretch(match[1], match[2]))
        rest = re.compile(r"\s*(?:[;,&/]|and)?\s*").match(said, match.end())
        position = rest.end() if rest else match.end()
    if not found:
        raise Refused(EXPECTED)
    return found, position


def _stretch(opens: str, closes: str) -> list[str]:
    end = _clock(closes, "")
    if not any(sign in f"{opens}{closes}" for sign in ("am", "pm", "a.m", "p.m", "noon", "midnight")):
        first, second = (int(re.split(r"[:.]", one.strip())[0]) for one in (opens, closes))
        if 0 < second <= first <= 12:
            raise Refused(f"am or pm, or hours to 24: {opens}-{closes} can be read in two ways")
    return [_clock(opens, _half(closes) if _before(opens, closes) else ""), "24:00" if end == "00:00" else end]


def _half(said: str) -> str:
    match = _CLOCK.fullmatch(said.strip())
    return match[3] or "" if match else ""


def _before(opens: str, closes: str) -> bool:
    """Whether "am" or "pm" said once is of both ends: "5-9pm" is, "11-2pm" is not."""
    first, second = _CLOCK.fullmatch(opens.strip()), _CLOCK.fullmatch(closes.strip())
    return bool(first and second and not first[3] and int(first[1]) % 12 < int(second[1]) % 12)


def _clock(said: str, half: str) -> str:
    if said.strip() in ("noon", "midnight"):
        return "12:00" if said.strip() == "noon" else "00:00"
    match = _CLOCK.fullmatch(said.strip())
    if match is None:
        raise Refused(EXPECTED)
    hour, minute, half = int(match[1]), int(match[2] or 0), match[3] or half
    if half:
        if not 1 <= hour <= 12:
            raise Refused("an hour from 1 to 12 before am or pm")
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour == 24 and minute == 0:
        return "00:00"
    if hour > 23 or minute > 59:
        raise Refused("a time there is")
    return f"{hour:02}:{minute:02}"


def _named(said: str) -> list[str]:
    """The days in "mon-fri, sun"."""
    if said.startswith(("daily", "every")):
        return list(WEEKDAYS)
    if said.startswith("weekday"):
        return list(WEEKDAYS[:5])
    if said.startswith("weekend"):
        return list(WEEKDAYS[5:])
    found: list[str] = []
    until = False
    for part in re.findall(rf"{_DAY}|-|to\b|&|and|,|/", said):
        if part in ("-", "to"):
            until = True
        elif part[:2] in _BEGINNINGS:
            day = _BEGINNINGS[part[:2]]
            first = WEEKDAYS.index(found[-1]) + 1 if until and found else day
            found += [WEEKDAYS[(first + step) % 7] for step in range((day - first) % 7 + 1)]
            until = False
    return list(dict.fromkeys(found))


def _of_object(data: Any) -> Week:
    if not isinstance(data, dict):
        raise Refused(EXPECTED)
    week: Week = {}
    for name, value in data.items():
        if re.fullmatch(_DAY, str(name).casefold()) is None:
            raise Refused(f"days of the week, and {name!r} is none")
        day = WEEKDAYS[_BEGINNINGS[str(name)[:2].casefold()]]
        if isinstance(value, str):
            value = [] if value.strip().casefold() == "closed" else _stretches(value.casefold().replace("–", "-"), 0)[0]
        if not isinstance(value, list) or not all(is_stretch(stretch) for stretch in value):
            raise Refused(EXPECTED)
        week[day] = value
    return week


def week_in_words(week: Week) -> str:
    """The stretches of each day as `hours` reads them."""
    return "; ".join(f"{day.capitalize()} {_day_in_words(week.get(day) or [])}" for day in WEEKDAYS)


def _day_in_words(stretches: list[list[str]]) -> str:
    return ", ".join(f"{_in_half(opens)}-{_in_half(closes)}" for opens, closes in stretches) or "closed"


def _in_half(clock: str) -> str:
    """18:30 as 6:30 pm, which reads in one way only."""
    hour, minute = map(int, clock.split(":"))
    if hour % 24 == 0 and minute == 0:
        return "midnight"
    return f"{hour % 12 or 12}:{minute:02} {'pm' if hour % 24 >= 12 else 'am'}"
