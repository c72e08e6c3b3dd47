"""What a clause tells of something else than the task, though it names a day or a time: "it's my birthday today"."""

from __future__ import annotations

import re

from agent.parsing.tasks.closeness import shared
from agent.parsing.tasks.phrases import said
from agent.parsing.tasks.readers.reading import Reading
from agent.parsing.tasks.values import MEAL, Values
from agent.text import grammar

_STOPS = re.compile(r"[,;.!?\n]|\b(?:and|but|so|then)\b")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_FINITE = ("VBZ", "VBP", "VBD")
_SHORT = ("'s", "'m", "'re")  # "it's"
_WISHES = re.compile(
    r"\b(?:says?|said|wants?|prefers?|needs?|likes?|suggests?|asks?|asked|works?|suits?|fits?|"
    r"(?:should|must|has to|have to|can|could|would|will|'ll|'d))\b"
)
_SUITS = re.compile(
    r"(?:free|available|able|good|better|best|fine|great|ok|okay|nice|perfect|possible|easier|easiest|ideal|right|sure)$"
)


def is_beside(low: str, reading: Reading, found: Values, task: str) -> bool:
    """Whether the clause of a value is a sentence of its own about a thing that is no value and no part of the task."""
    before = list(_STOPS.finditer(low, 0, reading.start))
    after = _STOPS.search(low, reading.stop)
    start, stop = before[-1].end() if before else 0, after.start() if after else len(low)
    clause = low[start:stop]
    if said("request", clause) or said("correction", clause) or _WISHES.search(clause):
        return False
    values = [one for readings in found.found.values() for one in readings]
    words = list(_WORD.finditer(low, start, stop))
    tags = grammar.tags(tuple(match.group() for match in words))
    tells = any(tag in _FINITE or word.group().endswith(_SHORT) for word, tag in zip(words, tags, strict=True))
    return tells and any(
        _is_other(word, tag, reading, task)
        for word, tag in zip(words, tags, strict=True)
        if not any(one.start < word.end() and word.start() < one.stop for one in values)
    )


def _is_other(word: re.Match[str], tag: str, reading: Reading, task: str) -> bool:
    """Whether a word names a thing, or says how something is on the day that follows ("is hot today")."""
    if shared(word.group(), task) or (MEAL.search(word.group()) and MEAL.search(task)):
        return False
    describes = tag.startswith("JJ") and word.end() <= reading.start and _SUITS.match(word.group()) is None
    return tag.startswith("NN") or describes
