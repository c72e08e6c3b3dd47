"""Token by token: how well each content word of a question is met in a passage, and in what surroundings.

The vectors are those of words in context, so "bike" meets "cycle" and a word meets itself less where it means something
else (late interaction: Khattab and Zaharia 2020; soft alignment: Parikh et al. 2016).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from agent.language.builtin.reading.vectors import Array, TokenVectors
from agent.language.builtin.reading.words import is_negation, tokens

SHARPNESS = 10.0  # how much the soft alignment prefers the best token
FOCUS = 8.0  # the same for the whole question's attention over the passage

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Aligned:
    """`asked` are the question's content tokens, `soft` and `hard` what they meet in the passage, `context` six numbers
    about each meeting; `summary` is the whole in 25 numbers."""

    asked: Array
    soft: Array
    hard: Array
    context: Array
    summary: Numbers


def align(question: str, asked: TokenVectors, passage: str, told: TokenVectors) -> Aligned:
    """Lay the tokens of the question beside those of the passage."""
    asked_marks, told_marks = _marks(question, asked.offsets), _marks(passage, told.offsets)
    content = asked_marks[:, 0] > 0
    if not content.any():
        content[:] = True
    rows, others = asked.rows.astype(np.float32), told.rows.astype(np.float32)
    closeness = rows @ others.T
    near = closeness[content]
    weights = np.exp(SHARPNESS * (near - near.max(axis=1, keepdims=True)))
    weights /= weights.sum(axis=1, keepdims=True)
    best = near.argmax(axis=1)
    context = np.stack(
        [
            near.max(axis=1),
            weights @ told_marks[:, 1],
            weights @ told_marks[:, 2],
            told_marks[best, 1],
            weights @ told_marks[:, 0],
            np.full(len(near), len(near) / 8),
        ],
        axis=1,
    ).astype(np.float32)
    summary = _summary(closeness, content, told_marks, rows, others)
    return Aligned(rows[content], (weights @ others).astype(np.float32), others[best], context, summary)


def _summary(closeness: Array, content: NDArray[np.bool_], told: Array, rows: Array, others: Array) -> Numbers:
    best = closeness.max(axis=1)
    mine = best[content]
    ranked, everything = np.sort(mine), np.sort(best)
    meeting = closeness[content].argmax(axis=1)
    negated = told[meeting, 1]
    meaningful = told[:, 0] > 0
    to_content = (closeness[content][:, meaningful] if meaningful.any() else closeness[content]).max(axis=1)
    centre = rows[content].mean(axis=0)
    attention = others @ (centre / np.linalg.norm(centre))
    share = np.exp(FOCUS * attention)
    share /= share.sum()
    back = np.sort(closeness.max(axis=0))
    return np.array(
        [
            *(best.mean(), best.min(), everything[:3].mean(), everything[-3:].mean()),
            *(mine.mean(), ranked[0], ranked[:2].mean(), ranked[-1], ranked[-2:].mean()),
            *(to_content.mean(), to_content.min(), to_content.max()),
            *(negated.mean(), (negated * mine).max(), negated[int(np.argmin(mine))]),
            *((share * told[:, 1]).sum(), (share * told[:, 2]).sum(), attention.max(), attention.mean()),
            *((mine > 0.5).mean(), (mine > 0.6).mean(), (mine < 0.4).mean(), (mine < 0.3).mean()),
            *(back.mean(), back[-5:].mean()),
        ],
        dtype=np.float64,
    )


@lru_cache(maxsize=4_096)
def _marks(text: str, offsets: tuple[tuple[int, int], ...]) -> Array:
    """Per token: is it of a content word, is it negated, does it negate?"""
    words = tokens(text)
    marks = np.zeros((len(offsets), 3), dtype=np.float32)
    place = 0
    for row, (start, _) in enumerate(offsets):
        while place < len(words) - 1 and words[place].stop <= start:
            place += 1
        if words and words[place].start <= start < words[place].stop:
            word = words[place]
            marks[row] = (word.content, word.negated, is_negation(word.text.lower().replace("’", "'")))
    return marks
