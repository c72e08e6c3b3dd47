"""Which tables an utterance is about when nobody chose an assistant.

Two kinds of evidence are added up for each main table: its vocabulary (what its rows and columns are called, the values
they hold, the words of its domain's lexicons; a word that several tables share counts less for each) and, where an
encoder is at hand, the similarity of the utterance to what the table's rows say of themselves.
(The database selection of the Relational Database Augmented LLM, without its model.)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from agent.catalogue.tables import Catalogue, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.networks.asides import aside_odds
from agent.parsing import RULED
from agent.parsing.lexicon import load
from agent.parsing.semantics import english
from agent.text.letters import fold

Encode = Callable[[Sequence[str]], Any]  # texts to unit vectors, shape (texts, dimensions)

NAMED, SAID, HELD = 3.0, 1.0, 1.5  # weight of a table's own names, its columns' words, its values
SIMILAR = 4.0  # weight of the best similarity to a title or description
CLEAR = 1.0  # a lead of the vocabulary that needs no encoder
_SAMPLE = 60  # values of a column, at most, whose meaning an utterance is compared with

_TIMES = (
    *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    *("mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun", "day", "weekday"),
)  # of any table with times


class CorpusSelector:
    """Ranks the main tables of a catalogue for an utterance."""

    def __init__(self, catalogue: Catalogue, memory: ValueMemory, encode: Encode | None = None) -> None:
        self._catalogue, self._memory, self._encode = catalogue, memory, encode
        self._main = tuple(table for table in catalogue if not _detail(table, catalogue))
        self._vectors: dict[str, Any] = {}

    @cached_property
    def _weights(self) -> dict[str, dict[str, float]]:
        related = {table.name: [table, *self._catalogue.only(*self.details(table.name))] for table in self._main}
        return _shared({name: _vocabulary(tables, self._memory) for name, tables in related.items()})

    def details(self, main: str) -> tuple[str, ...]:
        """The tables that only tell more of the rows of a main table."""
        return tuple(dict.fromkeys(key.table for key in self._catalogue.foreign_keys if key.target == main))

    def aside_odds(self, words: str) -> float:
        """The log odds that words search nothing; without an encoder, nothing speaks for it."""
        return aside_odds(self._encode([words])[0]) if self._encode is not None else float("-inf")

    def rank(self, words: str, tables: Sequence[str] = ()) -> list[tuple[str, float]]:
        """Main tables with their scores, best first; only of `tables` where some are given."""
        open_to = [table.name for table in self._main if not tables or table.name in tables]
        said = _words(words)
        scores = {name: sum(self._weights[name].get(word, 0.0) for word in said) for name in open_to}
        if self._encode is not None and not _clear(scores):
            vector = self._encode([words])[0]
            for table in self._main:
                if table.name in scores:
                    scores[table.name] += SIMILAR * float(max(self._sample(table) @ vector))
        return sorted(scores.items(), key=lambda item: -item[1])

    def choose(self, words: str, tables: Sequence[str]) -> str:
        """The main table an utterance is about; the first of `tables` where nothing speaks for another."""
        ranked = self.rank(words, tables)
        if not ranked:
            return tables[0]
        scores = dict(ranked)
        best, first = ranked[0][0], tables[0] if tables[0] in scores else ranked[0][0]
        return best if scores[best] > scores[first] else first

    def _sample(self, table: Table) -> Any:
        if table.name not in self._vectors:
            assert self._encode is not None  # rank() asks only then
            self._vectors[table.name] = self._encode(_samples(table, self._memory))
        return self._vectors[table.name]


def _clear(scores: dict[str, float]) -> bool:
    first, second, *_ = [*sorted(scores.values(), reverse=True), 0.0, 0.0]
    return first - second >= CLEAR


def _detail(table: Table, catalogue: Catalogue) -> bool:
    return any(key.table == table.name for key in catalogue.foreign_keys)


def _vocabulary(tables: Sequence[Table], memory: ValueMemory) -> dict[str, float]:
    """The words of a domain with what each weighs; a word keeps its heaviest weight."""
    weights: dict[str, float] = {}

    def learn(texts: Sequence[str], weight: float) -> None:
        for text in texts:
            for word in _words(text):
                weights[word] = max(weights.get(word, 0.0), weight)

    for table in tables:
        learn([*table.noun, *table.synonyms], NAMED)
        for column in table.columns:
            if not column.hidden:
                learn([column.name.replace("_", " "), *column.synonyms, column.unit], SAID)
            if column.kind in (Kind.ENUM, Kind.TEXT) and column.name not in ("address", "link", "contact"):
                learn(memory.of(table.name, column.name), HELD)
            if column.kind is Kind.FREE_TEXT:
                learn([word for term, others in column.value_words for word in (term, *others)], HELD)
                continue
            # A closed vocabulary is as telling as a name ("BS", "winter"), unless it is what the rows are about.
            closed = [*column.values, *(word for _, words in column.value_words for word in words)]
            whole = [text for text in closed if text.isalpha()]
            learn(whole, HELD if column.name == table.title else NAMED)
            learn([text for text in closed if text not in whole], SAID)  # "cost" of "low-cost" is no name
            if column.kind in (Kind.OPENING_HOURS, Kind.TIME):
                learn(_TIMES, NAMED)
            if "cuisine" in column.synonyms:
                food = load("food")
                learn([*food["cuisines"], *food["dishes"]["words"].split(",")], HELD)
    if tables[0].name in RULED:
        learn([entry["ask"] for entry in load(tables[0].name)["aspect"]], SAID / 2)
    return weights


def _shared(vocabularies: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """Each word's weight divided by the number of tables that know it."""
    known = Counter(word for words in vocabularies.values() for word in words)
    return {
        name: {word: weight / known[word] ** 2 for word, weight in words.items()}
        for name, words in vocabularies.items()
    }


def _samples(table: Table, memory: ValueMemory) -> list[str]:
    return [table.description or table.name, *memory.of(table.name, table.title)[:_SAMPLE]]


def _words(text: str) -> set[str]:
    """Content words, without the ending of a plural."""
    found = re.findall(r"[a-z]{2,}", fold(text))
    plain = english.filler() - {"dinner", "lunch", "breakfast", "eat", "eating", "rating", "rated"}
    return {word.removesuffix("s") if len(word) > 4 else word for word in found if word not in plain}
