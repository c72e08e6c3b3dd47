"""How the builtin language speaks of the tables of a conversation: what it offers, asks back and proposes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from agent.catalogue.tables import Catalogue, Saying, Table, Talk
from agent.catalogue.values import ValueMemory
from agent.text.english import listed

MOST_AREAS = 6  # named when it is asked where


@dataclass(frozen=True)
class Talking:
    """What may be said of some tables without a row of them."""

    tables: tuple[Table, ...] = ()
    areas: tuple[str, tuple[str, ...]] = ("place", ())
    sayings: Mapping[str, Saying] = field(default_factory=dict)

    @classmethod
    def of(cls, catalogue: Catalogue, names: Sequence[str], memory: ValueMemory) -> Talking:
        """Return how to speak of the tables with these names; of all where there are none."""
        known = [table for name in names if (table := catalogue.table(name))] or list(catalogue)
        said = {one.name: one.saying for table in reversed(known) for one in table.columns if one.saying is not None}
        return cls(tuple(known), _areas(known, memory), said)

    @property
    def talks(self) -> list[Talk]:
        """What the tables bring along that bring anything."""
        return [table.talk for table in self.tables if table.talk != Talk()]

    @property
    def offer(self) -> str:
        """What completes "I can ...": what the one table that says so offers, else what may be looked for."""
        offers = [talk.offer for talk in self.talks if talk.offer]
        if len(offers) == 1:
            return offers[0]
        told = [table for table in self.tables if table.talk.offer] or self.tables
        return f"look for {listed([table.noun[1] for table in told])}" if told else "answer questions about my data"

    @property
    def hints(self) -> str:
        """What a search may be for; "" where that is not said, or said of several tables."""
        hints = [talk.hints for talk in self.talks if talk.hints]
        return hints[0] if len(hints) == 1 else ""

    def first(self) -> Iterable[str]:
        """Return messages to begin with: of one table its own, of several the first of each."""
        firsts = [talk.first for talk in self.talks if talk.first]
        return firsts[0] if len(firsts) == 1 else [first[0] for first in firsts]

    def table_of(self, noun: str) -> Talk:
        """Return what the table of a noun brings along, else what the first one does that brings any."""
        named = [table.talk for table in self.tables if noun == table.noun[1] and table.talk != Talk()]
        return next(iter([*named, *self.talks]), Talk())

    def asking_where(self) -> str:
        """Return the question where to look."""
        name, values = self.areas
        these = f": {listed(values, 'or')}" if 0 < len(values) <= MOST_AREAS else ""
        return f"Which {name} should I look in{these}? Or say *anywhere*."


def _areas(tables: Iterable[Table], memory: ValueMemory) -> tuple[str, tuple[str, ...]]:
    for table in tables:
        if table.geo and table.geo.areas:
            return table.geo.areas[0].replace("_", " "), memory.of(table.name, table.geo.areas[0])
    return "place", ()
