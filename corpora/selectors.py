"""What the rest of the site reads of the corpora, beyond single rows."""

from __future__ import annotations

import json
from functools import lru_cache

from django.db import connection

from agent.catalogue.tables import Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.protocols.errors import SpecificationError
from agent.worksheets import applications
from agent.worksheets.formats import document
from agent.worksheets.specification import Specification
from corpora.catalogue.imported import State, state_of_corpora, whole_catalogue
from corpora.models import Assistant, WorksheetEdition

MOST_VALUES = 20_000  # of one column; beyond that its values are names of rows, not a vocabulary
FIRST_ROWS = 50_000  # that tell whether there are more; and from which the words of texts are taken

SHORTEST = 4  # letters of a word that a misspelt one may be meant for


def assistant_tables(slug: str) -> tuple[str, ...]:
    """The tables an assistant may query, most relevant first; those of all active ones where `slug` is empty.

    Raises Assistant.DoesNotExist for a slug there is none of. Tables the catalogue does not have are left out.
    """
    known = whole_catalogue()
    if slug:
        return tuple(table for table in Assistant.objects.get(slug=slug).tables if table in known)
    listed = [table for one in Assistant.objects.filter(active=True) for table in one.tables if table in known]
    return tuple(dict.fromkeys(listed)) or tuple(table.name for table in known)


def rows_of(table: str) -> int:
    """Return how many rows a table of `kb` has."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM kb.{connection.ops.quote_name(table)}")
        return int(cursor.fetchone()[0])


def specification(assistant: str, version: int | None = None) -> Specification | None:
    """Return an assistant's worksheets in one edition, by default the active one; None if there is none.

    An installation into which nothing was loaded yet has the worksheets that come with the project.
    Raises SpecificationError for an edition that this version of the code cannot read.
    """
    editions = WorksheetEdition.objects.filter(assistant__slug=assistant)
    found = editions.filter(active=True) if version is None else editions.filter(version=version)
    edition = found.only("version", "document").first()
    if edition is not None:
        return _specification(json.dumps(edition.document), assistant, edition.version)
    if assistant in applications.ASSISTANTS and version in (None, 1) and not editions.exists():
        return _specification(applications.text(assistant), assistant, 1)
    return None


@lru_cache(maxsize=64)
def _specification(text: str, assistant: str, version: int) -> Specification:
    imported = document.read(text, assistant)
    if imported.specification is None:
        problems = "; ".join(str(finding) for finding in imported.findings)
        raise SpecificationError("The forms of this assistant cannot be read.", f"edition {version}: {problems}")
    return imported.specification.model_copy(update={"version": version})


def value_memory() -> ValueMemory:
    """Return the distinct values of all columns with names or vocabularies, what titles name, and the words of texts
    that stand alone; read once a process for each state of the catalogue. Not for the thread of an event loop."""
    return memory_of(state_of_corpora())


@lru_cache(maxsize=1)
def memory_of(state: State) -> ValueMemory:
    """Return what is remembered of all tables in a state of the corpora: other rows, other values."""
    tables = whole_catalogue()
    values, entities, spoken, times = {}, {}, {}, {}
    owned = {name for key in tables.foreign_keys for name in (key.table, key.target)}
    for table in tables:
        texts = [column for column in table.columns if column.kind is Kind.FREE_TEXT and not column.many]
        if texts and table.name not in owned and not any(one.kind is Kind.LOCATION for one in table.columns):
            spoken[table.name] = [word for text in texts for word in _words(table, text)]
        if table.title and table.entity and table.title != table.entity:
            entities[table.name] = _titled(table)
        for column in table.columns:
            if column.kind in (Kind.ENUM, Kind.TEXT) and (not column.hidden or column.name == table.entity):
                values[f"{table.name}.{column.name}"] = _distinct(table, column)
            elif column.kind is Kind.TIME and not column.many and (between := _between(table, column)):
                times[f"{table.name}.{column.name}"] = between
    return ValueMemory(values, entities, spoken, times)


def _between(table: Table, column: Column) -> tuple[str, str] | None:
    """The earliest and the latest time of day in a column; None where it holds none."""
    time, name = connection.ops.quote_name(column.name), connection.ops.quote_name(table.name)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT min({time}), max({time}) FROM kb.{name}")
        earliest, latest = cursor.fetchone()
    return (f"{earliest:%H:%M}", f"{latest:%H:%M}") if earliest is not None else None


def _titled(table: Table) -> dict[str, str]:
    quote = connection.ops.quote_name
    title, entity, name = quote(table.title or ""), quote(table.entity or ""), quote(table.name)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {title}, {entity} FROM kb.{name} ORDER BY {entity} DESC LIMIT {MOST_VALUES + 1}")
        return dict(cursor.fetchall())


def _words(table: Table, column: Column) -> list[str]:
    """The words of a column's first texts, in lower case; of too many, none."""
    quote = connection.ops.quote_name
    text, name = quote(column.name), quote(table.name)
    first_rows = f"(SELECT {text} FROM kb.{name} LIMIT {FIRST_ROWS}) AS first_rows"
    words = f"SELECT regexp_split_to_table(lower({text}), '[^[:alpha:]]+') AS word FROM {first_rows}"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT DISTINCT word FROM ({words}) AS said WHERE length(word) >= {SHORTEST} LIMIT {MOST_VALUES + 1}"
        )
        rows = cursor.fetchall()
    return sorted(word for (word,) in rows) if len(rows) <= MOST_VALUES else []


def _distinct(table: Table, column: Column) -> list[str]:
    quote = connection.ops.quote_name
    value = f"unnest({quote(column.name)})" if column.many else quote(column.name)
    held = f"SELECT {value}::text AS value FROM kb.{quote(table.name)}"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(DISTINCT value) FROM ({held} LIMIT {FIRST_ROWS}) AS first_rows WHERE value <> ''")
        if cursor.fetchone()[0] > MOST_VALUES:
            return []  # and no need to look at a million
        cursor.execute(
            f"SELECT DISTINCT value FROM ({held}) AS held WHERE value <> '' ORDER BY value LIMIT {MOST_VALUES + 1}"
        )
        rows = cursor.fetchall()
    return [value for (value,) in rows] if len(rows) <= MOST_VALUES else []
