"""The tasks `describe` and `welcome`: what a curator might say of tables, drafted from their names and values.

What a model writes is a proposal for a person to look through, and counts only as far as it fits the table: columns and
values that are not there are ignored, a word that would fit two columns is given to neither, and a sentence that speaks
to the reader of a prompt is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.backends.prompted.asking import Asker, Wire
from agent.backends.prompted.clean import clean, visible
from agent.catalogue.tables import Column, Kind, Table
from agent.text.addressed import addresses_the_reader
from agent.text.letters import fold

AT_ONCE = 30  # columns of a prompt; the reply about more is likely to be cut short
MOST_WORDS = 8  # for one thing
MOST_QUESTIONS = 6
LONGEST_WORD = 40  # characters
LONGEST_QUESTION = 120
LONGEST_LINE = 300
LONGEST_WELCOME = 1000
SCALES = (Kind.NUMBER, Kind.DATE, Kind.TIME)


@dataclass(frozen=True, slots=True)
class Seen:
    """A table with some of its values, by column. `vocabularies` has all values of the columns that have few."""

    table: Table
    samples: Mapping[str, Sequence[str]] = field(default_factory=dict)
    vocabularies: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def columns(self) -> list[Column]:
        return [column for column in self.table.columns if not column.hidden]


@dataclass(frozen=True, slots=True)
class ColumnDraft:
    description: str = ""
    synonyms: tuple[str, ...] = ()
    low: tuple[str, ...] = ()
    high: tuple[str, ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TableDraft:
    """What may be said of a table; `columns` by name, `questions` to begin with."""

    description: str = ""
    synonyms: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    columns: Mapping[str, ColumnDraft] = field(default_factory=dict)


class ValueWords(Wire):
    value: str
    words: list[str]


class ColumnWords(Wire):
    column: str
    description: str
    synonyms: list[str]
    low: list[str]
    high: list[str]
    values: list[ValueWords]


class Described(Wire):
    """The reply to the prompt `describe`."""

    description: str
    synonyms: list[str]
    columns: list[ColumnWords]
    questions: list[str]


class Welcome(Wire):
    """The reply to the prompt `welcome`."""

    welcome: str


async def describe(asker: Asker, seen: Seen) -> TableDraft:
    """Return what may be said of a table and its columns; a wide table takes several prompts."""
    columns = seen.columns
    parts = [
        await _describe(asker, seen, columns[start : start + AT_ONCE]) for start in range(0, len(columns), AT_ONCE)
    ]
    drafts = {name: draft for part in parts for name, draft in part.columns.items()}
    first = parts[0] if parts else TableDraft()
    return TableDraft(first.description, first.synonyms, first.questions, _told_apart(seen.table, drafts))


async def welcome(asker: Asker, tables: Sequence[Seen]) -> str:
    """Return what an assistant over these tables might say first."""
    shown = [{"name": one.table.name, "noun": one.table.noun[1], "description": one.table.description,
              "columns": [column.name for column in one.columns],
              "texts": [column.name for column in one.columns if column.kind is Kind.FREE_TEXT]}
             for one in tables]  # fmt: skip
    return await asker.ask("welcome", asker.prompts.render("welcome", tables=shown), Welcome, _welcome)


async def _describe(asker: Asker, seen: Seen, columns: Sequence[Column]) -> TableDraft:
    messages = asker.prompts.render("describe", table=_shown(seen, columns))
    return await asker.ask(
        "describe", messages, Described, lambda reply: _accepted(reply, seen, columns), items=len(columns)
    )


def _shown(seen: Seen, columns: Sequence[Column]) -> dict[str, Any]:
    """A table as the prompt shows it."""
    table = seen.table
    told = {"name": table.name, "noun": list(table.noun), "description": table.description}
    return told | {"columns": [_column(seen, column) for column in columns]}


def _column(seen: Seen, column: Column) -> dict[str, Any]:
    kind = f"{column.kind.value}{'[]' if column.many else ''}"
    shown: dict[str, Any] = {"name": column.name, "kind": kind, "description": column.description, "unit": column.unit}
    for name, values in (("vocabulary", seen.vocabularies), ("samples", seen.samples)):
        if found := values.get(column.name):
            return {key: value for key, value in shown.items() if value} | {name: [visible(one) for one in found]}
    return {key: value for key, value in shown.items() if value}


def _accepted(reply: Described, seen: Seen, columns: Sequence[Column]) -> TableDraft:
    """The reply as far as it fits the table. Raises ValueError where it names none of the columns."""
    by_name = {column.name: column for column in columns}
    drafts: dict[str, ColumnDraft] = {}
    for told in reply.columns:
        column = by_name.pop(told.column.strip(), None)
        if column is not None:
            drafts[column.name] = _drafted(told, column, seen.vocabularies.get(column.name, ()))
    if not drafts:
        raise ValueError(f"describe the columns under their own names: {', '.join(by_name)}")
    questions = dict.fromkeys(line for one in reply.questions if (line := _line(one)) and len(line) <= LONGEST_QUESTION)
    nouns = {fold(noun) for noun in seen.table.noun}
    others = tuple(word for word in _words(reply.synonyms) if fold(word) not in nouns)
    return TableDraft(_line(reply.description), others, tuple(questions)[:MOST_QUESTIONS], drafts)


def _drafted(told: ColumnWords, column: Column, vocabulary: Sequence[str]) -> ColumnDraft:
    own = fold(column.name.replace("_", " "))
    scale = column.kind in SCALES
    low = _words(told.low) if scale else ()
    high = tuple(word for word in _words(told.high) if word not in low) if scale else ()
    given = {one.value.strip().casefold(): _words(one.words) for one in told.values}
    values = {value: given.get(value.casefold(), ()) for value in vocabulary}
    taken = {fold(value) for value in vocabulary}
    return ColumnDraft(
        description=_line(told.description),
        synonyms=tuple(word for word in _words(told.synonyms) if fold(word) != own),
        low=low,
        high=high,
        values=_unshared(
            {value: tuple(one for one in words if fold(one) not in taken) for value, words in values.items()}
        ),
    )


def _told_apart(table: Table, drafts: Mapping[str, ColumnDraft]) -> dict[str, ColumnDraft]:
    """The drafts without synonyms that name another column, or several."""
    names = {fold(column.name.replace("_", " ")) for column in table.columns}
    synonyms = _unshared({name: draft.synonyms for name, draft in drafts.items()})
    return {
        name: ColumnDraft(
            draft.description,
            tuple(word for word in synonyms.get(name, ()) if fold(word) not in names),
            draft.low,
            draft.high,
            draft.values,
        )
        for name, draft in drafts.items()
    }


def _unshared(words: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Those of the words that only one thing has; things without any are left out."""
    times = Counter(fold(word) for own in words.values() for word in own)
    kept = {name: tuple(word for word in own if times[fold(word)] == 1) for name, own in words.items()}
    return {name: own for name, own in kept.items() if own}


def _welcome(reply: Welcome) -> str:
    text = " ".join(_lines(reply.welcome))[:LONGEST_WELCOME]
    if not text:
        raise ValueError("write the sentences that the assistant says first")
    return text


def _words(words: Iterable[str]) -> tuple[str, ...]:
    """Words and short phrases as they are kept: each once, without what parts them from each other."""
    lines = (" ".join(clean(word, ()).replace(",", " ").split()) for word in words)
    kept = [
        word for word in lines if word and len(word) <= LONGEST_WORD and not addresses_the_reader(word, closed=False)
    ]
    return tuple({fold(word): word for word in reversed(kept)}.values())[::-1][:MOST_WORDS]


def _line(text: str) -> str:
    """One line in plain words; nothing where it is too long, or speaks to a reader of prompts."""
    line = " ".join(clean(text, ()).split())
    return "" if len(line) > LONGEST_LINE or addresses_the_reader(line, closed=False) else line


def _lines(text: str) -> list[str]:
    return [line for one in re.split(r"(?<=[.!?])\s+|\n+", text) if (line := _line(one))]
