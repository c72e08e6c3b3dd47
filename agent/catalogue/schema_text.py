"""The catalogue, written for a prompt: each table with its columns, their kinds, and values they hold.

Synonyms are left out: a language model knows English. Other words for the values of an ENUM are kept, one each,
because codes ("WAY-FR") do not explain themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from agent.catalogue.tables import Catalogue, Column, Kind, Table

SHOWN = {Kind.ENUM: 120, Kind.LOCATION: 40, Kind.TEXT: 2}
"""Values of a column that are shown, by its kind: vocabularies to choose from, names only as examples."""

EXAMPLE = 40
"""Characters of a text that is shown as an example: a longer one tells no more."""

OUTLINED = {Kind.ENUM: 12, Kind.LOCATION: 12}
"""The same in an outline, for whoever only has to know which table tells of what."""

Samples = Mapping[tuple[str, str], Sequence[str]]
"""Values by (table, column), for columns whose vocabulary the catalogue does not list."""


def describe_catalogue(catalogue: Catalogue, samples: Samples | None = None) -> str:
    """The tables and foreign keys as a prompt shows them. Hidden columns are left out, except entities and keys."""
    parts = ["\n".join(_table(table, samples or {})) for table in catalogue]
    if catalogue.foreign_keys:
        keys = (f"  {k.table}.{k.column} = {k.target}.{k.target_column}" for k in catalogue.foreign_keys)
        parts.append("\n".join(["JOINS", *keys]))
    return "\n\n".join(parts)


def outline_catalogue(catalogue: Catalogue, samples: Samples | None = None) -> str:
    """The tables with what people may ask about: no keys, no pictures, no names, a dozen values of a vocabulary."""
    return "\n\n".join("\n".join(_outline(table, catalogue, samples or {})) for table in catalogue)


def _outline(table: Table, catalogue: Catalogue, samples: Samples) -> Iterator[str]:
    yield _heading(table)
    if table.title:
        yield f"  known to people by {table.title}"
    joining = {(key.table, key.column) for key in catalogue.foreign_keys}
    for column in table.columns:
        internal = column.hidden or column.name in table.key or (table.name, column.name) in joining
        if not internal and column.kind is not Kind.IMAGE:
            yield f"  {_outlined(column, samples.get((table.name, column.name), ()))}"


def _outlined(column: Column, sampled: Sequence[str]) -> str:
    """`cuisines ENUM[]: Kinds of food; such as afghan, bakeries, and 58 more`"""
    values = column.values or tuple(sampled) or tuple(value for value, words in column.value_words if words)
    shown = values[: OUTLINED.get(column.kind, 0)]
    listed = ", ".join(_value(value, _meanings(column)) for value in shown)
    rest = f", and {len(values) - len(shown)} more" if len(values) > len(shown) else ""
    notes = [column.description.strip().rstrip("."), f"in {column.unit}" if column.unit else ""]
    return _line(column, [*notes, f"values {listed}{rest}" if shown else ""])


def _heading(table: Table) -> str:
    return f"TABLE {table.name}: {table.description or f'One row is one {table.noun[0]}.'}"


def _table(table: Table, samples: Samples) -> Iterator[str]:
    yield _heading(table)
    identity = [f"known to people by {table.title}"] if table.title else []
    if table.entity:
        whole = len(table.key) > 1 and table.entity in table.key
        identity.append(f"identified by {' and '.join(table.key) if whole else table.entity}")
    if identity:
        yield f"  {'; '.join(identity)}"
    if table.order:
        yield f'  default order, which is also what "best" means: {table.order}'
    for column in table.columns:
        if not column.hidden or column.name == table.entity or column.name in table.key:
            yield f"  {_column(column, samples.get((table.name, column.name), ()))}"


def _column(column: Column, sampled: Sequence[str]) -> str:
    """`rating NUMBER: average of all guests' stars, 1 to 5; in stars`"""
    notes = [column.description.strip().rstrip(".")]
    if column.unit:
        notes.append(f"in {column.unit}")
    if column.kind is Kind.FREE_TEXT:
        notes.append("read through answer() or summary()")
    else:
        notes.append(_values(column, sampled))
        notes += [f"{end} means {words[0]}" for end, words in _ends(column) if words]
    return _line(column, notes)


def _line(column: Column, notes: Sequence[str]) -> str:
    line, told = f"{column.name} {column.kind.value}{'[]' if column.many else ''}", "; ".join(filter(None, notes))
    return f"{line}: {told}" if told else line


def _ends(column: Column) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "the least", column.low_words
    yield "the most", column.high_words


def _values(column: Column, sampled: Sequence[str]) -> str:
    """The vocabulary where it is short, a sample of it where it is not, nothing where values speak for themselves."""
    meaning = _meanings(column)
    values = column.values or tuple(sampled) or tuple(meaning)
    if column.kind is Kind.TEXT:
        values = tuple(value for value in values if len(value) <= EXAMPLE)
    shown = values[: SHOWN.get(column.kind, 0)]
    if not shown:
        return ""
    listed = ", ".join(_value(value, meaning) for value in shown)
    return f"{'values' if shown == column.values else 'values such as'} {listed}"


def _meanings(column: Column) -> dict[str, str]:
    return {value: words[0] for value, words in column.value_words if words}


def _value(value: str, meaning: Mapping[str, str]) -> str:
    return f"{value} ({meaning[value]})" if value in meaning else value
