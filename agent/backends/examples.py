"""Pairs of a message and its query that somebody has checked: what a language may learn from at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Presentation = Literal["list", "detail", "aggregate", "comparison", "article"]


@dataclass(frozen=True, slots=True)
class Example:
    """A message that stands alone, and the query that finds its answer in these tables."""

    message: str
    suql: str
    tables: tuple[str, ...]
    presentation: Presentation = "list"


class Examples(Protocol):
    """The bank of pairs. Both calls may read a database: they are for threads that are not the event loop's."""

    def of(self, tables: Sequence[str]) -> Sequence[Example]:
        """All pairs that need no other tables than these."""

    def nearest(self, message: str, tables: Sequence[str]) -> Sequence[Example]:
        """The few of them whose messages are nearest in meaning, the nearest first; none that is far."""
