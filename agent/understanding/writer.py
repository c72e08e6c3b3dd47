"""Writes a question and a catalogue as the linker reads them: names, kinds, keys, values, the query before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from tokenizers import Tokenizer

from agent.catalogue.tables import Kind
from agent.networks.deberta import LONGEST
from agent.understanding.roles import BY_WORDS, COUNT, LIMIT, ROWS, Roles
from agent.understanding.schema import Schema, folded

WINDOW = 480  # tokens that are read together; larger catalogues take several windows
ASKED = 160  # tokens of a question that are read
VALUES = 16  # tokens of the stored values that are written beside a column
VALUE = 24  # letters of a value of the query before that are written
SIGNS = {
    Kind.NUMBER: "#",
    Kind.BOOLEAN: "?",
    Kind.DATE: "date",
    Kind.TIME: "time",
    Kind.FREE_TEXT: "prose",
    Kind.OPENING_HOURS: "hours",
    Kind.LOCATION: "place",
}
TURNS = {"asc": "up", "desc": "down"}


@dataclass
class Window:
    """The question's tokens and part of the catalogue's, with the places of both: `columns` (column, start, stop, place
    of its table), `tables` (table, start, stop), `offsets` (characters of the question's tokens, which begin at 1)."""

    ids: list[int]
    offsets: list[tuple[int, int]]
    columns: list[tuple[int, int, int, int]] = field(default_factory=list)
    tables: list[tuple[int, int, int]] = field(default_factory=list)


class Writer:
    """Writes a question and a schema as tokens."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        whole = tokenizer.encode("").ids
        self._begin, self._end = whole[0], whole[-1]
        self._tokens = lru_cache(maxsize=20_000)(self._encoded)

    def _encoded(self, text: str) -> tuple[int, ...]:
        return tuple(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def windows(
        self,
        question: str,
        schema: Schema,
        layout: Sequence[tuple[int, Sequence[int]]] | None = None,
        found: Mapping[int, Sequence[str]] | None = None,
        before: Roles | None = None,
    ) -> list[Window]:
        """Return one window where all fits, else several, cut between tables.

        `layout` has the tables with their columns in another order than the schema's, `found` other stored values than
        those that the question names: learning varies both. `before` has the roles of the query before.
        """
        encoding = self._tokenizer.encode(question, add_special_tokens=False)
        offsets = [
            (start + len(question[start:stop]) - len(question[start:stop].lstrip()), stop)
            for start, stop in encoding.offsets[:ASKED]
        ]
        head = [self._begin, *encoding.ids[:ASKED], self._end]
        notes, whole = noted(before) if before else ({}, "")
        head += [*self._tokens("before:" + whole), *self._tokens(";")] if before else []
        found = schema.found(question) if found is None else found
        words = f" {folded(question)} "
        windows = [Window(list(head), offsets)]
        for table, columns in layout or [(table, schema.of(table)) for table in range(len(schema.words))]:
            name = self._tokens(schema.words[table])
            part, places = [*name, *self._tokens(":")], []
            for at in columns:
                text = self._column(schema, at, found.get(at, []), words, notes.get(at, ()))
                places.append((at, len(part), len(part) + len(text)))
                part += [*text, *self._tokens(",")]
            part = [*part[:-1], *self._tokens(";")]
            if len(windows[-1].ids) + len(part) > WINDOW and windows[-1].tables:
                windows.append(Window(list(head), offsets))
            window = windows[-1]
            shift = len(window.ids)
            window.columns += [(at, shift + start, shift + stop, len(window.tables)) for at, start, stop in places]
            window.tables.append((table, shift, shift + len(name)))
            window.ids += part
        for window in windows:
            window.ids = [*window.ids[: LONGEST - 1], self._end]
            window.columns = [one for one in window.columns if one[2] < LONGEST]
            window.tables = [one for one in window.tables if one[2] < LONGEST]
        return windows

    def _column(self, schema: Schema, at: int, found: Sequence[str], words: str, notes: Sequence[str]) -> list[int]:
        """Its words, its kind, whether it is a key, what it refers to, which of its values the question names or which
        it has, and what the query before did with it."""
        one = schema.fields[at]
        said = [name for name in one.column.synonyms if f" {folded(name)} " in words]
        text = [*self._tokens(" ".join([one.words, *said[:1], one.described]).strip())]
        text += self._tokens(SIGNS[one.column.kind]) if one.column.kind in SIGNS else ()
        text += self._tokens("key") if one.primary else ()
        if one.link is not None:
            text += [*self._tokens(">"), *self._tokens(schema.words[schema.fields[one.link].table])]
        if found:
            text += self._tokens("= " + " / ".join(found[:2]))[:VALUES]
        elif one.choices:
            text += self._tokens("of " + " / ".join(one.choices))[:VALUES]
        for note in notes:
            text += self._tokens("| " + note)
        return text


def noted(roles: Roles) -> tuple[dict[int, list[str]], str]:
    """Return what a query did with each column, and what it did as a whole, as words."""
    notes: dict[int, list[str]] = {}

    def note(column: int, words: str) -> None:
        notes.setdefault(column, []).append(words)

    whole = [roles.kind] if roles.kind != "none" else []
    whole += [word for word, holds in (("all", roles.everything), ("either", roles.either)) if holds]
    for column, aggregate in roles.select:
        note(column, aggregate or "shown") if column != ROWS else whole.append("count")
    told = {literal.column for literal in roles.literals}
    for literal in roles.literals:
        words = f"{'=' if literal.operator in BY_WORDS else literal.operator} {literal.text[:VALUE]}"
        if literal.column >= 0:
            note(literal.column, words)
        elif literal.column == LIMIT:
            whole.append(f"top {literal.text[:VALUE]}")
        elif literal.column == COUNT:
            whole.append(f"count {words}")
    for column, operator in roles.where:
        if column not in told:
            note(column, "not" if operator == "!=" else "yes")
    for column, filled in roles.filled:
        note(column, filled)
    for column, aggregate, direction in roles.order:
        note(column, f"{aggregate} {TURNS[direction]}".strip())
    for column in roles.group:
        note(column, "each")
    for column, how in roles.compare:
        note(column, how)
    if roles.limit == 1:
        whole.append("top")
    if roles.order_count:
        whole.append(f"count {TURNS[roles.order_count]}")
    return notes, "".join(f" {word}," for word in whole).rstrip(",")
