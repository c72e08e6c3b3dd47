"""Stage 2 without a language model: one question in words to a `Frame` and SUQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.catalogue.places import Gazetteer
from agent.catalogue.tables import Catalogue
from agent.catalogue.values import ValueMemory
from agent.language import Parsed
from agent.networks.cross_encoder import CrossEncoder
from agent.networks.tagger import REMEMBERED, Tagger
from agent.parsing import coverage
from agent.parsing.corpus_selection import CorpusSelector, Encode
from agent.parsing.frame import Frame
from agent.parsing.generate import to_suql
from agent.parsing.semantics.domain import Domain, domain_for, is_ruled
from agent.parsing.semantics.implied import without_implied
from agent.parsing.semantics.spelling import Speller


@dataclass(frozen=True, slots=True)
class Known:
    """What a question is about when the conversation has settled it: entities shown before, to be asked about."""

    keys: tuple[str, ...] = ()


class BuiltinParser:
    """Turns questions into SUQL. Built once for a catalogue, its value memory and its gazetteer; safe to share.

    Raises ModelUnavailable when the tagger's weights are not installed.
    """

    def __init__(
        self, catalogue: Catalogue, memory: ValueMemory, gazetteer: Gazetteer, encode: Encode | None = None
    ) -> None:
        self.catalogue = catalogue
        self.memory = memory
        self.gazetteer = gazetteer
        self.selector = CorpusSelector(catalogue, memory, encode)
        self._tagger = Tagger.load()
        self._judge = lru_cache(maxsize=REMEMBERED)(CrossEncoder.load().verdicts)  # a turn reads its message often
        self._domains: dict[str, Domain] = {}
        self._frame = lru_cache(maxsize=REMEMBERED)(self._read)

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
        offered = tuple(name for name in offered if is_ruled(name, self.catalogue)) or offered
        main = offered[0] if known else self.selector.choose(question, offered)
        return self._frame(question, main, known)

    def _read(self, question: str, main: str, known: Known | None) -> Frame:
        if not is_ruled(main, self.catalogue):
            return Frame(tables=(main,), words=question)
        frame = self.domain(main).read(question, known.keys if known else ())
        table = self.catalogue.table(main)
        if known or table is None:
            return frame
        return frame.model_copy(update={"where": without_implied(frame.where, self._judge, table.noun[0], question)})

    def unused(self, message: str, frames: Sequence[Frame], *, follows: bool = False) -> tuple[str, ...]:
        """The stretches of a message that limit what is wanted and that none of the questions made of it uses."""
        main = frames[0].table
        speller = self.domain(main).speller if is_ruled(main, self.catalogue) else Speller(self.memory.spoken(main))
        return coverage.unused(message, frames, self.catalogue, speller, follows=follows)

    def domain(self, main: str) -> Domain:
        """The grammar of a main table, built on first use."""
        if main not in self._domains:
            self._domains[main] = domain_for(main, self.catalogue, self.memory, self.gazetteer, self._tagger)
        return self._domains[main]
