"""What a text is about, apart from what it only mentions.

A course that pits "student-written games" against each other is not about games, and a "web crawler" makes none about
the web: what a text is about, it is near to as a whole, and its words stand for themselves where it names it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agent.backends.builtin.reading.units import Unit, units
from agent.backends.builtin.reading.vectors import Vectors
from agent.text.words import Token, tokens

# Closeness (cosine) of a topic to a whole text, and to the clause of it that speaks of the topic.
WHOLE = 0.515  # a text this near is about the topic, named or not;
NAMED_WHOLE = 0.37  # one that names it is from here on, and from MARGIN on where the clause that names it
MARGIN = 0.30
NAMED_CLAUSE = 0.43  # is this near to it
PARTLY = 0.42  # a whole that is this near is about it even where it is named only as a part of something else


@dataclass(frozen=True, slots=True)
class Centre:
    """The clause of a passage that says best what a text is about, and how much it is, from 0 to 1."""

    passage: int
    unit: Unit
    strength: float


def central(topic: str, passages: Sequence[str], vectors: Vectors) -> Centre | None:
    """Where a text, cut into passages, is about a topic: the clause that shows it; None if it is not about it."""
    wanted = vectors.of([topic])[0]
    mean = vectors.of(list(passages)).mean(axis=0)
    whole = float(mean @ wanted) / (float(np.linalg.norm(mean)) or 1.0)
    cut = [(number, unit) for number, passage in enumerate(passages) for unit in units(passage)]
    if not cut:
        return None
    near = [float(closeness) for closeness in vectors.of([unit.text for _, unit in cut]) @ wanted]
    named = [at for at, (_, unit) in enumerate(cut) if _names(topic, unit.text, partly=whole >= PARTLY)]
    best = max(named or range(len(cut)), key=lambda at: (near[at], -at))
    if named and (whole >= NAMED_WHOLE or (whole >= MARGIN and near[best] >= NAMED_CLAUSE)):
        return Centre(*cut[best], min(1.0, whole + 0.5))
    if whole >= WHOLE:
        return Centre(*cut[best], whole)
    return None


def _names(topic: str, text: str, *, partly: bool) -> bool:
    """Whether a text has the words of a topic side by side, not denied; `partly`: also as a part of something else."""
    wanted = [token.stem for token in tokens(topic) if token.content]
    if not wanted:
        return False
    plain = [token for token in tokens(text) if token.content]
    for at in range(len(plain) - len(wanted) + 1):
        met = plain[at : at + len(wanted)]
        if [token.stem for token in met] != wanted or any(token.negated for token in met):
            continue
        if partly or not _goes_on(text, met[-1], plain[at + len(wanted) : at + len(wanted) + 1]):
            return True
    return False


def _goes_on(text: str, last: Token, following: list[Token]) -> bool:
    """Whether a name is only the first part of a longer one: a "web <crawler>"."""
    plural = last.text.endswith("s") and not last.text.endswith("ss")
    return bool(following) and not plural and text[last.stop : following[0].start] == " "
