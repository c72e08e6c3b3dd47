"""Storing a corpus: tables of the schema `imported`, views of `kb` over them, and a version in the registry."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import connection, transaction
from django.db.models import Max

from corpora.catalogue import catalogue
from corpora.catalogue.imported import ROW_NUMBER, catalogue_table, first
from corpora.connection import READER
from corpora.gazetteer import gazetteer
from corpora.importing.reading import RefusedCell, Table
from corpora.importing.specification import ColumnKind, ColumnSpec, CorpusSpec, TableSpec
from corpora.models import Assistant, CorpusVersion

SCHEMA = "imported"
KEPT = 2  # versions whose rows are kept: the one in use and the one before it

TYPES = {
    ColumnKind.NUMBER: "double precision",
    ColumnKind.BOOLEAN: "boolean",
    ColumnKind.DATE: "date",
    ColumnKind.TIME: "time",
    ColumnKind.ENUMS: "text[]",
    ColumnKind.FREE_TEXTS: "text[]",
    ColumnKind.OPENING_HOURS: "jsonb",
}


class NameTaken(Exception):
    """A name of the corpus that something else has."""


@dataclass(slots=True)
class Imported:
    """What an import did, by table: rows read, stored, added, changed, removed; and what was refused."""

    version: int = 0
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    refused: list[RefusedCell] = field(default_factory=list)  # the first of each table
    times_refused: int = 0
    dangling: list[str] = field(default_factory=list)  # links that lead to no row, in words


def store(
    spec: CorpusSpec, tables: list[Table], *, by: AbstractBaseUser | None = None, rehearse: bool = False
) -> Imported:
    """Store a corpus as its next version, all or nothing. With `rehearse`, take it back and say what would be.

    Texts are not indexed: see `corpora.passages.indexing`. Raises NameTaken, Unreadable.
    """
    done = Imported()
    with transaction.atomic():
        _store(spec, tables, by, done)
        transaction.set_rollback(rehearse)
    return done


def _store(spec: CorpusSpec, tables: list[Table], by: AbstractBaseUser | None, done: Imported) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"corpus {spec.name}"])  # one version at a time
    _check_names(spec)
    versions = CorpusVersion.objects.filter(corpus=spec.name)
    before = versions.filter(active=True).first()
    done.version = (versions.aggregate(last=Max("number"))["last"] or 0) + 1
    stored = {table.spec.name: _fill(spec, table, done) for table in tables}
    for table in tables:
        done.counts[table.spec.name] |= _differences(spec, table, before, done.version)
    for table in tables:
        stored[table.spec.name]["gathered"] = list(_gathered(spec, table.spec))
    done.dangling = list(_dangling(spec, done.version))
    _show(spec, tables, stored, before, done.version)
    versions.filter(active=True).update(active=False)
    CorpusVersion.objects.create(
        corpus=spec.name, number=done.version, specification=spec.model_dump(mode="json"), stored=stored,
        changes=done.counts, by=by, active=True,
    )  # fmt: skip
    views = [stored[table.name]["view"] for table in spec.tables]
    assistant, made = Assistant.objects.get_or_create(slug=spec.name, defaults=_assistant(spec, views))
    if not made and assistant.tables != views:
        assistant.tables = views
        assistant.save(update_fields=["tables"])


def _check_names(spec: CorpusSpec) -> None:
    others = CorpusVersion.objects.filter(active=True).exclude(corpus=spec.name)
    taken = {one["view"]: other.corpus for other in others for one in other.stored.values()}
    for table in spec.tables:
        if table.name in catalogue() or table.name == catalogue().passages:
            raise NameTaken(f"the table name {table.name!r} is a sample corpus's; call it {spec.name}_{table.name}")
        if table.name in taken:
            raise NameTaken(f"the table name {table.name!r} is the corpus {taken[table.name]!r}'s; choose another")
    known = CorpusVersion.objects.filter(corpus=spec.name).exists()
    if not known and Assistant.objects.filter(slug=spec.name).exists():
        raise NameTaken(f"there is an assistant {spec.name!r} already; call the corpus otherwise")


def _assistant(spec: CorpusSpec, views: list[str]) -> dict[str, Any]:
    last = Assistant.objects.aggregate(last=Max("position"))["last"] or 0
    title = spec.name.replace("_", " ").capitalize()
    return {"title": title, "description": spec.description[:300], "tables": views, "position": last + 1}


# -- Tables --------------------------------------------------------------------------------------------------------


def stored_name(corpus: str, number: int, table: str) -> str:
    """Return where a version of a corpus keeps a table, as SQL."""
    return f'{SCHEMA}."{corpus[:15]}_{number}_{table}"'


def _name(spec: CorpusSpec, number: int, table: str) -> str:
    return stored_name(spec.name, number, table)


def _definitions(columns: list[ColumnSpec]) -> list[str]:
    found = [f'"{column.name}" {TYPES.get(column.kind, "text")}' for column in columns]
    if place := first(columns, ColumnKind.LOCATION):
        found += [f'"{place.name}_latitude" double precision', f'"{place.name}_longitude" double precision']
    if week := first(columns, ColumnKind.OPENING_HOURS):
        made = f'GENERATED ALWAYS AS (public.corpora_open_minutes("{week.name}")) STORED'
        found.append(f'"{week.name}_minutes" int4multirange {made}')
    return [*found, f'"{ROW_NUMBER}" bigint NOT NULL']


def _fill(spec: CorpusSpec, table: Table, done: Imported) -> dict[str, Any]:
    """Make the table, copy the rows into it as they are read, and say what that settled."""
    name = _name(spec, done.version, table.spec.name)
    place = first(table.columns, ColumnKind.LOCATION)
    names = [column.name for column in table.columns]
    names += [f"{place.name}_latitude", f"{place.name}_longitude"] if place else []
    listed = ", ".join(f'"{one}"' for one in [*names, ROW_NUMBER])
    numbers = [column.name for column in table.columns if column.kind is ColumnKind.NUMBER]
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {name} ({', '.join(_definitions(table.columns))})")
        with cursor.copy(f"COPY {name} ({listed}) FROM STDIN") as copy:
            for count, row in enumerate(_flat_rows(table, place), start=1):
                copy.write_row([*row, count])
        integers = []
        for column in numbers:
            cursor.execute(f'SELECT bool_and("{column}" = trunc("{column}")) FROM {name}')
            if cursor.fetchone()[0]:
                cursor.execute(f'ALTER TABLE {name} ALTER COLUMN "{column}" TYPE bigint')
                integers.append(column)
        key = table.spec.keys if len(table.spec.keys) == 1 else [ROW_NUMBER]
        cursor.execute(f'ALTER TABLE {name} ADD PRIMARY KEY ("{key[0]}")')
        cursor.execute(f"SELECT count(*) FROM {name}")
        (rows,) = cursor.fetchone()
        cursor.execute(f"ANALYZE {name}")
    done.refused += table.refused
    done.times_refused += table.times_refused
    done.counts[table.spec.name] = {"read": table.rows_read, "stored": rows}
    own = {column.name for column in table.spec.columns}
    return {
        "view": table.spec.name,
        "integers": integers,
        "numbered": key == [ROW_NUMBER],
        "parent_key": table.parent_key,
        "added": [column.model_dump(mode="json") for column in table.columns if column.name not in own],
    }


def _flat_rows(table: Table, place: ColumnSpec | None) -> Iterator[list[Any]]:
    for row in table.rows():
        values: list[Any] = []
        ends: list[Any] = []
        for column in table.columns:
            value = row[column.name]
            if column.kind is ColumnKind.LOCATION:
                if column is place:
                    ends = list(_coordinates(value))
                value = value[0] if value else None
            elif column.kind is ColumnKind.OPENING_HOURS and value is not None:
                value = json.dumps(value)
            values.append(value)
        yield [*values, *ends]


def _coordinates(place: tuple[str, float | None, float | None] | None) -> tuple[float | None, float | None]:
    """Where a place is; one that is only named, as the gazetteer knows it."""
    if place is None:
        return None, None
    if place[1] is not None:
        return place[1], place[2]
    known = gazetteer().resolve(place[0])
    return (known[0].latitude, known[0].longitude) if known else (None, None)


def _differences(spec: CorpusSpec, table: Table, before: CorpusVersion | None, number: int) -> dict[str, int]:
    """How many rows are new, differ, or are gone, by the key; all are new where there is no version before."""
    stored = (before.stored if before else {}).get(table.spec.name)
    if before is None or stored is None:
        return {"added": _count(f"SELECT count(*) FROM {_name(spec, number, table.spec.name)}")}
    old, new = (_name(spec, one, table.spec.name) for one in (before.number, number))
    key = table.spec.keys[0] if len(table.spec.keys) == 1 and not stored["numbered"] else ROW_NUMBER
    joined = f'FROM {old} o FULL JOIN {new} n ON o."{key}"::text = n."{key}"::text'
    changed = f"to_jsonb(o) - '{ROW_NUMBER}' IS DISTINCT FROM to_jsonb(n) - '{ROW_NUMBER}'"
    return {
        "added": _count(f'SELECT count(*) {joined} WHERE o."{key}" IS NULL'),
        "removed": _count(f'SELECT count(*) {joined} WHERE n."{key}" IS NULL'),
        "changed": _count(
            f'SELECT count(*) {joined} WHERE o."{key}" IS NOT NULL AND n."{key}" IS NOT NULL AND {changed}'
        ),
    }


def _dangling(spec: CorpusSpec, number: int) -> Iterator[str]:
    for table in spec.tables:
        for link in table.links:
            own, other = _name(spec, number, table.name), _name(spec, number, link.table)
            count = _count(
                f'SELECT count(*) FROM {own} a WHERE a."{link.column}" IS NOT NULL AND NOT EXISTS '
                f'(SELECT FROM {other} b WHERE b."{link.target}"::text = a."{link.column}"::text)'
            )
            if count:
                yield f"{count:,} rows of {table.name}: {link.column} names no {link.target} of {link.table}"


def _count(query: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return int(cursor.fetchone()[0])


# -- Views ---------------------------------------------------------------------------------------------------------


def _gathered(spec: CorpusSpec, table: TableSpec) -> Iterator[dict[str, str]]:
    """The texts of tables whose rows refer to this one's key: what guests wrote of an inn is read as the inn's."""
    taken = {column.name for column in table.columns}
    for other in spec.tables:
        texts = [column.name for column in other.columns if column.kind is ColumnKind.FREE_TEXT]
        for link in other.links:
            if other is table or link.table != table.name or [link.target] != table.keys:
                continue
            for text in texts:
                name = other.name if len(texts) == 1 else f"{other.name}_{text}"
                if name not in taken:
                    taken.add(name)
                    yield {
                        "name": name, "table": other.name, "column": text, "reference": link.column,
                        "target": link.target, "description": other.description,
                    }  # fmt: skip


def _texts_of(spec: CorpusSpec, number: int, one: dict[str, str]) -> str:
    """A column of a view: the texts of the rows of another table that refer to this row, in their order."""
    text, source = f'there."{one["column"]}"', _name(spec, number, one["table"])
    same = f'there."{one["reference"]}"::text = here."{one["target"]}"::text'
    return (
        f"ARRAY(SELECT {text} FROM {source} there WHERE {same} AND {text} IS NOT NULL "
        f'ORDER BY there."{ROW_NUMBER}") AS "{one["name"]}"'
    )


def _show(
    spec: CorpusSpec, tables: list[Table], stored: dict[str, Any], before: CorpusVersion | None, number: int
) -> None:
    """Let queries see this version instead of the one before, and remove the rows of older ones."""
    with connection.cursor() as cursor:
        for gone in (before.stored if before else {}).values():
            cursor.execute(f'DROP VIEW kb."{gone["view"]}"')
        for table in tables:
            shown = catalogue_table(table.spec, stored[table.spec.name])
            texts = {one["name"]: one for one in stored[table.spec.name]["gathered"]}
            listed = ", ".join(
                _texts_of(spec, number, texts[column.name]) if column.name in texts else f'here."{column.name}"'
                for column in shown.columns
            )
            source = _name(spec, number, table.spec.name)
            cursor.execute(f'CREATE VIEW kb."{shown.name}" AS SELECT {listed} FROM {source} here')
            cursor.execute(f'GRANT SELECT ON kb."{shown.name}" TO {READER}')
        for old in CorpusVersion.objects.filter(corpus=spec.name, number__lte=number - KEPT):
            for name in old.stored:
                cursor.execute(f"DROP TABLE IF EXISTS {_name(spec, old.number, name)}")
