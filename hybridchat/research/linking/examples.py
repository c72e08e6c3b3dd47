"""Questions with the roles of their gold queries, read from a folder of training data.

The folder has `text2sql/` (questions over SQLite databases, in two wordings), `wiki_tables/` (questions over single
tables of which only the columns' words are known) and `written/` (questions in two people's words, and conversations).
Whole databases and tables are held out, never single questions.
"""

from __future__ import annotations

import dataclasses
import gzip
import json
import re
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from agent.catalogue.tables import Catalogue, Column, ForeignKey, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.understanding.roles import LIMIT, ROWS, Literal, Mark, Roles
from agent.understanding.schema import NAMED, Field, Schema, folded, read_schema, worded
from corpora.importing.drafting import draft
from corpora.importing.sources import open_sources
from corpora.importing.specification import identifier
from hybridchat.research.linking.labels import Span, Unreadable, roles_of, spans_of

HELD_DATABASES = 12
HELD_INVENTED = 6
HELD_TABLES = 50  # of a thousand
MOST_VALUES = 20_000  # distinct values of a column that are read
_NUMBERS = re.compile(r"int|real|num|double|float|dec|bool|year", re.IGNORECASE)


@dataclass
class Example:
    """A question, the schema it is asked of, and the roles of its gold query.

    `before` has the roles of the query before it in a conversation. `told` says what there is to learn of it: "all",
    all but what is "shown", or the "move" alone.
    """

    question: str
    schema: Schema
    roles: Roles
    database: str = ""
    before: Roles | None = None
    told: str = "all"
    stretches: tuple[tuple[str, int], ...] = ()  # words that are marked as being about a column

    @cached_property
    def spans(self) -> list[Span]:
        """Where the question says its literals."""
        found = spans_of(self.question, self.roles.literals)
        said = [span.literal for span in found]
        for literal in self.roles.literals:
            stretch = next((words for words, column in self.stretches if column == literal.column), "")
            start = self.question.lower().find(stretch.lower()) if stretch else -1
            stop = start + len(stretch)
            free = all(stop <= span.start or start >= span.stop for span in found)
            if literal not in said and start >= 0 and free and self.schema.fields[literal.column].column.kind in NAMED:
                found.append(Span(start, stop, literal))
        return found


