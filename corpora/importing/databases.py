"""Tables that say themselves what they are: Parquet files and SQLite databases.

A SQLite file that was copied from another database (`corpora.importing.postgresql`) is marked as such: in one, what its
columns are declared to be holds, which SQLite itself does not see to.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import duckdb

from corpora.importing.objects import flat
from corpora.importing.source import Row, Source
from corpora.importing.specification import ColumnKind
from corpora.loading.sources import Unreadable

BATCH = 1000  # rows
COPIED = 0x68796263  # the application_id of a SQLite file that was copied from another database
NOTES = "notes of the copy"  # its table of what is to be said of the others
DECLARED = (ColumnKind.NUMBER, ColumnKind.BOOLEAN, ColumnKind.DATE, ColumnKind.TIME, ColumnKind.ENUM)


def parquet(path: Path) -> Source:
    """Return the table in a Parquet file. Raises Unreadable."""
    try:
        relation = duckdb.connect().execute("SELECT * FROM read_parquet(?) LIMIT 0", [str(path)])
    except duckdb.Error as error:
        raise Unreadable(f"{path.name} is no Parquet file that can be read: {error}") from error
    told = relation.description or []
    columns = tuple(column[0] for column in told)
    nested = any(str(column[1]).upper().startswith("STRUCT") for column in told)
    rows = partial(_parquet_rows, path, columns)
    return Source(path.name, "", _flat_columns(rows) if nested else columns, rows)


def _flat_columns(rows: Callable[[], Iterator[Row]]) -> tuple[str, ...]:
    """The columns of rows in which there are objects: only they say what those have."""
    names = dict.fromkeys(name for _, cells in rows() if isinstance(cells, dict) for name in cells)
    outer = {name[:place] for name in names for place, sign in enumerate(name) if sign == "."}
    return tuple(name for name in names if name not in outer)  # an object that is missing has no columns


def _parquet_rows(path: Path, columns: tuple[str, ...]) -> Iterator[Row]:
    with duckdb.connect() as connection:
        found = connection.execute("SELECT * FROM read_parquet(?)", [str(path)])
        number = 0
        while batch := found.fetchmany(BATCH):
            for row in batch:
                number += 1
                yield number, flat(dict(zip(columns, row, strict=True)))


def sqlite(path: Path) -> list[Source]:
    """Return the tables of a SQLite database, with the keys and links that it declares. Raises Unreadable."""
    sources = []
    with closing(_connect(path)) as connection:
        try:
            copied = connection.execute("PRAGMA application_id").fetchone() == (COPIED,)
            names = [name for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
            )]  # fmt: skip
            for name in names:
                if not (copied and name == NOTES):
                    sources.append(_sqlite_table(connection, path, name, copied))
        except sqlite3.DatabaseError as error:
            raise Unreadable(f"{path.name} is a damaged SQLite database: {error}") from error
    return sources


def _sqlite_table(connection: sqlite3.Connection, path: Path, name: str, copied: bool) -> Source:
    told = connection.execute(f"PRAGMA table_info({quoted(name)})").fetchall()
    columns = tuple(row[1] for row in told)
    keys = tuple(row[1] for row in sorted(told, key=lambda row: row[5]) if row[5])
    links = tuple(_sqlite_links(connection, name))
    rows = partial(_sqlite_rows, path, name, columns)
    if not copied:
        return Source(path.name, name, columns, rows, keys=keys, links=links)
    declared = {row[1]: row[2].partition(" ")[0] for row in told}
    rows = partial(_as_declared, rows, declared)
    columns = _flat_columns(rows) if "JSON" in declared.values() else columns
    notes = connection.execute(f"SELECT note FROM {quoted(NOTES)} WHERE part = ?", [name]).fetchall()
    return Source(
        path.name, name, columns, rows, keys=keys, links=links,
        notes=tuple(note for (note,) in notes),
        kinds={column: ColumnKind(kind) for column, kind in declared.items() if kind in DECLARED},
    )  # fmt: skip


def _as_declared(rows: Callable[[], Iterator[Row]], declared: dict[str, str]) -> Iterator[Row]:
    """Rows of a copy, with lists, objects, yes and no as they were."""
    booleans = [column for column, kind in declared.items() if kind == ColumnKind.BOOLEAN]
    nested = [column for column, kind in declared.items() if kind == "JSON"]
    for number, cells in rows():
        assert isinstance(cells, dict)
        cells |= {column: bool(cells[column]) for column in booleans if cells[column] is not None}
        cells |= {column: json.loads(cells[column]) for column in nested if cells[column] is not None}
        yield number, flat(cells) if nested else cells


def _sqlite_links(connection: sqlite3.Connection, name: str) -> Iterator[tuple[str, str, str]]:
    """What the table declares to refer to; a reference that names no column means the other table's key."""
    for row in connection.execute(f"PRAGMA foreign_key_list({quoted(name)})"):
        target = row[4]
        if target is None:
            told = connection.execute(f"PRAGMA table_info({quoted(row[2])})").fetchall()
            target = next((column[1] for column in told if column[5]), None)
        if target is not None:
            yield row[3], row[2], target


def _sqlite_rows(path: Path, name: str, columns: tuple[str, ...]) -> Iterator[Row]:
    with closing(_connect(path)) as connection:
        try:
            for number, row in enumerate(connection.execute(f"SELECT * FROM {quoted(name)}"), start=1):
                yield number, dict(zip(columns, row, strict=True))
        except sqlite3.DatabaseError as error:
            raise Unreadable(f"{path.name} ({name}) is damaged: {error}. Repair it, or dump its tables") from error


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    connection.text_factory = lambda data: data.decode("utf-8", errors="surrogateescape")  # its cell is refused
    return connection


def quoted(name: str) -> str:
    """Return a name as SQLite takes any."""
    return '"' + name.replace('"', '""') + '"'
