"""What a specification tells in words of its own: knowledge worksheets that are a text and stand for no table."""

from __future__ import annotations

import re

from agent.parsing.tasks.closeness import Closeness
from agent.worksheets.specification import Specification, WorksheetKind

_LIKE = 0.5  # cosine of a question and a sentence that answers it
_SHORTEST = 5  # words: what has no more is a heading
_NEARLY = 0.08  # how much farther a second sentence may be and still be told
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


def told(question: str, specification: Specification, closeness: Closeness) -> str:
    """The sentences of the specification's texts that speak to a question; empty where none does."""
    texts = [one for one in specification.worksheets if one.kind is WorksheetKind.KNOWLEDGE and not one.table]
    sentences = [sentence for text in texts for sentence in _SENTENCE.split(text.description)]
    sentences = [sentence for sentence in sentences if len(sentence.split()) > _SHORTEST]
    scores = closeness.between(question, sentences)
    best = max(scores, default=0.0)
    if best < _LIKE:
        return ""
    return " ".join(text for text, score in zip(sentences, scores, strict=True) if score >= max(best - _NEARLY, _LIKE))
