"""How near words come to a phrase of the specification: by the words they share, and by the sentence encoder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Protocol

import numpy as np

from agent.text.frequencies import english_rank
from agent.text.words import stem, word_set

_WORD = re.compile(r"[a-z0-9]+(?:['’][a-z]+)?")
_STOP = word_set(
    """a an the of for to in on at by with from and or is are was be been it its this that i me my we our us you your do
    does did have has had can could will would please want need like get got am there here any some as so if not no yes
    just also about into up out off i'd i'm i've i'll it's that's let's one"""
)
_RARE, _RARE_SHARE = 12_000, 0.85  # a word less frequent than this counts for so much of its phrase
_FAMILY = 0.85  # what a word of the same family counts for, beside the word itself
_LONGEST = 5  # words in a phrase of a family


class Encodes(Protocol):
    """The sentence encoder: unit vectors, shape (texts, dimensions)."""

    def encode(self, texts: Sequence[str]) -> Any: ...


@cache
def _families() -> dict[tuple[str, ...], frozenset[str]]:
    """Phrases, as stems, and the families they are of ("~3")."""
    found: dict[tuple[str, ...], set[str]] = {}
    lines = files(__package__).joinpath("families.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(line for line in lines if line and not line.startswith("#")):
        for phrase in line.split(","):
            found.setdefault(tuple(_stem(word) for word in _WORD.findall(phrase.lower())), set()).add(f"~{number}")
    return {phrase: frozenset(names) for phrase, names in found.items()}


@dataclass(frozen=True, slots=True)
class Meaning:
    """A content word or phrase at `start:stop` of a text, and what it may mean: its stem and its families."""

    start: int
    stop: int
    names: frozenset[str]


@lru_cache(maxsize=10_000)
def spoken(words: str) -> tuple[Meaning, ...]:
    """The content words of a text with their places. Phrases of a family count as one word."""
    said = list(_WORD.finditer(words.lower().replace("’", "'")))
    stems = [_stem(word.group()) for word in said]
    found: list[Meaning] = []
    at = 0
    while at < len(said):
        size, families = _phrase(stems, at)
        if size > 1:
            found.append(
                Meaning(said[at].start(), said[at + size - 1].end(), families | {" ".join(stems[at : at + size])})
            )
        elif said[at].group() not in _STOP and stems[at] != "not":
            found.append(Meaning(*said[at].span(), families | {stems[at]}))
        at += max(size, 1)
    return tuple(found)


def meanings(words: str) -> tuple[frozenset[str], ...]:
    """The content words of a text, each as the set of what it may mean."""
    return tuple(item.names for item in spoken(words))


def _stem(word: str) -> str:
    """The stem of a word; "aren't" and "never" are "not", so that "not posted" is found in them."""
    return "not" if word.endswith("n't") or word in ("never", "cannot") else stem(word)


def _phrase(stems: list[str], at: int) -> tuple[int, frozenset[str]]:
    """The longest phrase of a family that starts at a word: its length and its families."""
    for size in range(min(_LONGEST, len(stems) - at), 0, -1):
        families = _families().get(tuple(stems[at : at + size]))
        if families:
            return size, families
    return 0, frozenset()


def shared(words: str, phrase: str) -> float:
    """The share of a phrase's content words that the words say, or say by another of their family (0 to 1)."""
    wanted = meanings(phrase)
    said = _union(meanings(words))
    return sum(bool(item & said) for item in wanted) / len(wanted) if wanted else 0.0


def beside(words: str, context: str) -> str:
    """Words with those that the context has too blanked, so that the rest stands where it stood."""
    known = frozenset(name for name in _union(meanings(context)) if not name.startswith("~"))
    for item in spoken(words):
        if item.names & known:
            words = words[: item.start] + " " * (item.stop - item.start) + words[item.stop :]
    return words


def telling(words: str, phrases: Sequence[str], context: str = "") -> list[float]:
    """`shared` for each of several phrases, where a word that many of them have counts for less, and one that the
    context has for nothing. A rare word that only one of them has tells it almost by itself."""
    known = frozenset(name for name in _union(meanings(context)) if not name.startswith("~"))
    wanted = [[item for item in meanings(phrase) if not item & known] or list(meanings(phrase)) for phrase in phrases]
    said = _union(meanings(words))
    scores = []
    for items in wanted:
        holders = [sum(any(item & other for other in others) for others in wanted) for item in items]
        weights = [1.0 / holding**1.5 for holding in holders]
        hits = [_hit(item, said) for item in items]
        score = sum(weight * hit for hit, weight in zip(hits, weights, strict=True)) / sum(weights) if weights else 0.0
        rare = any(
            hit == 1.0 and held == 1 and _is_rare(item) for item, hit, held in zip(items, hits, holders, strict=True)
        )
        scores.append(max(score, _RARE_SHARE if rare else 0.0))
    return scores


def _hit(item: frozenset[str], said: frozenset[str]) -> float:
    """1 where the word itself was said, less where only one of its family was."""
    common = item & said
    return 1.0 if any(not name.startswith("~") for name in common) else _FAMILY if common else 0.0


def _union(items: Sequence[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*items)


def _is_rare(item: frozenset[str]) -> bool:
    names = [name for name in item if not name.startswith("~")]
    return all(len(name) >= 5 and english_rank().get(name, 10**6) > _RARE for name in names)


class Closeness:
    """Compares meanings with the sentence encoder. Phrases of specifications are encoded once."""

    def __init__(self, encoder: Encodes) -> None:
        self._encoder = encoder
        self._kept: dict[str, Any] = {}

    def between(self, words: str, phrases: Sequence[str]) -> list[float]:
        """The cosine similarity of some words to each of several phrases."""
        if not phrases:
            return []
        vectors = self._vectors([words, *phrases])
        return [float(np.dot(vectors[0], vector)) for vector in vectors[1:]]

    def _vectors(self, texts: Sequence[str]) -> list[Any]:
        new = [text for text in dict.fromkeys(texts) if text not in self._kept]
        if len(self._kept) > 5_000:
            self._kept.clear()
            new = list(dict.fromkeys(texts))
        if new:
            self._kept.update(zip(new, self._encoder.encode(new), strict=True))
        return [self._kept[text] for text in texts]
