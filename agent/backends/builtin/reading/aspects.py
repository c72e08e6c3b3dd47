"""Aspects: things people ask about again and again, with statements of how they are said to be so or not so.

The aspects live in `data/aspects_*.toml`. A question names an aspect by its words; a clause of a passage speaks for or
against it by signs (words that together settle it), by cue words that its meaning bears out, or by being close in
meaning to one of the statements. A negation turns signs and cues round.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from agent.backends.builtin.reading.clauses import (
    MANY_MARK,
    Group,
    Sign,
    Stems,
    as_number,
    find,
    has_negation,
    read_clause,
    read_group,
    read_signs,
    stems,
)
from agent.text.words import tokens, word_set

_CLASSES = "classes.toml"
_FILES = ("aspects_restaurants.toml", "aspects_courses.toml", "aspects_help.toml")
_GENERIC = word_set(
    """good great nice really very best decent offer serve have take suitable spot eatery venu food eat dinner lunch
    there provid allow cater accept class course instructor prof professor lectur student this place restaurant review
    say guest diner mention describ recommend consider known option avail friendli find look want need"""
)

COMMON = 3  # a word in the statements of more aspects than this tells nothing of one ("table", "evening")


@dataclass(frozen=True)
class Aspect:
    """`ask` and `ask_not` are phrases of stems that a question uses for it and for its opposite."""

    name: str
    ask: tuple[Stems, ...]
    ask_not: tuple[Stems, ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]
    cues: tuple[Stems, ...]
    cues_not: tuple[Stems, ...]
    signs: tuple[Sign, ...]
    signs_not: tuple[Sign, ...]
    things: Group  # what a place has, offers or is called where it is so: it can be lost, refused, or named with scorn
    unless: Group  # of a clause that has one of these, its cues and signs speak of something else ("a quiet street")
    words: frozenset[str]  # stems of all its content words: a clause with none of them does not speak of it


@dataclass(frozen=True, slots=True)
class Asked:
    """A question asks for `aspect`; `sign` is -1 where it asks for the opposite. `share` is how much of it that is."""

    aspect: Aspect
    sign: int
    share: float


@lru_cache(maxsize=1)
def all_aspects() -> tuple[Aspect, ...]:
    """Return every aspect of the data files."""
    found: list[Aspect] = []
    for name in _FILES:
        table = tomllib.loads((files(__package__) / "data" / name).read_text(encoding="utf-8"))
        found.extend(_aspect(key, entry) for key, entry in table.items())
    common = Counter(word for aspect in found for word in aspect.words)
    return tuple(replace(aspect, words=_telling(aspect, common)) for aspect in found)


def _telling(aspect: Aspect, common: Counter[str]) -> frozenset[str]:
    """The words that tell this aspect from others: those of its questions and cues, and rare ones of its statements."""
    named = (*aspect.ask, *aspect.ask_not, *aspect.cues, *aspect.cues_not)
    own = {word for phrase in named for word in phrase}
    own |= {word for sign in (*aspect.signs, *aspect.signs_not) for phrase in sign.there[0] for word in phrase}
    own |= {word for phrase in aspect.things for word in phrase}
    return frozenset(word for word in aspect.words if word in own or common[word] <= COMMON)


def _aspect(name: str, entry: dict[str, str]) -> Aspect:
    entry = {key: _spelled_out(value) for key, value in entry.items()}
    everything = tokens(" . ".join(entry.values()).replace(",", " . "))
    return Aspect(
        name=name,
        ask=_phrases(entry["ask"]),
        ask_not=_phrases(entry.get("ask_not", "")),
        yes=_statements(entry["yes"]),
        no=_statements(entry["no"]),
        cues=_phrases(entry.get("cues", "")),
        cues_not=_phrases(entry.get("cues_not", "")),
        signs=read_signs(entry.get("signs", "")),
        signs_not=read_signs(entry.get("signs_not", "")),
        things=read_group(entry.get("things", "")),
        unless=read_group(entry.get("unless", "")),
        words=frozenset(token.stem for token in everything if token.content),
    )


@lru_cache(maxsize=1)
def classes() -> dict[str, str]:
    """Words that do the same work in many aspects (the young, what is lost, what is refused), by the class's name."""
    table: dict[str, str] = tomllib.loads((files(__package__) / "data" / _CLASSES).read_text(encoding="utf-8"))
    return table


