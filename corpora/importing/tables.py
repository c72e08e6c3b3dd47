"""Tables of imported corpora in the database: their columns, how they are made, and how rows are written into them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.db import connection

from corpora.catalogue.imported import ROW_NUMBER, first
from corpora.gazetteer import gazetteer
from corpora.importing.reading import Table, whole
from corpora.importing.remembering import Remembered
from corpora.importing.specification import ColumnKind, ColumnSpec, TableSpec

SCHEMA = "imported"
ROW_EDIT = "row_edit"  # what was done to a row by hand: added, changed, deleted; nothing where it is as it was imported
ROW_ORIGIN = "row_origin"  # tells rows apart through all imports: the key, or what the row was when it came
LONGEST_ORIGIN = 200  # characters
REPORT_EVERY = 500  # rows
VISIBLE = f"{ROW_EDIT} IS DISTINCT FROM 'deleted'"

TYPES = {
    ColumnKind.NUMBER: "double precision",
    ColumnKind.BOOLEAN: "boolean",
    ColumnKind.DATE: "date",
    ColumnKind.TIME: "time",
    ColumnKind.ENUMS: "text[]",
    ColumnKind.FREE_TEXTS: "text[]",
    ColumnKind.OPENING_HOURS: "jsonb",
}

Report = Callable[[int], None]


def stored_name(corpus: str, number: int, table: str) -> str:
    """Return where a version of a corpus keeps a table, as SQL."""
    return f'{SCHEMA}."{corpus[:15]}_{number}_{table}"'


def columns_of(table: TableSpec, stored: dict[str, Any]) -> list[ColumnSpec]:
    """Return the columns that a table is stored with: those described, and those that links and keys needed."""
    return [*table.columns, *(ColumnSpec.model_validate(column) for column in stored["added"])]


def types_of(columns: Sequence[ColumnSpec]) -> dict[str, str]:
    """Return the columns that are written, with their types in the database."""
    found = {column.name: TYPES.get(column.kind, "text") for column in columns}
    if place := first(list(columns), ColumnKind.LOCATION):
        found |= {f"{place.name}_{end}": "double precision" for end in ("latitude", "longitude")}
    return found


def listed(names: Sequence[str], of: str = "") -> str:
    """Return names of columns as SQL, of the table called so where one is named."""
    return ", ".join(f'{of}."{name}"' if of else f'"{name}"' for name in names)


def create(name: str, columns: Sequence[ColumnSpec]) -> None:
    """Make a table for rows with these columns."""
    parts = [f'"{column}" {kind}' for column, kind in types_of(columns).items()]
    if week := first(list(columns), ColumnKind.OPENING_HOURS):
        made = f'GENERATED ALWAYS AS (public.corpora_open_minutes("{week.name}")) STORED'
        parts.append(f'"{week.name}_minutes" int4multirange {made}')
    parts += [f'"{ROW_NUMBER}" bigint NOT NULL', f'"{ROW_EDIT}" text', f'"{ROW_ORIGIN}" text NOT NULL']
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {name} ({', '.join(parts)})")


def fill(name: str, table: Table, report: Report) -> None:
    """Copy the rows into a table as they are read; `report` is told of how many."""
    names = listed([*types_of(table.columns), ROW_NUMBER, ROW_ORIGIN])
    seen = Remembered()
    with connection.cursor() as cursor, cursor.copy(f"COPY {name} ({names}) FROM STDIN") as copy:
        for count, row in enumerate(table.rows(), start=1):
            copy.write_row([*flat(table.columns, row), count, origin(table.spec, row, seen)])
            if count % REPORT_EVERY == 0:
                report(count)


def finish(
    name: str, columns: Sequence[ColumnSpec], keys: Sequence[str], references: Sequence[str] = ()
) -> dict[str, Any]:
    """Settle the keys of a filled table and which numbers are whole, and return that as a version keeps it.

    The columns that refer to other tables are indexed: the texts of the rows that refer to one are read together.
    """
    integers = []
    key = keys[0] if len(keys) == 1 else ROW_NUMBER
    with connection.cursor() as cursor:
        for column in columns:
            if column.kind is ColumnKind.NUMBER:
                cursor.execute(f'SELECT bool_and("{column.name}" = trunc("{column.name}")) FROM {name}')
                if cursor.fetchone()[0]:
                    cursor.execute(f'ALTER TABLE {name} ALTER COLUMN "{column.name}" TYPE bigint')
                    integers.append(column.name)
        cursor.execute(f'ALTER TABLE {name} ADD PRIMARY KEY ("{key}"), ADD UNIQUE ("{ROW_ORIGIN}")')
        for column in references:
            if column != key:  # whatever a text's length is, it can be hashed
                cursor.execute(f'CREATE INDEX ON {name} USING hash ("{column}")')
        cursor.execute(f"ANALYZE {name}")
    return {"integers": integers, "numbered": key == ROW_NUMBER}


def drop(name: str) -> None:
    """Remove a table, if it is there."""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {name}")


def count(query: str) -> int:
    """Return the number that a query counts."""
    with connection.cursor() as cursor:
        cursor.execute(query)
        return int(cursor.fetchone()[0])


# -- Rows ----------------------------------------------------------------------------------------------------------


def origin(table: TableSpec, row: dict[str, Any], seen: Remembered) -> str:
    """Return what tells a row apart: its key; without one, all of it, and how many like it came before."""
    if table.keys:
        keys = [whole(row[name]) for name in table.keys]
        text = str(keys[0]) if len(keys) == 1 else json.dumps(keys, default=str, ensure_ascii=False)
        return text if len(text) <= LONGEST_ORIGIN else _digest(text).hex()
    digest = _digest(json.dumps(row, default=str, sort_keys=True))
    return f"{digest.hex()}-{seen.count(digest)}"


def _digest(text: str) -> bytes:
    return hashlib.md5(text.encode(), usedforsecurity=False).digest()


def flat(columns: Sequence[ColumnSpec], row: dict[str, Any]) -> Iterator[Any]:
    """The values of a row as they are written, in the order of `types_of`."""
    place = first(list(columns), ColumnKind.LOCATION)
    ends: tuple[float | None, ...] = ()
    for column in columns:
        value = row[column.name]
        if column.kind is ColumnKind.LOCATION:
            if column is place:
                ends = _coordinates(value)
            value = value[0] if value else None
        elif column.kind is ColumnKind.OPENING_HOURS and value is not None:
            value = json.dumps(value)
        yield value
    yield from ends


def _coordinates(place: tuple[str, float | None, float | None] | None) -> tuple[float | None, float | None]:
    """Where a place is; one that is only named, as the gazetteer knows it."""
    if place is None:
        return None, None
    if place[1] is not None:
        return place[1], place[2]
    known = gazetteer().resolve(place[0])
    return (known[0].latitude, known[0].longitude) if known else (None, None)
