"""The grammar of one main table: which recognisers work on a message about it, and in which order."""

from __future__ import annotations

from typing import Protocol

from agent.parsing.frame import Frame
from agent.parsing.semantics.things import Things
from agent.parsing.values import ValueMemory
from agent.places import Gazetteer
from agent.suql.catalogue import Catalogue


class Domain(Protocol):
    """Reads questions about one table."""

    def read(self, question: str, among: tuple[str, ...] = ()) -> Frame: ...


def domain_for(main: str, catalogue: Catalogue, memory: ValueMemory, gazetteer: Gazetteer) -> Domain:
    """The domain of a table, chosen by what the catalogue says of it."""
    return Things(main, catalogue, memory, gazetteer)