def _spelled_out(text: str) -> str:
    """The text with each "@name" replaced by the words of that class."""
    return re.sub(r"@(\w+)", lambda match: classes()[match[1]].strip(), text)


def _phrases(text: str) -> tuple[Stems, ...]:
    return tuple(stems(phrase) for phrase in text.split(",") if phrase.strip())


def _statements(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


@lru_cache(maxsize=4_096)
def aspects_asked(claim: str) -> tuple[Asked, ...]:
    """Return the aspects that a question's claim names, the one it is most about first. At most two.

    A phrase is met when all its words are there, in any order: "large portions", "the portions are large".
    """
    words = [token for token in tokens(claim) if token.stem[:1].isalnum()]
    there = {token.stem for token in words}
    telling = {token.stem for token in words if token.content and token.stem not in _GENERIC}
    beside = {stem for stem in telling if as_number(stem)}  # "a group of 20" is about groups and nothing else
    best: dict[str, Asked] = {}
    for aspect, sign, phrase in _phrases_asked():
        if not phrase <= there:
            continue
        covered = len(telling & phrase) or 0.5
        left = telling - phrase - (beside if counts_people(aspect) else set())
        share = covered / (covered + len(left)) + 0.01 * len(phrase)  # of two phrases, the longer one
        if aspect.name not in best or best[aspect.name].share < share:
            best[aspect.name] = Asked(aspect, sign, share)
    return tuple(sorted(best.values(), key=lambda asked: -asked.share)[:2])


@lru_cache(maxsize=256)
def counts_people(aspect: Aspect) -> bool:
    """Is it an aspect that a number of people makes so or not so?"""
    return any(MANY_MARK in phrase for sign in aspect.signs for group in sign.there for phrase in group)


@lru_cache(maxsize=1)
def _phrases_asked() -> tuple[tuple[Aspect, int, frozenset[str]], ...]:
    """Every phrase that asks for an aspect (sign 1) or its opposite (-1)."""
    return tuple(
        (aspect, sign, frozenset(phrase))
        for aspect in all_aspects()
        for sign, phrases in ((1, aspect.ask), (-1, aspect.ask_not))
        for phrase in phrases
    )


@dataclass(frozen=True, slots=True)
class Cue:
    """What the cue words of a clause say: `sign` 1 for the aspect, -1 against it, 0 nothing or both.

    `words` is the length of the longest cue, `denied` whether that is under a negation.
    """

    sign: int
    words: int
    denied: bool = False


def cue(aspect: Aspect, text: str) -> Cue:
    """Return the cue words of a clause, each turned round where a negation reaches it."""
    plain = [token for token in tokens(text) if token.stem[:1].isalnum()]
    row = [token.stem for token in plain]
    votes = []
    for sign, phrases in ((1, aspect.cues), (-1, aspect.cues_not)):
        for phrase in phrases:
            place = find(row, phrase)
            if place is not None:
                denied = plain[place].negated and not has_negation(phrase)
                votes.append((-sign if denied else sign, len(phrase), denied))
    longest = max((size for _, size, _ in votes), default=0)
    total = sum(sign for sign, size, _ in votes if size == longest)
    return Cue((total > 0) - (total < 0), longest, any(denied for _, size, denied in votes if size == longest))


def sign_of(aspect: Aspect, text: str) -> int:
    """Return what the signs in a clause say: 1 for the aspect, -1 against it, 0 nothing or both.

    One of more groups is the more precise and counts for more.
    """
    clause = read_clause(text)
    total = 0
    for side, signs in ((1, aspect.signs), (-1, aspect.signs_not)):
        for one in signs:
            met = clause.meets(one)
            if met:
                telling = met if side > 0 else met[-1:]  # "no dogs" is against; "not an afterthought" is not
                total += len(met) * (-side if clause.denies(telling) else side)
    return (total > 0) - (total < 0)
