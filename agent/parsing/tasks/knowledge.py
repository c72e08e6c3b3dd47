"""What a specification tells in words of its own: knowledge worksheets that are a text and stand for no table."""

from __future__ import annotations

import re

from agent.parsing.tasks.closeness import Closeness, meanings, spoken
from agent.text.words import words_of
from agent.worksheets.specification import Specification, WorksheetKind

_LIKE = 0.5  # cosine of a question and a sentence that answers it
_SHORTEST = 5  # words: what has no more is a heading
_NEARLY = 0.08  # how much farther a second sentence may be and still be told
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


def texts(specification: Specification) -> list[str]:
    """The texts of a specification."""
    worksheets = specification.worksheets
    return [one.description for one in worksheets if one.kind is WorksheetKind.KNOWLEDGE and not one.table]


def told(question: str, specification: Specification, closeness: Closeness, *, loosely: bool = True) -> str:
    """The sentences of the specification's texts that speak to a question; empty where none does. `loosely`: one that
    is not near, and shares a turn of phrase with it, does as well; without, only what shares a word with it does."""
    sentences = [sentence for text in texts(specification) for sentence in _SENTENCE.split(text)]
    sentences = [sentence for sentence in sentences if len(sentence.split()) > _SHORTEST]
    if not loosely:
        sentences = [sentence for sentence in sentences if words_of(sentence) & words_of(question)]
    scores = closeness.between(question, sentences)
    best = max(scores, default=0.0)
    if best < _LIKE:
        return next((sentence for sentence in sentences if loosely and _speaks_of(sentence, question)), "")
    near = [(score, text) for score, text in zip(scores, sentences, strict=True) if score >= max(best - _NEARLY, _LIKE)]
    return " ".join(text for _, text in sorted(near, key=lambda pair: -pair[0]))


def _speaks_of(sentence: str, question: str) -> bool:
    """Whether a sentence says a turn of phrase of the question in its own words ("don't show up", "does not come"),
    and there is little else in the question."""
    said = frozenset(name for names in meanings(sentence) for name in names)
    asked = spoken(question)
    hits = [item for item in asked if item.names & said]
    return any(" " in question[item.start : item.stop] for item in hits) and 3 * len(hits) >= len(asked)
