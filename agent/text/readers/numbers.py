"""Whole and decimal numbers, in digits and in words."""

from __future__ import annotations

import re

from agent.text.bounds import DIGITS
from agent.text.english import NUMBERS, ONES, TENS
from agent.text.readers.reading import Reading, apart

_SCALES = {"hundred": 100, "thousand": 1_000, "k": 1_000, "million": 1_000_000}

_SMALL = "|".join(sorted(ONES, key=len, reverse=True))
_LARGE = "|".join(TENS)
SPELLED = rf"(?:(?:{_LARGE})(?:[ -](?:{'|'.join(ONES[1:10])}))?|{_SMALL})"
"""A number under a hundred in words, as a pattern."""

_WORDED = re.compile(
    rf"\b(?:(?P<small>{SPELLED}|an?)[ -](?P<scale>hundred|thousand)(?:(?: and)?[ -](?P<rest>{SPELLED}))?|"
    rf"(?P<plain>{SPELLED})(?P<half> and a half)?)\b"
)
_DIGITS = re.compile(
    r"(?<![\w.:/#-])(?P<sign>-|minus )?\$?(?P<number>\d{1,3}(?:,\d{3})+|0|(?!0)\d+)(?P<part>\.\d+)?"
    r"(?: ?(?P<scale>k|thousand|hundred|million)\b)?(?![\w:/]|\.\d|-\d)"
)
_GLUED = re.compile(r"(?<![\w.:/#-])(?P<number>\d{1,9})(?=(?:ppl|people|pax|units?|u|x|ish)\b)")
_SPAN = re.compile(
    r"(?<![\w.:/#$-])(?P<first>\d{1,2}) ?[-–] ?(?P<last>\d{1,2})"
    r"(?= ?(?:people|ppl|pax|persons?|guests?|adults?|of us|friends|units?|credits?)\b)"
)
_GROUPS = re.compile(
    r"\b(?:(?P<half>half a dozen)|(?P<dozen>(?:a |one )?dozen)|(?P<pair>(?:a |the )?(?:couple|pair)(?: of)?))\b"
)
# "one" that stands for a thing: "that one", "the second one", "one of them".
_PRONOUN_BEFORE = re.compile(
    r"\b(?:the|this|that|which|another|other|any|each|no|every|[a-z]+(?:st|nd|rd|th|er|est)) $"
)
_PRONOUN_AFTER = re.compile(r"^ (?:of|with|that|more|in|at|from|by|near)\b")


def read(low: str) -> list[Reading]:
    """Numbers in a lower-cased message. Whole ones are int, others float."""
    written = (match for match in _DIGITS.finditer(low) if len(match["number"]) <= DIGITS)
    found = [Reading(_digits(match), match.start(), match.end()) for match in written]
    found += [Reading(int(match["number"]), match.start(), match.end()) for match in _GLUED.finditer(low)]
    for match in _SPAN.finditer(low):
        found += [Reading(int(match[name]), *match.span(name)) for name in ("first", "last")]
    for match in _GROUPS.finditer(low):
        found.append(Reading(6 if match["half"] else 12 if match["dozen"] else 2, match.start(), match.end(), False))
    for match in _WORDED.finditer(low):
        if not is_pronoun(low, *match.span()):
            found.append(Reading(_worded(match), match.start(), match.end()))
    return apart(found)


def word(text: str) -> int | None:
    """The number that a word or numeral stands for."""
    text = text.strip().lower()
    if text.isdecimal():
        return int(text) if len(text) <= DIGITS else None
    parts = re.split(r"[ -]", text)
    return sum(NUMBERS[part] for part in parts) if all(part in NUMBERS for part in parts) else None


def _digits(match: re.Match[str]) -> int | float:
    number = float(match["number"].replace(",", "") + (match["part"] or ""))
    number *= _SCALES.get(match["scale"] or "", 1) * (-1 if match["sign"] else 1)
    return int(number) if number == int(number) else number


def _worded(match: re.Match[str]) -> int | float:
    if match["scale"]:
        small = 1 if match["small"] in ("a", "an") else word(match["small"]) or 0
        return small * _SCALES[match["scale"]] + (word(match["rest"]) or 0 if match["rest"] else 0)
    number = word(match["plain"]) or 0
    return number + 0.5 if match["half"] else number


def is_pronoun(low: str, start: int, stop: int) -> bool:
    """Whether what is written there is the "one" that stands for a thing."""
    if low[start:stop] != "one":
        return False
    return bool(_PRONOUN_BEFORE.search(low[:start]) or _PRONOUN_AFTER.match(low[stop:]))
