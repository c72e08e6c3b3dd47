"""Questions with the roles of their gold queries, read from a folder of training data.

The folder has `text2sql/` (questions over SQLite databases, in two wordings), `wiki_tables/` (questions over single
tables of which only the columns' words are known) and `written/` (questions in two people's words, and conversations).
Whole databases and tables are held out, never single questions.
"""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from agent.catalogue.tables import Catalogue, Column, ForeignKey, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.understanding.context import JOINT, MOST
from agent.understanding.roles import ROWS, Literal, Roles
from agent.understanding.schema import Schema, read_schema
from hybridchat.research.linking.labels import Unreadable, roles_of

HELD_DATABASES = 12
HELD_TABLES = 50  # of a thousand
MOST_VALUES = 20_000  # distinct values of a column that are read
_NUMBERS = re.compile(r"int|real|num|double|float|dec|bool|year", re.IGNORECASE)


@dataclass(frozen=True)
class Example:
    """A question, the schema it is asked of, and the roles of its gold query."""

    question: str
    schema: Schema
    roles: Roles
    database: str = ""


class Folder:
    """The training data in one folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._databases = cache(read_database)

    def held_out(self) -> set[str]:
        """Return the databases that are never learned from: the dozen with the smallest checksums of their names."""
        names = sorted(path.stem for path in (self.path / "text2sql/database").glob("*.sqlite"))
        return set(sorted(names, key=lambda name: zlib.crc32(name.encode()))[:HELD_DATABASES])

    def databases(self) -> Iterator[Example]:
        """Yield the questions over databases, each in both its wordings."""
        held = self.held_out()
        for source in ("text2sql", "written"):
            for one in self._lines(f"{source}/questions.jsonl.gz"):
                if one["db_id"] not in held:
                    wordings = dict.fromkeys([one["question"], one["reworded"]])
                    yield from self._examples(list(wordings), one["query"], one["db_id"])

    def talks(self) -> Iterator[Example]:
        """Yield each turn of the conversations after the messages before it."""
        held = self.held_out()
        for one in self._lines("written/talks.jsonl.gz"):
            said: list[str] = []
            for turn in one["turns"] if one["db_id"] not in held else ():
                said.append(turn["question"])
                yield from self._examples([JOINT.join(said[-MOST:])], turn["query"], one["db_id"])

    def tables(self) -> Iterator[Example]:
        """Yield the questions over single tables."""
        columns = {one["table"]: one["columns"] for one in self._lines("wiki_tables/tables.jsonl.gz")}
        for one in self._lines("wiki_tables/questions.jsonl.gz"):
            named = [one["select"][1], *(name for name, _, _ in one["where"])]
            if zlib.crc32(one["table"].encode()) % 1000 < HELD_TABLES or not set(named) <= set(columns[one["table"]]):
                continue
            yield _of_table(one, columns[one["table"]])

    def words(self) -> dict[str, dict[tuple[str, str], str]]:
        """Return the words that people wrote for columns, by database, then by table and column."""
        return {
            one["id"]: {
                (table["name"].lower(), column["name"].lower()): column["words"]
                for table in one["tables"]
                for column in table["columns"]
            }
            for one in self._lines("text2sql/schemas.jsonl.gz")
        }

    def _examples(self, wordings: list[str], query: str, database: str) -> Iterator[Example]:
        paths = [self.path / source / "database" / f"{database}.sqlite" for source in ("written", "text2sql")]
        schema = self._databases(next(path for path in paths if path.exists()))
        with suppress(Unreadable):  # a query with a part that no role stands for teaches nothing
            roles = roles_of(query, schema)
            yield from (Example(wording, schema, roles, database) for wording in wordings)

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        with gzip.open(self.path / name, "rt") as file:
            yield from map(json.loads, file)


def read_database(path: Path) -> Schema:
    """Return the schema of a SQLite file, with its stored values."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        connection.text_factory = lambda raw: raw.decode(errors="replace")
        listed = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        names = [name for (name,) in connection.execute(listed)]
        tables, keys, values = [], [], {}
        for name in names:
            columns = connection.execute(f'PRAGMA table_info("{name}")').fetchall()
            kinds = {row[1]: Kind.NUMBER if _NUMBERS.search(row[2]) else Kind.TEXT for row in columns}
            primary = tuple(row[1] for row in columns if row[5])
            tables.append(Table(name, tuple(Column(*one) for one in kinds.items()), key=primary))
            for column, kind in kinds.items():
                if kind is Kind.TEXT:
                    distinct = f'SELECT DISTINCT "{column}" FROM "{name}" WHERE typeof("{column}") = \'text\''
                    rows = connection.execute(f"{distinct} LIMIT {MOST_VALUES}")
                    values[f"{name}.{column}"] = [value for (value,) in rows]
        for name in names:
            keys += _keys(connection, name, tables)
    return read_schema(Catalogue(tuple(tables), tuple(keys)), ValueMemory(values))


def _keys(connection: sqlite3.Connection, name: str, tables: list[Table]) -> Iterator[ForeignKey]:
    spelled = {table.name.lower(): table for table in tables}
    here = {column.name.lower(): column.name for column in spelled[name.lower()].columns}
    for row in connection.execute(f'PRAGMA foreign_key_list("{name}")'):
        target = spelled.get(row[2].lower())
        if target is None or row[3].lower() not in here:
            continue
        there = {column.name.lower(): column.name for column in target.columns}
        column = there.get((row[4] or "").lower()) or next(iter(target.key), None)
        if column is not None:
            yield ForeignKey(name, here[row[3].lower()], target.name, column)


def _of_table(one: dict[str, Any], columns: list[str]) -> Example:
    table = Table("rows", tuple(Column(name, Kind.TEXT) for name in columns), key=())
    schema = read_schema(Catalogue((table,)), ValueMemory({}))
    aggregate, column = one["select"]
    counted = aggregate.lower() == "count"
    roles = Roles(select=[(ROWS, "") if counted else (columns.index(column), aggregate.lower())])
    roles.tables[0].add(0)
    for name, operator, value in one["where"]:
        roles.where.append((columns.index(name), operator))
        roles.literals.append(Literal(str(value), columns.index(name), operator, inner=False))
    return Example(one["question"], schema, roles)
