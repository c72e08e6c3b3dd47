"""Checked pairs as paraphrases: a message that says the same as one of them takes its query.

A literal of the query that the pair's message names is exchanged for what the new message names in its place, where
that is a value of the same column: "cheap thai places" serves "cheap greek places". Everything else has to be said
alike, nearly word by word or in another order (`reworded.py`), so that nothing that a message asks for is lost.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz
from sqlglot import exp

from agent.backends.builtin.reworded import LONGEST_VALUE, Nouns, Part, Words, base_form, fillings
from agent.backends.examples import Example, Examples
from agent.catalogue.places import Gazetteer, Place
from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.language import Parsed
from agent.protocols.errors import QueryError
from agent.suql.syntax import parse
from agent.text.letters import fold
from agent.understanding.values import number_in

NEARLY = 90  # of 100: how nearly alike two words are spelled
MISSPELT = 5  # letters of a word that may be spelled wrong
LONGEST = 60  # words of a message that may be a paraphrase
_WORD = re.compile(r"\w+(?:[.:]\d+)*")
_IDLE = frozenset(["a", "an", "the", "some", "any", "there", "please", "kindly", "me", "hi", "hello", "hey", "thanks"])


@dataclass(frozen=True, slots=True)
class Slot:
    """Words of a message that a query compares with columns: literals number `literals`, each with its column (None: a
    number of rows)."""

    words: Words
    literals: tuple[tuple[int, Table | None, Column | None], ...]


@dataclass(frozen=True, slots=True)
class Template:
    """A pair, its message as words and slots."""

    example: Example
    parts: tuple[str | Slot, ...]
    nouns: Nouns


class Paraphrases:
    """Finds the pair that a message says in nearly the same words. Safe to share."""

    def __init__(self, catalogue: Catalogue, memory: ValueMemory, gazetteer: Gazetteer, examples: Examples) -> None:
        self._catalogue, self._memory, self._gazetteer = catalogue, memory, gazetteer
        self._examples = examples
        self._template = lru_cache(maxsize=4_000)(self._cut)

    def parsed(self, message: str, tables: Sequence[str]) -> Parsed | None:
        """Return the query of the pair that a message paraphrases, with its own values; None where it is none's."""
        said = words(message)
        if not said or len(said) > LONGEST:
            return None
        for example in self._examples.of(tables):
            template = self._template(example)
            for bound in (*aligned(template.parts, said), *self._reworded(template, said)):
                suql = self._filled(template, bound)
                if suql:
                    return Parsed(suql=suql, tables=example.tables, presentation=example.presentation)
        return None

    def _reworded(self, template: Template, said: Words) -> Iterator[dict[int, Words]]:
        """What fills the slots of a pair's message where a message says the rest of it in another way."""
        slots = {at: part for at, part in enumerate(template.parts) if isinstance(part, Slot)}
        parts: list[Part] = [at if isinstance(part, Slot) else part for at, part in enumerate(template.parts)]

        def holds(slot: Slot) -> Callable[[Words], bool]:
            return lambda words: all(
                self._value(" ".join(words), table, column) is not None for _, table, column in slot.literals
            )

        yield from fillings(parts, said, {at: holds(slot) for at, slot in slots.items()}, template.nouns)

    def _nouns(self, example: Example) -> Nouns:
        tables = [self._catalogue.table(name) for name in example.tables]
        called = ([*table.noun, *table.synonyms, table.name] for table in tables if table is not None)
        return tuple(frozenset(base_form(word) for name in names for word in words(name)) for names in called)

    def _cut(self, example: Example) -> Template:
        """The pair's message as words and slots. One whose query can no longer be read has no slots."""
        said = words(example.message)
        try:
            literals = list(_literals(parse(example.suql)))
        except QueryError:
            literals = []
        places: dict[tuple[int, int], list[tuple[int, Table | None, Column | None]]] = {}
        for number, literal in sorted(enumerate(literals), key=lambda one: _is_limit(one[1])):
            table, column = self._compared(literal, example.tables)
            if column is None and not _is_limit(literal):
                continue
            place = _place(said, self._namings(literal, table, column))
            if place and not (_is_limit(literal) and place in places):  # a figure of a column is no number of rows
                places.setdefault(place, []).append((number, table, column))
        return Template(example, _parts(said, places), self._nouns(example))

    def _compared(self, literal: exp.Literal, tables: Sequence[str]) -> tuple[Table | None, Column | None]:
        """The column that a literal is compared with, where it is one whose values may be exchanged."""
        comparison = literal.find_ancestor(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Between)
        if comparison is None or literal.find_ancestor(exp.Anonymous) is not None:
            return None, None
        columns = [one for one in comparison.find_all(exp.Column) if one.find_ancestor(exp.Anonymous) is None]
        for name in tables:
            table = self._catalogue.table(name)
            found = table.column(columns[0].name) if table is not None and len(columns) == 1 else None
            if found is not None and found.kind in (Kind.TEXT, Kind.ENUM, Kind.NUMBER, Kind.LOCATION):
                return table, found
        return None, None

    def _namings(self, literal: exp.Literal, table: Table | None, column: Column | None) -> Callable[[Words], bool]:
        """Whether words name the literal: as it stands, or by another word for it."""
        if not literal.is_string:
            return lambda said: len(said) == 1 and number_in(said[0]) == literal.name
        named = {words(literal.this)}
        for value, others in column.value_words if column else ():
            if fold(value) == fold(literal.this):
                named |= {words(other) for other in others}
        return lambda said: said in named

    def _filled(self, template: Template, bound: dict[int, Words]) -> str:
        """The pair's query with the values that a message names; "" where one of them is no value of its column."""
        changed = {at: said for at, said in bound.items() if _slot(template, at).words != said}
        if not changed:
            return template.example.suql
        tree = parse(template.example.suql)
        literals = list(_literals(tree))
        for at, said in changed.items():
            for number, table, column in _slot(template, at).literals:
                value = self._value(" ".join(said), table, column)
                if value is None:
                    return ""
                literal = literals[number]
                literal.replace(exp.Literal.string(value) if literal.is_string else exp.Literal.number(value))
        return tree.sql(dialect="postgres", normalize_functions=False, comments=False)

    def _value(self, said: str, table: Table | None, column: Column | None) -> str | None:
        """The value of a column that words name, None where they name none."""
        if table is None or column is None or column.kind is Kind.NUMBER:
            return number_in(said)
        if column.kind is Kind.LOCATION:
            called = ((place.name, place) for place in self._gazetteer.resolve(said))
            return next((name for name, place in called if _is_called(place, said)), None)
        exact = self._memory.exact(table.name, column.name, said)
        if exact is not None:
            return exact
        for value, others in column.value_words:
            if fold(said) in {fold(value), *(fold(other) for other in others)}:
                return value
        return self._memory.nearest(table.name, column.name, said, NEARLY)


