"""Tables that say themselves what they are: Parquet files and SQLite databases."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import duckdb

from corpora.importing.objects import flat
from corpora.importing.source import Row, Source
from corpora.loading.sources import Unreadable

BATCH = 1000  # rows


def parquet(path: Path) -> Source:
    """Return the table in a Parquet file. Raises Unreadable."""
    try:
        relation = duckdb.connect().execute("SELECT * FROM read_parquet(?) LIMIT 0", [str(path)])
    except duckdb.Error as error:
        raise Unreadable(f"{path.name} is no Parquet file that can be read: {error}") from error
    columns = tuple(column[0] for column in relation.description or ())
    return Source(path.name, "", columns, partial(_parquet_rows, path, columns))


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
            names = [name for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
            )]  # fmt: skip
            for name in names:
                told = connection.execute(f"PRAGMA table_info({_quoted(name)})").fetchall()
                columns = tuple(row[1] for row in told)
                keys = tuple(row[1] for row in sorted(told, key=lambda row: row[5]) if row[5])
                links = tuple(_sqlite_links(connection, name))
                rows = partial(_sqlite_rows, path, name, columns)
                sources.append(Source(path.name, name, columns, rows, keys=keys, links=links))
        except sqlite3.DatabaseError as error:
            raise Unreadable(f"{path.name} is a damaged SQLite database: {error}") from error
    return sources


def _sqlite_links(connection: sqlite3.Connection, name: str) -> Iterator[tuple[str, str, str]]:
    """What the table declares to refer to; a reference that names no column means the other table's key."""
    for row in connection.execute(f"PRAGMA foreign_key_list({_quoted(name)})"):
        target = row[4]
        if target is None:
            told = connection.execute(f"PRAGMA table_info({_quoted(row[2])})").fetchall()
            target = next((column[1] for column in told if column[5]), None)
        if target is not None:
            yield row[3], row[2], target


def _sqlite_rows(path: Path, name: str, columns: tuple[str, ...]) -> Iterator[Row]:
    with closing(_connect(path)) as connection:
        try:
            for number, row in enumerate(connection.execute(f"SELECT * FROM {_quoted(name)}"), start=1):
                yield number, dict(zip(columns, row, strict=True))
        except sqlite3.DatabaseError as error:
            raise Unreadable(f"{path.name} ({name}) is damaged: {error}. Repair it, or dump its tables") from error


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    connection.text_factory = lambda data: data.decode("utf-8", errors="surrogateescape")  # its cell is refused
    return connection


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
