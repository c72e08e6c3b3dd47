"""Stage 2 without a language model: one question in words to a `Frame` and SUQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from agent.catalogue.places import Gazetteer
from agent.catalogue.tables import Catalogue
from agent.catalogue.values import ValueMemory
from agent.language import Parsed
from agent.networks.cross_encoder import CrossEncoder
from agent.networks.tagger import REMEMBERED, Tagger
from agent.parsing import RULED, coverage
from agent.parsing.frame import Frame
from agent.parsing.generate import to_suql
from agent.parsing.semantics.entity_questions import Things
from agent.parsing.semantics.implied import without_implied
from agent.parsing.semantics.spelling import Speller


@dataclass(frozen=True, slots=True)
class Known:
    """What a question is about when the conversation has settled it: entities shown before, to be asked about."""

    keys: tuple[str, ...] = ()


class OtherTables(Protocol):
    """Reads what is asked of tables that there are no rules for."""

    def frame(self, words: str, tables: tuple[str, ...]) -> Frame:
        """What words ask of tables by themselves."""

    def are_documents(self, tables: tuple[str, ...]) -> bool:
        """Whether there is nothing to ask but documents, which are found by all the words of a question."""


class BuiltinParser:
    """Turns questions into SUQL. Built once for a catalogue, its value memory and its gazetteer; safe to share.

    `ruled` are the tables that there are rules for; `others` reads what is asked of the rest. Raises ModelUnavailable
    when the tagger's weights are not installed.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        memory: ValueMemory,
        gazetteer: Gazetteer,
        ruled: frozenset[str] = RULED,
        others: OtherTables | None = None,
    ) -> None:
        self.ruled = ruled
        self.catalogue = catalogue
        self.memory = memory
        self.gazetteer = gazetteer
        self._tagger = Tagger.load()
        self._judge = lru_cache(maxsize=REMEMBERED)(CrossEncoder.load().verdicts)  # a turn reads its message often
        self._domains: dict[str, Things] = {}
        self._frame = lru_cache(maxsize=REMEMBERED)(self._read)
        self.others = others
        self._other_frame = lru_cache(maxsize=REMEMBERED)(self._read_other)

    def parse(self, question: str, tables: tuple[str, ...] = (), known: Known | None = None) -> Parsed:
        """The question as a query over the one of `tables` it is about (of all tables where none are given).

        `known` says that the question asks about entities already shown; what it asks then becomes projections
        instead of conditions.
        """
        frame = self.frame(question, tables, known)
        return Parsed(
            suql=to_suql(frame, self.catalogue),
            tables=frame.tables,
            presentation=frame.presentation,
            frame=frame.model_dump(mode="json"),
        )

    def frame(self, question: str, tables: tuple[str, ...] = (), known: Known | None = None) -> Frame:
        """What the question asks for."""
        offered = tables or tuple(table.name for table in self.catalogue)
        main = next((name for name in offered if name in self.ruled), "")
        return self._frame(question, main, known) if main else self._other_frame(question, offered)

    def _read(self, question: str, main: str, known: Known | None) -> Frame:
        frame = self.domain(main).read(question, known.keys if known else ())
        table = self.catalogue.table(main)
        if known or table is None:
            return frame
        return frame.model_copy(update={"where": without_implied(frame.where, self._judge, table.noun[0], question)})

    def _read_other(self, question: str, tables: tuple[str, ...]) -> Frame:
        return self.others.frame(question, tables) if self.others else Frame(tables=tables[:1], words=question)

    def are_documents(self, tables: tuple[str, ...]) -> bool:
        """Whether there is nothing to ask in some tables but documents."""
        return self.others is not None and self.others.are_documents(tables)

    def unused(self, message: str, frames: Sequence[Frame], *, follows: bool = False) -> tuple[str, ...]:
        """The stretches of a message that limit what is wanted and that none of the questions made of it uses."""
        main = frames[0].table
        speller = self.domain(main).speller if main in self.ruled else Speller(self.memory.spoken(main))
        return coverage.unused(message, frames, self.catalogue, speller, follows=follows)

    def domain(self, main: str) -> Things:
        """The grammar of a main table, built on first use."""
        if main not in self._domains:
            self._domains[main] = Things(main, self.catalogue, self.memory, self.gazetteer, self._tagger)
        return self._domains[main]
