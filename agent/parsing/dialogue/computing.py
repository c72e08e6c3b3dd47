"""Figures that a question asks for and no query computes: another one in its place would be false."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

from agent.catalogue.tables import Catalogue
from agent.parsing.frame import Condition, Frame

CANNOT = (
    "I can't work out {figure} here. I can count, add up and average, give a median or a percentage, and find the "
    "highest and the lowest: ask for one of those."
)
_AVERAGE = re.compile(r"\b(?:average|mean) (?:\w+ ){1,2}(?:of|for) (?:those|these|them|all|the)\b", re.IGNORECASE)
ONE_BY_ONE = "I can work out one figure at a time here: ask for them one by one."
TOGETHER = "I can't look for “{first}” and “{second}” at once: nothing is both. Which of them do you mean?"
_COMPARED = re.compile(r"\b(?:more|fewer|less|higher|lower|better|worse)\b(?: [\w-]+){0,4}? than\b", re.IGNORECASE)
_MOST_OF = re.compile(r"\bthe (?P<how>most|fewest|least) (?P<what>[a-z]+)", re.IGNORECASE)
_DISTANCE = re.compile(r"^\W*how far (?:is|are)\b.*\bfrom\b|\bdistance (?:between|from)\b", re.IGNORECASE)
_BOUNDS: dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le
}  # fmt: skip
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


def uncomputed(message: str, frames: Sequence[Frame], catalogue: Catalogue) -> str:
    """What to say to a message that asks for a figure that none of its queries computes; empty where there is none."""
    if against := next((told for frame in frames if (told := _against_itself(frame))), ""):
        return TOGETHER.format(first=against[0], second=against[1])
    if _COMPARED.search(message) and any(_leaves_out_by_name(frame, catalogue) for frame in frames):
        return CANNOT.format(figure="a comparison with one that you name")
    if (most := _MOST_OF.search(message)) and all(_has_no_order(frame) for frame in frames):
        called = {name for frame in frames for name in _nouns(frame, catalogue)}
        if most["what"].lower() in called:
            return CANNOT.format(figure=f"who or what has the {most['how'].lower()} {most['what']}")
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


def _against_itself(frame: Frame) -> tuple[str, str] | tuple[()]:
    """The words of a value and of a bound on the same column that it does not meet: "4.7 or 4.8"."""
    said = [one for one in frame.where if isinstance(one, Condition) and not one.negated and len(one.values) == 1]
    for exact in (one for one in said if one.op == "=" and _is_number(one.values[0])):
        for bound in (one for one in said if one.op in _BOUNDS and _is_number(one.values[0])):
            same = (exact.table, exact.column) == (bound.table, bound.column)
            if same and not _BOUNDS[bound.op](exact.values[0], bound.values[0]):
                return exact.words or str(exact.values[0]), bound.words or str(bound.values[0])
    return ()


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _leaves_out_by_name(frame: Frame, catalogue: Catalogue) -> bool:
    """Whether rows are told apart only by not being called so: what they were to be compared in is lost."""
    table = catalogue.table(frame.table)
    title = table.title if table is not None else ""
    return any(isinstance(one, Condition) and one.negated and one.column == title for one in frame.where)


def _has_no_order(frame: Frame) -> bool:
    return not frame.order and not frame.each and frame.aggregate is None and frame.presentation != "article"


def _nouns(frame: Frame, catalogue: Catalogue) -> tuple[str, ...]:
    table = catalogue.table(frame.table)
    return (*table.noun, *table.synonyms, *(f"{one}s" for one in table.synonyms)) if table is not None else ()
