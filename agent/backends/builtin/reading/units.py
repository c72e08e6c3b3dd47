"""Cutting a passage into sentences and clauses, with their places in it.

A unit is what a judgement is made on and what is shown as evidence, so every unit keeps its exact characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.text.sentences import sentences

_CLAUSE = re.compile(
    r"\s*[;:–—]\s+|\s+-\s+|\s*\((?=\w)|\)\s*"
    r"|,?\s+(?=(?:but|although|though|whereas|while|unlike|except|however|yet|because|unless|otherwise)\b)"
    r"|,\s+(?=(?:and|so|or|which|who|if|when|since|then|not)\b)",
    re.IGNORECASE,
)
_MIN_CLAUSE = 3  # words; a shorter piece stays with its neighbour


@dataclass(frozen=True, slots=True)
class Unit:
    """Characters `start:stop` of a passage. `sentence` is the number of the sentence it lies in."""

    text: str
    start: int
    stop: int
    sentence: int
    whole: bool  # a full sentence, not a clause of one


def units(text: str) -> list[Unit]:
    """Return every sentence, and every clause of the sentences that have more than one, in the order of the text."""
    found: list[Unit] = []
    for number, (start, stop) in enumerate(sentences(text)):
        found.append(Unit(text[start:stop], start, stop, number, whole=True))
        clauses = list(_clauses(text, start, stop))
        if len(clauses) > 1:
            found.extend(Unit(text[a:b], a, b, number, whole=False) for a, b in clauses)
    return found


def _clauses(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Clauses of one sentence. Pieces of fewer than three words join the piece before them."""
    cuts = [start]
    for match in _CLAUSE.finditer(text, start, stop):
        if (
            len(text[cuts[-1] : match.start()].split()) < _MIN_CLAUSE
            or len(text[match.end() : stop].split()) < _MIN_CLAUSE
        ):
            continue
        cuts.append(match.end())
    for left, right in zip(cuts, [*cuts[1:], stop], strict=True):
        piece = text[left:right]
        tidy = piece.strip().rstrip(",;:–—(").rstrip()
        if tidy:
            begin = left + piece.index(tidy)
            yield begin, begin + len(tidy)
