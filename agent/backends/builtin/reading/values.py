"""Which values of a vocabulary mean what somebody asked for: "coffee" finds "coffee & tea" and "cafes".

In this order, and only as far as needed: the value itself with its other names and clear members, values that contain
the word, a misspelling of one, and at last the values closest in meaning, with a high threshold. What nobody would
call by that name is not found; an empty reply is a fine answer.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import cast

from rapidfuzz import fuzz

from agent.backends.builtin.reading.vectors import Vectors
from agent.text.letters import unaccented
from agent.text.words import stem

SPELLING = 84.0  # similarity in percent from which a word counts as misspelt
SPELLING_LENGTH = 4  # shorter words have too many neighbours
MEANING = 0.72  # cosine similarity from which two names mean the same
_FILLER = re.compile(
    r"\b(?:food|cuisine|cuisines|restaurants?|places?|spots?|joints?|style|requirement|breadth|area|grading|grade|quarter|"
    r"class|classes|courses?|the|a|an|some|any|credit for)\b"
)


def match_values(wanted: str, values: Sequence[str], vectors: Vectors) -> tuple[str, ...]:
    """Return the values that mean `wanted`, in the order given."""
    asked = _plain(wanted)
    found = _named(asked, values) or _named(_stripped(asked), values)
    if not found:
        found = _containing(_stripped(asked), values) or _misspelt(_stripped(asked), values)
    if not found:
        found = _near(wanted, values, vectors)
    return tuple(value for value in values if value in found)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", unaccented(text).lower().replace("’", "'")).strip(" .?!")


def _stripped(text: str) -> str:
    """Without words such as "food" and "restaurant", unless nothing would be left."""
    return re.sub(r"\s+", " ", _FILLER.sub(" ", text)).strip() or text


def _key(text: str) -> str:
    """For comparing: stems, with marks and `_` as blanks."""
    return " ".join(stem(word) for word in re.findall(r"[^\W_]+|\$+", unaccented(text).lower()))


def _named(asked: str, values: Sequence[str]) -> set[str]:
    """Values that are `asked`, another name of it, or a clear member of it."""
    names = _names(_key(asked))
    members = {name for wide in names for member in _kinds().get(wide, ()) for name in _names(member)}
    return {value for value in values if _key(value) in names | members}


def _names(key: str) -> set[str]:
    return {key} | _same().get(key, set())


def _containing(asked: str, values: Sequence[str]) -> set[str]:
    """Values that hold all the words asked for, or all of whose words are asked for."""
    words = set(_key(asked).split())
    if not words:
        return set()
    whole = {value for value in values if words <= set(_key(value).split())}
    if whole:
        return whole
    return {value for value in values if set(_key(value).split()) and set(_key(value).split()) <= words}


def _misspelt(asked: str, values: Sequence[str]) -> set[str]:
    if len(asked) < SPELLING_LENGTH:
        return set()
    names: dict[str, str] = {_key(name): name for names in _same_lists() for name in names}
    names.update({_key(value): value for value in values})
    scored = [(fuzz.ratio(_key(asked), key), name) for key, name in names.items() if len(key) >= SPELLING_LENGTH]
    for score, name in sorted(scored, reverse=True):
        if score < SPELLING:
            break
        if found := _named(_plain(name), values):
            return found
    return set()


def _near(wanted: str, values: Sequence[str], vectors: Vectors) -> set[str]:
    if not values:
        return set()
    spoken = [re.sub(r"[_\W]+", " ", value).strip() or value for value in values]
    closeness = vectors.of(spoken) @ vectors.of([_stripped(_plain(wanted))])[0]
    best = float(closeness.max())
    if best < MEANING:
        return set()
    return {value for value, near in zip(values, closeness, strict=True) if near >= max(MEANING, best - 0.03)}


@lru_cache(maxsize=1)
def _data() -> dict[str, object]:
    return tomllib.loads((files(__package__) / "data" / "values.toml").read_text(encoding="utf-8"))


def _same_lists() -> list[list[str]]:
    return cast(list[list[str]], _data()["same"])


@lru_cache(maxsize=1)
def _same() -> dict[str, set[str]]:
    """Key of a name to the keys of its other names."""
    table: dict[str, set[str]] = {}
    for names in _same_lists():
        keys = {_key(name) for name in names}
        for key in keys:
            table.setdefault(key, set()).update(keys)
    return table


@lru_cache(maxsize=1)
def _kinds() -> dict[str, set[str]]:
    """Key of a wider word to the keys of its clear members."""
    kinds = cast(dict[str, list[str]], _data()["kinds"])
    return {_key(wide): {_key(member) for member in members} for wide, members in kinds.items()}
