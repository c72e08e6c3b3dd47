"""Questions that curators noted beside a long text, as people ask who do not know its words (FAQ retrieval)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Noted:
    """A question and the stretch of the text that answers it, word for word."""

    question: str
    quote: str


Notes = Callable[[str], Sequence[Noted]]  # what is noted beside the text that has this passage
