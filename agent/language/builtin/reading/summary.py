"""The gist of a list of passages: two or three of their own sentences, and one that disagrees where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agent.language.builtin.reading.units import units
from agent.language.builtin.reading.vectors import Vectors
from agent.language.builtin.reading.words import tokens
from agent.language.layers import Array
from agent.language.tasks import AnswerReply, Passage, Span

SENTENCES = 2
SHORTEST, LONGEST = 5, 45  # words of a sentence worth quoting
REDUNDANT = 0.6  # closeness from which a second sentence adds nothing
SWAY = 0.08  # how much nearer to praise than to blame, or the other way round, a sentence must be to count as either

PRAISE = ("Excellent, I loved it and recommend it to everybody.", "The staff were lovely and everything was delicious.")
BLAME = ("Disappointing, I would not come back.", "Poor, slow, rude and overpriced.")


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    passage: int
    start: int
    stop: int


def summarise(passages: Sequence[Passage], vectors: Vectors) -> AnswerReply:
    """Representative sentences, in the order of the passages. None where there is no text."""
    found = [
        _Sentence(unit.text, number, unit.start, unit.stop)
        for number, passage in enumerate(passages)
        for unit in units(passage.text)
        if unit.whole
    ]
    fit = [one for one in found if SHORTEST <= len(tokens(one.text)) <= LONGEST] or found
    if not fit:
        return AnswerReply(value=None, confidence=0.0)
    rows = vectors.of([one.text for one in fit])
    chosen = _central(rows)
    dissent = _dissent(rows, chosen, vectors)
    kept = sorted([*chosen, *([dissent] if dissent is not None else [])])
    spans = tuple(
        Span(passage=fit[i].passage, start=fit[i].start, stop=fit[i].stop, supports=i != dissent) for i in kept
    )
    return AnswerReply(value=" ".join(fit[i].text for i in kept), spans=spans, confidence=0.5)


def _central(rows: Array) -> list[int]:
    """The sentences nearest what all of them have in common, none too like another."""
    centrality = rows @ rows.mean(axis=0)
    chosen: list[int] = []
    for index in np.argsort(-centrality):
        if all(float(rows[index] @ rows[other]) < REDUNDANT for other in chosen):
            chosen.append(int(index))
        if len(chosen) == SENTENCES:
            break
    return chosen


def _dissent(rows: Array, chosen: list[int], vectors: Vectors) -> int | None:
    """The sentence most opposed to what the chosen ones feel, if any is clearly so."""
    sway = (rows @ vectors.of(PRAISE).T).max(axis=1) - (rows @ vectors.of(BLAME).T).max(axis=1)
    mood = float(np.sign(sway[chosen].sum())) or 1.0
    against = int(np.argmin(sway * mood))
    return against if float(sway[against]) * mood < -SWAY and against not in chosen else None
