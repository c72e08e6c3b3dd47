"""The grammar of one main table: which recognisers work on a message about it, and in which order."""

from __future__ import annotations

from typing import Protocol

from agent.catalogue.places import Gazetteer
from agent.catalogue.tables import Catalogue, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.networks.tagger import Tagger
from agent.parsing.frame import Frame
from agent.parsing.semantics.catalogued import Catalogued
from agent.parsing.semantics.entity_questions import Things
from agent.parsing.semantics.spelling import Speller
from agent.protocols.errors import UnknownName


class Domain(Protocol):
    """Reads questions about one table. `speller` puts right what is misspelt."""

    speller: Speller

    def read(self, question: str, among: tuple[str, ...] = ()) -> Frame: ...


def domain_for(main: str, catalogue: Catalogue, memory: ValueMemory, gazetteer: Gazetteer, tagger: Tagger) -> Domain:
    """The domain of a table, chosen by what the catalogue says of it. Raises UnknownName for a table it lacks."""
    table = catalogue.table(main)
    if table is None:
        raise UnknownName(f"There is no table called {main}.")
    if any(column.kind is Kind.LOCATION for column in table.columns):
        return Things(main, catalogue, memory, gazetteer, tagger)
    if any(key.target == main for key in catalogue.foreign_keys):
        return Catalogued(table, catalogue, memory, tagger)
    owner = _owner(table, catalogue)
    if owner is None:
        raise UnknownName(f"There are no rules for {main}.")
    return Catalogued(owner, catalogue, memory, tagger)


def is_ruled(name: str, catalogue: Catalogue) -> bool:
    """Whether there is a grammar for a table."""
    table = catalogue.table(name)
    located = table is not None and any(column.kind is Kind.LOCATION for column in table.columns)
    return located or any(name in (key.table, key.target) for key in catalogue.foreign_keys)


def _owner(table: Table, catalogue: Catalogue) -> Table | None:
    """The table that a table of details belongs to: offerings and ratings are of courses."""
    return next((catalogue.table(key.target) for key in catalogue.foreign_keys if key.table == table.name), None)
