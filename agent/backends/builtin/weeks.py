"""Whether a sentence is of the week that is asked about: "a leave in week 3" says nothing of week 4.

Only what a sentence says of certain weeks is told apart. A deadline ("until Friday of week 3") also says what is so
when it has passed, and a moment ("on Friday of week 3") says nothing of what holds then.
"""

from __future__ import annotations

import re
from math import inf

_ASKED = re.compile(r"\bweek (\d{1,2})\b", re.IGNORECASE)
_TOLD = re.compile(
    r"(?:(?P<after>\bafter)(?: the (?:end|first day|last day) of)?|(?P<since>\b(?:from|since))|\b(?:in|during)|^) ?"
    r"(?:the )?weeks? (?P<first>\d{1,2})(?: (?:to|and|or) (?P<last>\d{1,2})\b)?",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:no|not|never|cannot|nobody|nothing)\b|n't\b", re.IGNORECASE)


def asked_weeks(text: str) -> frozenset[int]:
    """Return the weeks that a message names."""
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
    return first, inf if match["since"] else int(match["last"] or first)
