"""What a question would say with one word turned into its opposite: "is it quiet?" against "is it noisy?".

A sentence encoder puts opposites close together, but what a clause says is still a little nearer to the right one.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from agent.language.builtin.reading.questions import Question
from agent.language.builtin.reading.units import Unit
from agent.language.builtin.reading.vectors import Array, Vectors
from agent.language.builtin.reading.words import opposites, tokens

MOST = 6  # opposite claims of one question
SIZE = 8


@lru_cache(maxsize=4_096)
def opposite_claims(claim: str) -> tuple[str, ...]:
    """The claim with its longest phrase that has opposites replaced by them; each place, two opposites a family."""
    words = tokens(claim)
    found: list[str] = []
    for size in (3, 2, 1):
        for first in range(len(words) - size + 1):
            phrase = words[first : first + size]
            if size == 1 and not phrase[0].content:
                continue
            for other in opposites(tuple(token.stem for token in phrase)):
                found.append(claim[: phrase[0].start] + other + claim[phrase[-1].stop :])
        if found:
            break
    return tuple(found[:MOST])


def contrast(
    question: Question, found: tuple[Unit, ...], rows: Array, near: Array, whole: Array, vectors: Vectors
) -> list[float]:
    """How much nearer the units are to the claim than to its opposites: SIZE numbers, zeros where it has none.

    `near` is each unit's closeness to question and claim together, `whole` the passage's vector.
    """
    others = opposite_claims(question.claim)
    if not others:
        return [0.0] * SIZE
    sign = -1.0 if question.negated else 1.0
    claim, against = vectors.of([question.claim])[0], vectors.of(others)
    lean = sign * ((rows @ claim)[:, None] - rows @ against.T).mean(axis=1)
    best = int(near.argmax())
    top = np.argsort(-near)[:3]
    negated = any(token.negated for token in tokens(found[best].text))
    relevant = np.abs(lean) * (near > near.max() - 0.3)
    values = (
        1.0,
        lean[best],
        lean.max(),
        lean.min(),
        lean[top].mean(),
        sign * float((whole @ claim - against @ whole).mean()),
        -lean[best] if negated else lean[best],
        lean[int(np.argmax(relevant))],
    )
    return [float(value) for value in values]
