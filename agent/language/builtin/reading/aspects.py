"""Aspects: things people ask about again and again, with statements of how they are said to be so or not so.

The aspects live in `data/aspects_*.toml`. A question names an aspect by its words; a clause of a passage speaks for or
against it by signs (words that together settle it), by cue words that its meaning bears out, or by being close in
meaning to one of the statements. A negation turns signs and cues round.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from agent.language.builtin.reading.words import Token, tokens, word_set

_FILES = ("aspects_restaurants.toml", "aspects_courses.toml", "aspects_help.toml")
_GENERIC = word_set(
    """good great nice really very best decent offer serve have take suitable spot eatery venu food eat dinner lunch
    there provid allow cater accept class course instructor prof professor lectur student this place restaurant review
    say mention describ recommend consider known option avail friendli find look want need"""
)

COMMON = 3  # a word in the statements of more aspects than this tells nothing of one ("table", "evening")

Stems = tuple[str, ...]
Group = frozenset[Stems]  # words or phrases of which one must be there
MANY = 7  # people from whom on a company is a group
_MANY_MARK = "#"  # what stands in a sign, and for a word, where it is such a number
_NO_PEOPLE_AFTER = word_set("at past until till by since after before half $")
_NO_PEOPLE_BEFORE = word_set(
    "am pm a.m p.m o'clock minut hour dollar buck cent percent year dai week month block mile slot"
)
_MANY_WORDS = word_set(
    """seven eight nine ten eleven twelv thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenti thirti
    forti fifti sixti hundr dozen"""
)


@dataclass(frozen=True, slots=True)
class Sign:
    """A clause that has one of every group in `there`, in any order, and none of `absent`."""

    there: tuple[Group, ...]
    absent: Group


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
    words: frozenset[str]  # stems of all its content words: a clause with none of them does not speak of it


@dataclass(frozen=True, slots=True)
class Asked:
    """A question asks for `aspect`; `sign` is -1 where it asks for the opposite. `share` is how much of it that is."""

    aspect: Aspect
    sign: int
    share: float


@lru_cache(maxsize=1)
def all_aspects() -> tuple[Aspect, ...]:
    """Every aspect of the data files."""
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
    return frozenset(word for word in aspect.words if word in own or common[word] <= COMMON)


def _aspect(name: str, entry: dict[str, str]) -> Aspect:
    everything = tokens(" . ".join(entry.values()).replace(",", " . "))
    return Aspect(
        name=name,
        ask=_phrases(entry["ask"]),
        ask_not=_phrases(entry.get("ask_not", "")),
        yes=_statements(entry["yes"]),
        no=_statements(entry["no"]),
        cues=_phrases(entry.get("cues", "")),
        cues_not=_phrases(entry.get("cues_not", "")),
        signs=_signs(entry.get("signs", "")),
        signs_not=_signs(entry.get("signs_not", "")),
        words=frozenset(token.stem for token in everything if token.content),
    )


def _phrases(text: str) -> tuple[Stems, ...]:
    return tuple(stems(phrase) for phrase in text.split(",") if phrase.strip())


def _signs(text: str) -> tuple[Sign, ...]:
    """One sign a line: "dog + sleeps, lies - hot dog" has one of the first words, one of the second, none of the last.

    A clause that has none of the first words does not speak of the aspect, so the most telling ones are the first.
    """
    lines = [line.partition(" - ") for line in _statements(text)]
    return tuple(Sign(tuple(_group(part) for part in there.split("+")), _group(absent)) for there, _, absent in lines)


def _group(text: str) -> Group:
    parts = [part.strip() for part in text.split(",")]
    return frozenset(_with_marks(part.split()) for part in parts if part)


def _with_marks(words: list[str]) -> Stems:
    return tuple(one for word in words for one in ((word,) if word == _MANY_MARK else stems(word)))


def _statements(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def stems(text: str) -> Stems:
    """The stems of the words of a text, marks left out."""
    return tuple(token.stem for token in tokens(text) if token.stem[:1].isalnum())


@lru_cache(maxsize=4_096)
def aspects_asked(claim: str) -> tuple[Asked, ...]:
    """The aspects that a question's claim names, the one it is most about first. At most two.

    A phrase is met when all its words are there, in any order: "large portions", "the portions are large".
    """
    words = [token for token in tokens(claim) if token.stem[:1].isalnum()]
    there = {token.stem for token in words}
    telling = {token.stem for token in words if token.content and token.stem not in _GENERIC}
    best: dict[str, Asked] = {}
    for aspect, sign, phrase in _phrases_asked():
        if not phrase <= there:
            continue
        covered = len(telling & phrase) or 0.5
        share = covered / (covered + len(telling - phrase)) + 0.01 * len(phrase)  # of two phrases, the longer one
        if aspect.name not in best or best[aspect.name].share < share:
            best[aspect.name] = Asked(aspect, sign, share)
    return tuple(sorted(best.values(), key=lambda asked: -asked.share)[:2])


@lru_cache(maxsize=1)
def _phrases_asked() -> tuple[tuple[Aspect, int, frozenset[str]], ...]:
    """Every phrase that asks for an aspect (sign 1) or its opposite (-1)."""
    return tuple(
        (aspect, sign, frozenset(phrase))
        for aspect in all_aspects()
        for sign, phrases in ((1, aspect.ask), (-1, aspect.ask_not))
        for phrase in phrases
    )


def find(row: list[str], phrase: Stems) -> int | None:
    """The first place of `phrase` in `row`."""
    size = len(phrase)
    for place in range(len(row) - size + 1):
        if tuple(row[place : place + size]) == phrase:
            return place
    return None


@dataclass(frozen=True, slots=True)
class Cue:
    """What the cue words of a clause say: `sign` 1 for the aspect, -1 against it, 0 nothing or both.

    `words` is the length of the longest cue.
    """

    sign: int
    words: int


def cue(aspect: Aspect, text: str) -> Cue:
    """The cue words of a clause, each turned round where a negation reaches it."""
    plain = [token for token in tokens(text) if token.stem[:1].isalnum()]
    row = [token.stem for token in plain]
    votes = []
    for sign, phrases in ((1, aspect.cues), (-1, aspect.cues_not)):
        for phrase in phrases:
            place = find(row, phrase)
            if place is not None:
                votes.append((-sign if plain[place].negated and not _has_negation(phrase) else sign, len(phrase)))
    longest = max((size for _, size in votes), default=0)
    total = sum(sign for sign, size in votes if size == longest)
    return Cue((total > 0) - (total < 0), longest)


def sign_of(aspect: Aspect, text: str) -> int:
    """What the signs in a clause say: 1 for the aspect, -1 against it, 0 nothing or both."""
    plain = [token for token in tokens(text) if token.stem[:1].isalnum() or token.text == "$"]
    row = [_as_counted(plain, place) for place in range(len(plain))]
    total = 0
    for side, signs in ((1, aspect.signs), (-1, aspect.signs_not)):
        for one in signs:
            met = [_first(row, group) for group in one.there]
            if all(found is not None for found in met) and _first(row, one.absent) is None:
                telling = met if side > 0 else met[-1:]  # "no dogs" is against; "not an afterthought" is not
                total += -side if _denied(plain, [found for found in telling if found is not None]) else side
    return (total > 0) - (total < 0)


def _as_counted(plain: list[Token], place: int) -> str:
    """The stem of a token, or the mark of a number of people that make a group; a price or a time is no such number."""
    word = plain[place].stem
    if not (word in _MANY_WORDS or (word.isdigit() and MANY <= int(word) < 200)):
        return word
    before = plain[place - 1].stem if place else ""
    after = plain[place + 1].stem if place + 1 < len(plain) else ""
    counts_time = before in _NO_PEOPLE_AFTER or after in _NO_PEOPLE_BEFORE or after in _MANY_WORDS or after.isdigit()
    return word if counts_time or before in _MANY_WORDS else _MANY_MARK


def _denied(plain: list[Token], met: list[tuple[int, Stems]]) -> bool:
    """Whether a negation turns a sign round: one that is not part of the sign itself ("without raising our voices")."""
    if any(_has_negation(phrase) for _, phrase in met):
        return False
    return any(plain[place].negated for place, _ in met)


def _first(row: list[str], group: Group) -> tuple[int, Stems] | None:
    """The first place where one of the group stands, with what stands there."""
    found = [(place, phrase) for phrase in group if (place := find(row, phrase)) is not None]
    return min(found, default=None)


def _has_negation(phrase: Stems) -> bool:
    return any(word in {"no", "not", "never", "without", "nothing"} or word.endswith("n't") for word in phrase)
