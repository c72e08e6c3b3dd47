"""The gist of a list of passages: two or three of their own sentences, and one that disagrees where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agent.backends.builtin.reading.readings import Readings
from agent.backends.builtin.reading.units import units
from agent.backends.builtin.reading.vectors import Vectors
from agent.networks.layers import Array
from agent.protocols.reading import AnswerReply, Passage, Span
from agent.text.words import tokens

SENTENCES = 2
SHORTEST, LONGEST = 5, 45  # words of a sentence worth quoting
REDUNDANT = 0.6  # closeness from which a second sentence adds nothing
READ = 20  # sentences, the nearest to what all have in common, that are read for praise and blame
LEAN = 0.2  # how much likelier a sentence must praise than blame, or the other way round, to be told for it
SWAY = 0.08  # how much nearer to praise than to blame, or the other way round, a sentence must be to count as either

PRAISE = ("Excellent, I loved it and recommend it to everybody.", "The staff were lovely and everything was delicious.")
BLAME = ("Disappointing, I would not come back.", "Poor, slow, rude and overpriced.")
PRAISES, BLAMES = "does the reviewer praise something?", "does the reviewer complain about something?"


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    passage: int
    start: int
    stop: int


def summarise(passages: Sequence[Passage], vectors: Vectors, readings: Readings | None = None) -> AnswerReply:
    """Representative sentences, in the order of the passages. None if there is no text.

    Of the sentences nearest to what all of them have in common, `readings` tell which praise or blame: those say more
    than what merely happened.
    """
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
    several = len({one.passage for one in fit}) > 1
    chosen, dissent = _judging(fit, rows, readings) if readings is not None and several else ([], None)
    if not chosen:
        chosen = _central(rows)
        dissent = _dissent(rows, chosen, vectors)
    kept = sorted([*chosen, *([dissent] if dissent is not None else [])])
    spans = tuple(
        Span(passage=fit[i].passage, start=fit[i].start, stop=fit[i].stop, supports=i != dissent) for i in kept
    )
    return AnswerReply(value=" ".join(fit[i].text for i in kept), spans=spans, confidence=0.5)


def _judging(fit: Sequence[_Sentence], rows: Array, readings: Readings) -> tuple[list[int], int | None]:
    """The sentences that judge most clearly on the side that more of them take, one a text, and one on the other."""
    near = rows @ rows.mean(axis=0)
    read = list(map(int, np.argsort(-near)))[:READ]
    blames, praises = (readings.verdicts([(asked, fit[at].text) for at in read]) for asked in (BLAMES, PRAISES))
    lean = {at: praise.yes - blame.yes for at, praise, blame in zip(read, praises, blames, strict=True)}
    side = 1.0 if sum(lean.values()) >= 0 else -1.0
    chosen: list[int] = []
    for at in sorted(read, key=lambda at: -lean[at] * side - float(near[at])):
        fresh = all(fit[at].passage != fit[one].passage and float(rows[at] @ rows[one]) < REDUNDANT for one in chosen)
        if lean[at] * side >= LEAN and fresh and len(chosen) < SENTENCES:
            chosen.append(at)
    against = min(read, key=lambda at: lean[at] * side)
    return chosen, against if chosen and lean[against] * side <= -LEAN else None


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
