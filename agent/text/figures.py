"""Figures that a message may ask for and that not every query computes: a median, a ratio, a difference."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as it is told ("a median"), the function that computes it ("" for none), and how it is asked for."""

    told: str
    function: str
    pattern: re.Pattern[str]


FIGURES = tuple(
    Figure(told, function, re.compile(pattern, re.IGNORECASE))
    for told, function, pattern in (
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
DISTANCE = Figure(
    "a distance", "", re.compile(r"^\W*how far (?:is|are)\b.*\bfrom\b|\bdistance (?:between|from)\b", re.IGNORECASE)
)
NEARNESS = Figure(
    "a distance",
    "",
    re.compile(
        r"\b(?:within|less than|under|at most|no more than) (?:an?|\w+) "
        r"(?:miles?|mi|km|kms|kilomet(?:er|re)s?|blocks?|minutes?'? (?:walk|drive|ride)) (?:of|from|away)\b",
        re.IGNORECASE,
    ),
)
