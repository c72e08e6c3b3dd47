"""Whether a sentence is of the week that is asked about: "a leave in week 3" says nothing of week 4."""

from __future__ import annotations

import re
from math import inf

_ASKED = re.compile(r"\bweek (\d{1,2})\b", re.IGNORECASE)
_TOLD = re.compile(
    r"(?:\b(?P<after>after|past|later than)|\b(?P<since>from|since|starting in)|"
    r"\b(?P<until>until|till|by|before|through|up to|within|no later than))?"
    r"(?: (?:the |5 p\.m\. on )*(?:(?:first|last) (?:day|week)|end|start|beginning|[a-z]+day)(?: of)?)?"
    r"\s?\bweeks? (?P<first>\d{1,2})(?: (?:to|and|or) (?P<last>\d{1,2})\b)?(?P<on> on\b(?! [a-z]+day))?",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:no|not|never|cannot|nobody|nothing)\b|n't\b", re.IGNORECASE)


def asked_weeks(text: str) -> frozenset[int]:
    """The weeks that a message names."""
    return frozenset(int(match[1]) for match in _ASKED.finditer(text))


def of_other_weeks(sentence: str, asked: frozenset[int]) -> bool:
    """Whether a sentence tells what is so in some weeks, and none of those asked about is among them. What it denies
    ("nothing after week 5") it may tell of all others."""
    if not asked or _DENIES.search(sentence):
        return False
    told = [_span(match) for match in _TOLD.finditer(sentence)]
    return bool(told) and not any(first <= week <= last for first, last in told for week in asked)


def _span(match: re.Match[str]) -> tuple[float, float]:
    """The first and the last week that a stretch speaks of."""
    first = int(match["first"])
    if match["after"]:
        return first + 1, inf
    if match["since"] or match["on"]:
        return first, inf
    return (-inf, first) if match["until"] else (first, int(match["last"] or first))
