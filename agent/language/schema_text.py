"""The catalogue, written for a prompt: each table with its columns, their kinds, and values they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from agent.suql.catalogue import Catalogue, Column, Kind, Table

SHOWN = 60
"""Values of one column that are shown; a longer vocabulary is only sampled."""

Samples = Mapping[tuple[str, str], Sequence[str]]
"""Values by (table, column), for columns whose vocabulary the catalogue does not list."""


def describe_catalogue(catalogue: Catalogue, samples: Samples | None = None) -> str:
    """The tables and foreign keys as a prompt shows them. Hidden columns are left out, except entities and keys."""
    parts = ["\n".join(_table(table, samples or {})) for table in catalogue]
    if catalogue.foreign_keys:
        keys = (f"  {k.table}.{k.column} = {k.target}.{k.target_column}" for k in catalogue.foreign_keys)
        parts.append("\n".join(["JOINS", *keys]))
    return "\n\n".join(parts)


def _table(table: Table, samples: Samples) -> Iterator[str]:
    about = table.description or f"One row is one {table.noun[0]}."
    yield f"TABLE {table.name}: {about}"
    if table.title:
        yield f"  known to people by {table.title}" + (f"; identified by {table.entity}" if table.entity else "")
    if table.synonyms:
        yield f"  also called: {', '.join(table.synonyms)}"
    if table.order:
        yield f'  default order, also for "best": {table.order}'
    for column in table.columns:
        if not column.hidden or column.name == table.entity or column.name in table.key:
            yield f"  {_column(column, samples.get((table.name, column.name), ()))}"


def _column(column: Column, sampled: Sequence[str]) -> str:
    """`price ENUM: how much a meal costs; values cheap, moderate, expensive, luxury`"""
    line = f"{column.name} {column.kind.value}{'[]' if column.many else ''}"
    notes = [note for note in (column.description.strip().rstrip("."), _unit(column), _synonyms(column)) if note]
    if values := _values(column, sampled):
        notes.append(values)
    if column.kind is Kind.FREE_TEXT:
        notes.append("read only through answer() or summary()")
    return f"{line}: {'; '.join(notes)}" if notes else line


def _unit(column: Column) -> str:
    return f"in {column.unit}" if column.unit else ""


def _synonyms(column: Column) -> str:
    return f"also called {', '.join(column.synonyms)}" if column.synonyms else ""


def _values(column: Column, sampled: Sequence[str]) -> str:
    """The vocabulary where it is short, a sample of it where it is not; nothing for prose."""
    if column.kind is Kind.FREE_TEXT:
        return ""
    values = column.values or tuple(sampled)
    if not values:
        return ""
    shown = ", ".join(values[:SHOWN])
    closed = column.values and len(values) <= SHOWN
    return f"{'values' if closed else 'values such as'} {shown}"
