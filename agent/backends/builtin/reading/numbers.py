"""Numbers with their units, as a person writes them.

Money is in its own units, durations in minutes, clock times in minutes after midnight, shares in percent; anything
else is counted in the stem of the noun that follows ("nine seats" is 9 seat).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from agent.text.dates import dates_in
from agent.text.english import NUMBERS
from agent.text.numerals import NUMERAL, SCALES, SIGNS, read_numeral
from agent.text.words import stem, word_set

_WORDS: dict[str, float] = {**NUMBERS}
_WORDS |= {"dozen": 12, "couple": 2, "pair": 2, "half": 0.5, "hundred": 100, "thousand": 1000, "once": 1, "twice": 2}
_WORDS |= {"single": 1, "fortnight": 2, "both": 2}
_DURATIONS = {"second": 1 / 60, "minute": 1, "min": 1, "hour": 60, "hr": 60, "day": 1440, "night": 1440}
_DURATIONS |= {"week": 10080, "month": 43200, "year": 525600, "quarter": 15, "fortnight": 20160, "term": 110000}
_MONEY = word_set(
    """dollar dollars euro euros pound pounds buck bucks quid usd eur gbp cent cents pence chf franc francs rupee rupees
    inr yen jpy yuan cny krona kroner sek nok dkk zloty pln peso pesos rand real reais won lira"""
)
_NUMBER = "|".join(sorted(_WORDS, key=len, reverse=True))
_SCALE = "|".join(sorted((scale for scale in SCALES if len(scale) > 1), key=len, reverse=True))
_QUANTITY = re.compile(
    rf"(?P<sign>[{SIGNS}]|\b(?:chf|usd|eur|gbp|inr|rs)\b\.?)?\s?"
    rf"(?P<number>(?<!\d)\d+:\d+|{NUMERAL}|\b(?:{_NUMBER})\b(?:[- ](?:{_NUMBER})\b)*)"
    rf"(?:\s?(?P<scale>(?:{_SCALE})\b\.?|k\b))?"
    rf"(?P<after>\s?%|\s?[{SIGNS}]|\s?(?:a\.?m\.?|p\.?m\.?)\b|[- ]?[A-Za-z]+)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """`value` in `unit` ("money", "minutes", "clock", "percent" or a stem); it stands at characters `start:stop`."""

    value: float
    unit: str
    start: int
    stop: int


@lru_cache(maxsize=20_000)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Return every number of the text with what it counts; a date is none."""
    found = []
    dates = [range(one.start, one.stop) for one in dates_in(text)]
    for match in _QUANTITY.finditer(text):
        if any(match.start("number") in one for one in dates):
            continue
        value, unit, stop = _measure(match)
        found.append(Quantity(value, unit, match.start("sign") if match["sign"] else match.start("number"), stop))
    return tuple(found)


def _measure(match: re.Match[str]) -> tuple[float, str, int]:
    raw = match["number"].lower()
    after = (match["after"] or "").strip(" -").lower()
    is_sign = len(after) == 1 and after in SIGNS
    money = bool(match["sign"]) or after in _MONEY or is_sign
    value = _value(raw, money=money) * SCALES.get((match["scale"] or "").lower().rstrip("."), 1)
    end = match.end("scale") if match["scale"] else match.end("number")
    if money:
        return (
            value / (100 if after in {"cent", "cents", "pence"} else 1),
            "money",
            match.end() if after in _MONEY or is_sign else end,
        )
    if after in {"%", "percent"} or after.startswith("per cent"):
        return value, "percent", match.end()
    if re.fullmatch(r"[ap]\.?m\.?", after) or re.fullmatch(r"\d{1,2}:\d\d", raw):
        return _clock(raw, after), "clock", match.end()
    singular = after[:-1] if after.endswith("s") else after
    if raw == "fortnight":
        return 20160.0, "minutes", end
    if singular in _DURATIONS:
        return value * _DURATIONS[singular], "minutes", match.end()
    if after and after.isalpha() and after not in {"and", "or", "of", "in", "to", "for", "the", "a", "per", "on", "is"}:
        return value, stem(after), match.end()
    return value, "", end


def _value(raw: str, *, money: bool = False) -> float:
    if re.fullmatch(r"\d+:\d+", raw):
        hours, minutes = raw.split(":")
        return int(hours) + int(minutes) / 60
    if raw[0].isdigit():
        return float(read_numeral(raw, money=money))
    total = 0.0
    for word in re.split(r"[- ]", raw):
        value = _WORDS[word]
        total = total * value if value in {12, 100, 1000} and total else total + value
    return total


def _clock(raw: str, after: str) -> float:
    hour, _, minute = raw.replace(".", ":").partition(":")
    hours = (int(hour) if hour.isdigit() else int(_WORDS.get(hour, 0))) % 24
    if after.startswith("p") and hours < 12:
        hours += 12
    if after.startswith("a") and hours == 12:
        hours = 0
    return hours * 60 + float(minute or 0)