def words(message: str) -> Words:
    """Return the words of a message in lower case and without accents, those apart that ask for nothing."""
    plain = unicodedata.normalize("NFKD", message.casefold())
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return tuple(word for word in _WORD.findall(letters) if word not in _IDLE)


def aligned(parts: Sequence[str | Slot], said: Words, part: int = 0, at: int = 0) -> Iterator[dict[int, Words]]:
    """Yield each way in which words are a template's: what stands in the place of each slot, by the slot's number."""
    if part == len(parts):
        if at == len(said):
            yield {}
        return
    if len(said) - at < len(parts) - part:
        return
    first = parts[part]
    if isinstance(first, str):
        if at < len(said) and _alike(first, said[at]):
            yield from aligned(parts, said, part + 1, at + 1)
        return
    for stop in range(at + 1, min(at + LONGEST_VALUE, len(said)) + 1):
        for rest in aligned(parts, said, part + 1, stop):
            yield {part: said[at:stop], **rest}


def _alike(one: str, other: str) -> bool:
    """Whether two words are one but for a slip or an ending; figures are never misspelt."""
    if one == other or one.removesuffix("s") == other.removesuffix("s"):
        return True
    if min(len(one), len(other)) < MISSPELT or not (one.isalpha() and other.isalpha()):
        return False
    return fuzz.ratio(one, other) >= NEARLY


def _parts(
    said: Words, places: Mapping[tuple[int, int], list[tuple[int, Table | None, Column | None]]]
) -> tuple[str | Slot, ...]:
    """A message cut into words and slots; without slots where two of them overlap, since one would stay as it is."""
    parts: list[str | Slot] = []
    at = 0
    for (start, stop), literals in sorted(places.items(), key=lambda one: one[0]):
        if start < at:
            return said
        parts += [*said[at:start], Slot(said[start:stop], tuple(literals))]
        at = stop
    return (*parts, *said[at:])


def _is_called(place: Place, said: str) -> bool:
    return fold(said) in {fold(name) for name in (place.name, *place.aliases)}


def _literals(tree: exp.Query) -> Iterator[exp.Literal]:
    yield from tree.find_all(exp.Literal)


def _is_limit(literal: exp.Literal) -> bool:
    return isinstance(literal.parent, exp.Limit)


def _slot(template: Template, at: int) -> Slot:
    slot = template.parts[at]
    assert isinstance(slot, Slot), "only slots are bound"
    return slot


def _place(said: Words, names: Callable[[Words], bool]) -> tuple[int, int] | None:
    """Where words of a message name something: the longest place, and None where there are two of them."""
    for size in range(min(LONGEST_VALUE, len(said)), 0, -1):
        found = [start for start in range(len(said) - size + 1) if names(said[start : start + size])]
        if found:
            return (found[0], found[0] + size) if len(found) == 1 else None
    return None
