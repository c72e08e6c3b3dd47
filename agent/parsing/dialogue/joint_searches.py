"""Two searches in one message: "thai in Palo Alto, and somewhere for a steak in Sunnyvale"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from agent.parsing.dialogue import coordination, cues
from agent.parsing.dialogue.condition_kinds import Meaning
from agent.parsing.dialogue.follow import Read
from agent.parsing.dialogue.phrases import compiled
from agent.parsing.frame import Condition, Frame, leaves

_JOIN = compiled(r"(?<!\s)(?:(?:\s*+[,;.])?\s++(?:(?:and|also|plus|then)\s++)+|\s*+[;.]\s++)")
_MEAL = re.compile(r"^open .*\bfor \w+$")
_POINTS = re.compile(r"\b(?:it|its|they|them|theirs?|those|these|there)\b", re.IGNORECASE)


def requests(text: str, read: Read, meaning: Meaning) -> Iterator[tuple[str, str]]:
    """Where a message stops looking for one thing and goes on to another: each has a kind of its own, and they differ
    in something of which a thing has one, like its place."""
    joins = list(_JOIN.finditer(text))
    for join in joins:
        left, right = text[: join.start()].strip(), text[join.end() :].strip()
        if coordination.of_a_kind(left, right) and all(says_what(read(side), meaning) for side in (left, right)):
            yield left, right  # "a ramen place and a dessert bar near it"
        elif all(coordination.indefinite(side) and _placed_wish(read(side), meaning) for side in (left, right)):
            yield left, right  # "somewhere cozy in San Francisco, and a good place for dumplings in Cupertino"
    if not joins or not any(_differ(*pair) for pair in combinations(_values(read(text), meaning), 2)):
        return
    for join in joins:
        left, right = text[: join.start()].strip(), text[join.end() :].strip()
        first, second = read(left), read(right)
        differ = any(_differ(one, other) for one in _values(first, meaning) for other in _values(second, meaning))
        if differ and all(_is_request(frame, meaning) for frame in (first, second)):
            yield left, right


def additions(text: str, read: Read, meaning: Meaning) -> Iterator[tuple[str, str]]:
    """Where a message goes on to something else that is wanted beside the first, and says so."""
    for left, right in coordination.additions(text):
        if _POINTS.search(right):
            continue
        first, second = read(left), read(right)
        told = cues.names_kind(right) or coordination.somewhere(right) or len(second.where) > 1
        wanted = says_what(second, meaning) or (
            bool(second.where) and (cues.names_kind(right) or len(second.where) > 1)
        )
        if told and second.presentation == "list" and first.where and wanted:
            yield left, right


def _is_request(frame: Frame, meaning: Meaning) -> bool:
    """Whether words say what is wanted: a kind of thing, or a meal at a place."""
    placed = any(meaning.is_place(node) for node in frame.where)
    meal = any(isinstance(value, str) and _MEAL.search(value) for _, _, value in _values(frame, meaning))
    return says_what(frame, meaning) or (placed and meal)


def _placed_wish(frame: Frame, meaning: Meaning) -> bool:
    """Whether words say where something is wanted, and what."""
    placed = any(meaning.is_place(node) for node in frame.where)
    return placed and len(frame.where) > 1 and frame.presentation == "list"


def _values(frame: Frame, meaning: Meaning) -> list[tuple[str, str, object]]:
    """The values that conditions ask for of columns that hold one: (column, comparison, value)."""
    said_of = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)]
    single = [leaf for leaf in said_of if not leaf.negated and leaf.op in ("=", "<=", ">=") and not meaning.many(leaf)]
    return [(f"{leaf.table}.{leaf.column}", leaf.op, value) for leaf in single for value in leaf.values]


def _differ(one: tuple[str, str, object], other: tuple[str, str, object]) -> bool:
    return one[:2] == other[:2] and one[2] != other[2]


def says_what(frame: Frame, meaning: Meaning) -> bool:
    """Whether some condition says what kind of thing is wanted."""
    return any(meaning.says_what(node) for node in frame.where)