class Folder:
    """The training data in one folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._databases = cache(read_database)

    def held_out(self) -> set[str]:
        """Return the databases that are never learned from: those with the smallest checksums of their names."""
        held: list[str] = []
        for source, number in (("text2sql", HELD_DATABASES), ("written", HELD_INVENTED)):
            names = sorted(path.stem for path in (self.path / source / "database").glob("*.sqlite"))
            held += sorted(names, key=lambda name: zlib.crc32(name.encode()))[:number]
        return set(held)

    def questions(self, source: str) -> Iterator[Example]:
        """Yield the questions over databases, each in both its wordings."""
        held = self.held_out()
        for one in self._lines(f"{source}/questions.jsonl.gz"):
            if one["db_id"] not in held:
                for wording in dict.fromkeys([one["question"], one["reworded"]]):
                    if roles := self._roles(one["query"], one["db_id"]):
                        yield _with_flags(Example(wording, self.schema(one["db_id"]), roles, one["db_id"]))

    def talks(self) -> Iterator[Example]:
        """Yield each turn of the conversations beside the query before it."""
        held = self.held_out()
        for one in self._lines("written/talks.jsonl.gz"):
            if one["db_id"] in held:
                continue
            schema, before = self.schema(one["db_id"]), None
            for number, turn in enumerate(one["turns"]):
                roles = self._roles(turn["query"], one["db_id"])
                if roles and (before or not number):
                    told = "move" if turn["move"] == "undo" else "all"
                    told_roles = following(roles, before, turn["move"])
                    yield _with_flags(Example(turn["question"], schema, told_roles, one["db_id"], before, told))
                before = roles

    def hybrid(self) -> Iterator[Example]:
        """Yield messages that mix columns with wishes on prose."""
        held = self.held_out()
        for one in self._lines("written/hybrid.jsonl.gz"):
            roles = self._roles(one["suql"], one["db_id"]) if one["db_id"] not in held else None
            if roles is None:
                continue
            schema = with_prose(self.schema(one["db_id"]), **one["prose"])
            message, prose = one["message"], len(schema.fields) - 1
            for mark in one["prose_marks"]:
                if (start := message.lower().find(mark["words"].lower())) >= 0:
                    roles.marks.append(Mark(mark["kind"], prose, start, start + len(mark["words"])))
            unsaid = [literal for literal in roles.literals if literal.column == LIMIT and literal.text not in message]
            roles.literals = [literal for literal in roles.literals if literal not in unsaid]
            roles.limit = 0 if unsaid else roles.limit
            places = {
                f"{schema.tables[field.table].name}.{field.column.name}".lower(): at
                for at, field in enumerate(schema.fields)
            }
            marked = ((mark["words"], places.get(mark["column"].lower(), -9)) for mark in one["column_marks"])
            told = "shown" if roles.everything else "all"
            yield Example(message, schema, roles, one["db_id"], told=told, stretches=tuple(marked))

    def proses(self) -> list[dict[str, str]]:
        """Return what prose columns are called and said to hold."""
        held = self.held_out()
        return [one["prose"] for one in self._lines("written/hybrid.jsonl.gz") if one["db_id"] not in held]

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

    def schema(self, database: str) -> Schema:
        """Return the schema of a database."""
        paths = [self.path / source / "database" / f"{database}.sqlite" for source in ("written", "text2sql")]
        return self._databases(next(path for path in paths if path.exists()))

    def _roles(self, query: str, database: str) -> Roles | None:
        """The roles of a query; None where it has a part that no role stands for, which teaches nothing."""
        try:
            return roles_of(query, self.schema(database))
        except Unreadable:
            return None

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        with gzip.open(self.path / name, "rt") as file:
            yield from map(json.loads, file)


def with_prose(schema: Schema, table: str, column: str, of: str) -> Schema:
    """Return a schema with a prose column of that name added to a table."""
    place = next(number for number, one in enumerate(schema.tables) if one.name.lower() == table.lower())
    prose = Column(column, Kind.FREE_TEXT, many=True, description=of)
    described = " ".join(word for word in folded(of).split() if word not in worded(column))
    one = Field(place, prose, worded(column), described=described)
    return dataclasses.replace(schema, fields=(*schema.fields, one), stored=[*schema.stored, {}])


def _with_flags(example: Example) -> Example:
    """A flag that has to be 0, which nobody says as a number, is one that has to be unlike yes."""
    said = {span.literal for span in example.spans}
    off = {
        one.column
        for one in example.roles.literals
        if one.column >= 0 and one not in said and one.text == "0" and one.operator == "="
    }
    example.roles.where = [
        (column, "!=" if column in off and operator == "=" else operator) for column, operator in example.roles.where
    ]
    return example


def following(roles: Roles, before: Roles | None, move: str) -> Roles:
    """Return the roles with what is kept of those before; literals that are kept are not said again."""
    if before is None or move == "new":
        return dataclasses.replace(roles, move="new")
    then, now = _conditions(before), _conditions(roles)
    keep = {column for column, held in then.items() if held <= now.get(column, set())}
    known = {(one.column, one.operator, one.text) for one in before.literals}
    said = [
        one for one in roles.literals if one.column not in keep or (one.column, one.operator, one.text) not in known
    ]
    return dataclasses.replace(roles, move=move, keep=keep, literals=said)


def _conditions(roles: Roles) -> dict[int, set[tuple[str, str]]]:
    found: dict[int, set[tuple[str, str]]] = defaultdict(set)
    for literal in roles.literals:
        found[literal.column].add((literal.operator, literal.text))
    for column, operator in [*roles.where, *roles.filled, *roles.compare]:
        found[column].add((operator, ""))
    return found


def read_database(path: Path) -> Schema:
    """Return the schema of a SQLite file, with its stored values and the kinds that importing it would propose."""
    specification, _ = draft(path.stem, open_sources([path], path.parent))
    drafted = {
        (table.table, column.name): KINDS.get(column.kind.value) or (Kind(column.kind.value), False)
        for table in specification.tables
        for column in table.columns
    }
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        connection.text_factory = lambda raw: raw.decode(errors="replace")
        listed = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        names = [name for (name,) in connection.execute(listed)]
        tables, keys, values = [], [], {}
        for name in names:
            columns = connection.execute(f'PRAGMA table_info("{name}")').fetchall()
            declared = {row[1]: Kind.NUMBER if _NUMBERS.search(row[2]) else Kind.TEXT for row in columns}
            primary = tuple(row[1] for row in columns if row[5])
            told = [Column(one, *drafted.get((name, identifier(one)), (kind, False))) for one, kind in declared.items()]
            tables.append(Table(name, tuple(told), key=primary))
            for column, kind in ((one.name, one.kind) for one in told):
                if kind in (Kind.TEXT, Kind.ENUM):
                    distinct = f'SELECT DISTINCT "{column}" FROM "{name}" WHERE typeof("{column}") = \'text\''
                    rows = connection.execute(f"{distinct} LIMIT {MOST_VALUES}")
                    parted = [part.strip() for (value,) in rows for part in re.split(r"[;|,]", value)]
                    many = next(one.many for one in told if one.name == column)
                    rows = connection.execute(f"{distinct} LIMIT {MOST_VALUES}")
                    values[f"{name}.{column}"] = parted if many else [value for (value,) in rows]
        for name in names:
            keys += _keys(connection, name, tables)
    return read_schema(Catalogue(tuple(tables), tuple(keys)), ValueMemory(values))


#: Kinds of imported columns that are written otherwise in a catalogue.
KINDS = {"ENUM[]": (Kind.ENUM, True), "FREE_TEXT[]": (Kind.FREE_TEXT, True)}
KINDS |= dict.fromkeys(("LINK", "IMAGE", "LOCATION", "OPENING_HOURS"), (Kind.TEXT, False))


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
