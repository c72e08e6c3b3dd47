"""Figures that a question asks for and no query computes: another one in its place would be false."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.parsing.frame import Frame

CANNOT = (
    "I can't work out {figure} here. I can count, add up and average, give a median or a percentage, and find the "
    "highest and the lowest: ask for one of those."
)
_AVERAGE = re.compile(r"\b(?:average|mean) (?:\w+ ){1,2}(?:of|for) (?:those|these|them|all|the)\b", re.IGNORECASE)
ONE_BY_ONE = "I can work out one figure at a time here: ask for them one by one."
_DISTANCE = re.compile(r"^\W*how far (?:is|are)\b.*\bfrom\b|\bdistance (?:between|from)\b", re.IGNORECASE)
_NAMED = re.compile(r"\b(?:average|median|total|highest|lowest)\b")
_FIGURES: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (figure, function, re.compile(pattern, re.IGNORECASE))
    for figure, function, pattern in (
        ("a median", "median", r"\bmedian\b(?! income)"),
        (
            "a percentage",
            "share",
            r"\b(?:percentage|proportion|share) of\b|\bwhat (?:percent(?:age)?|proportion|share|fraction)\b|"
            r"^\W*(?:the )?percent(?:age)? of\b",
        ),
        ("a standard deviation", "", r"\bstandard deviations?\b|\bstd ?dev\b"),
        ("a variance", "", r"\bvariance of\b"),
        ("a percentile", "", r"\b(?:percentiles?|quartiles?|deciles?)\b"),
        ("a correlation", "", r"\bcorrelat(?:ions?|es?|ed)\b"),
        ("a ratio", "", r"\bratio (?:of|between)\b|\b(?:twice|half|\w+ times) as (?:many|much)\b"),
        ("a comparison of averages", "", r"^(?=.*\bon average\b)(?=.*\bthan (?!an?\b)\D)"),
        (
            "a difference",
            "",
            r"\bdifference (?:between|in|of)\b.*\b(?:average|mean|median|number of|total|count)\b|"
            r"\b(?:average|mean|median|number of|total|count)\b.*\b(?:difference|minus)\b|"
            r"\bhow (?:many|much) (?:more|fewer|less|higher|lower)\b.*\bthan\b",
        ),
    )
)


def uncomputed(message: str, frames: Sequence[Frame]) -> str:
    """What to say to a message that asks for a figure that none of its queries computes; empty where there is none."""
    computed = {frame.aggregate.function for frame in frames if frame.aggregate is not None}
    asks_texts = any(frame.presentation == "article" for frame in frames)
    for figure, function, pattern in _FIGURES:
        if pattern.search(message) and function not in computed and not asks_texts:
            return CANNOT.format(figure=figure)
    if _AVERAGE.search(message) and "avg" not in computed and all(frame.presentation == "list" for frame in frames):
        return CANNOT.format(figure="an average of what is no number")
    if _DISTANCE.search(message) and all(frame.presentation == "list" for frame in frames):
        return CANNOT.format(figure="a distance")
    if len(frames) == 1 and computed and _names_two(message):
        return ONE_BY_ONE
    return ""


def _names_two(message: str) -> bool:
    """Whether a message asks for two figures: "the average rating and the highest price"."""
    before, _, after = message.lower().partition(" and ")
    first = set(_NAMED.findall(before))
    return bool(first) and not first >= set(_NAMED.findall(after))
