"""Rows edited by hand: each edit is a version of the corpus, counts at once, and can be taken back.

A row that was edited so is marked, and no import writes over it unless it is told to. A row that is deleted stays in
its table, out of sight, so that no import brings it back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import AbstractBaseUser
from django.db import DataError, connection, transaction

from corpora.catalogue.imported import ROW_NUMBER
from corpora.importing.finding import StoredTable
from corpora.importing.remembering import Remembered
from corpora.importing.removing import NotThere
from corpora.importing.showing import hide, show
from corpora.importing.storing import next_number
from corpora.importing.tables import (
    ROW_EDIT,
    ROW_ORIGIN,
    flat,
    listed,
    origin,
    types_of,
)
from corpora.models import CorpusVersion, RowChange
from corpora.services import index_rows_on_commit

Values = dict[str, Any]  # by column, as `reading.read_cell` returns them


class Busy(Exception):
    """An import of the corpus is being stored."""

    def __init__(self) -> None:
        super().__init__("An import of this corpus is being stored. Try again when it is done.")


class KeyTaken(Exception):
    """The key of a new row is another row's, or is missing."""


@contextmanager
def _edited(corpus: str, table: str, by: AbstractBaseUser | None, what: str, note: str) -> Iterator[StoredTable]:
    """A table to be edited, in a new version that counts once it is; texts follow after commit."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(hashtext(%s))", [f"corpus {corpus}"])
            if not cursor.fetchone()[0]:
                raise Busy
        now = StoredTable(corpus, table).version
        CorpusVersion.objects.filter(pk=now.pk).update(active=False)
        CorpusVersion.objects.create(
            corpus=corpus, number=next_number(corpus), kind=CorpusVersion.Kind.EDIT, rows_of=now.rows_of,
            specification=now.specification, stored=now.stored, changes={table: {what: 1}}, note=note[:200], by=by,
            active=True,
        )  # fmt: skip
        yield StoredTable(corpus, table)


def edit(corpus: str, table: str, row: str, values: Values, by: AbstractBaseUser | None = None) -> None:
    """Change values of a row. Raises NotThere, Busy."""
    with _edited(corpus, table, by, "changed", f"{row}: {', '.join(values)}") as one:
        before = _noted(one, row)
        if before is None:
            raise NotThere("This row is gone.")
        columns = [column for column in one.columns if column.name in values]
        written = dict(zip(types_of(columns), flat(columns, values), strict=True))
        one = _widened(one, written)
        sets = ", ".join(f'"{name}" = %s' for name in written)
        mark = f"{ROW_EDIT} = CASE {ROW_EDIT} WHEN 'added' THEN 'added' ELSE 'changed' END"
        with connection.cursor() as cursor:
            cursor.execute(f"UPDATE {one.name} SET {sets}, {mark} WHERE {ROW_ORIGIN} = %s", [*written.values(), row])
        _index(one, before, one.row(row))


def add(corpus: str, table: str, values: Values, by: AbstractBaseUser | None = None) -> str:
    """Add a row; returns what tells it apart. Raises KeyTaken, NotThere, Busy."""
    with _edited(corpus, table, by, "added", "a row") as one:
        row = {column.name: values.get(column.name) for column in one.columns}
        keys = [row[name] for name in one.table.keys]
        if any(key is None for key in keys):
            raise KeyTaken(f"{', '.join(one.table.keys)} tells rows apart, and has to be filled.")
        made = origin(one.table, row, Remembered()) if keys else f"hand-{uuid4().hex}"
        before = one.row(made)
        if before is not None and before[ROW_EDIT] != "deleted":
            raise KeyTaken(f"There is a row with the {', '.join(one.table.keys)} {', '.join(map(str, keys))} already.")
        _noted(one, made)
        written = dict(zip(types_of(one.columns), flat(one.columns, row), strict=True))
        one = _widened(one, written)
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {one.name} WHERE {ROW_ORIGIN} = %s", [made])
            names = listed([*written, ROW_EDIT, ROW_ORIGIN, ROW_NUMBER])
            marks = ", ".join(["%s"] * (len(written) + 2))
            last = f"(SELECT coalesce(max({ROW_NUMBER}), 0) + 1 FROM {one.name})"
            mark = "added" if before is None else "changed"
            cursor.execute(
                f"INSERT INTO {one.name} ({names}) VALUES ({marks}, {last})", [*written.values(), mark, made]
            )
        _index(one, before, one.row(made))
    return made


def delete(corpus: str, table: str, row: str, by: AbstractBaseUser | None = None) -> None:
    """Take a row out of sight. Raises NotThere, Busy."""
    with _edited(corpus, table, by, "removed", row) as one:
        before = _noted(one, row)
        if before is None or before[ROW_EDIT] == "deleted":
            raise NotThere("This row is gone.")
        with connection.cursor() as cursor:
            cursor.execute(f"UPDATE {one.name} SET {ROW_EDIT} = 'deleted' WHERE {ROW_ORIGIN} = %s", [row])
        _index(one, before, None)


def undo(change: RowChange, by: AbstractBaseUser | None = None) -> None:
    """Let a row be what it was before a change.

    Taking back what a hand did leaves no mark of a hand; taking back what an import did is an edit by hand itself.
    Raises NotThere where the row does not fit its table any more, Busy.
    """
    by_hand = change.version.kind == CorpusVersion.Kind.EDIT
    note = f"{change.origin}: as before version {change.version.number}"
    with _edited(change.version.corpus, change.table, by, "changed", note) as one:
        now = _noted(one, change.origin)
        was = change.before
        with connection.cursor() as cursor:
            if was is None and not by_hand:
                cursor.execute(f"UPDATE {one.name} SET {ROW_EDIT} = 'deleted' WHERE {ROW_ORIGIN} = %s", [change.origin])
            else:
                cursor.execute(f"DELETE FROM {one.name} WHERE {ROW_ORIGIN} = %s", [change.origin])
        if was is not None:
            one = _widened(one, was)
            _put(one, was | ({} if by_hand else {ROW_EDIT: was.get(ROW_EDIT) or "changed"}))
        _index(one, now, one.row(change.origin))


def _put(one: StoredTable, image: dict[str, Any]) -> None:
    """Insert a row as it was kept."""
    names = listed([*types_of(one.columns), ROW_NUMBER, ROW_EDIT, ROW_ORIGIN])
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {one.name} ({names}) SELECT {names} FROM jsonb_populate_record(NULL::{one.name}, %s)",
                [json.dumps(image)],
            )
    except DataError as error:
        raise NotThere("The columns of the table are others now, and this row does not fit them.") from error


def _noted(one: StoredTable, row: str) -> dict[str, Any] | None:
    """The row as it is, which the new version keeps as what was before it."""
    before = one.row(row)
    RowChange.objects.create(version=one.version, table=one.table.name, origin=row, before=before)
    return before


def _widened(one: StoredTable, values: dict[str, Any]) -> StoredTable:
    """The table with room for fractions in the columns that get one for the first time."""
    fractions = [
        name
        for name in one.stored["integers"]
        if isinstance(value := values.get(name), float) and not value.is_integer()
    ]
    if not fractions or one.spec is None:
        return one
    version = one.version
    hide(version)
    with connection.cursor() as cursor:
        for name in fractions:
            cursor.execute(f'ALTER TABLE {one.name} ALTER COLUMN "{name}" TYPE double precision')
    whole = [name for name in one.stored["integers"] if name not in fractions]
    version.stored = version.stored | {one.table.name: one.stored | {"integers": whole}}
    version.save(update_fields=["stored"])
    show(one.spec, version.stored, version.rows_of)
    return StoredTable(version.corpus, one.table.name)


def _index(one: StoredTable, before: dict[str, Any] | None, after: dict[str, Any] | None) -> None:
    """After commit, the passages of the row follow, and of the rows that its texts are read with."""
    rows = [row for row in (before, after) if row is not None]
    index_rows_on_commit(one.view, [str(row[one.key]) for row in rows])
    for name, other in one.version.stored.items():
        for texts in other["gathered"]:
            named = {str(row[texts["reference"]]) for row in rows if row.get(texts["reference"]) is not None}
            if texts["table"] == one.table.name and named:
                index_rows_on_commit(
                    other["view"], _keys(StoredTable(one.version.corpus, name), texts["target"], named)
                )


def _keys(owner: StoredTable, target: str, values: set[str]) -> set[str]:
    """The keys of the rows that have one of the values in the column that others refer to them by."""
    if target == owner.key:
        return values
    with connection.cursor() as cursor:
        cursor.execute(
            f'SELECT "{owner.key}"::text FROM {owner.name} WHERE "{target}"::text = ANY(%s)', [sorted(values)]
        )
        return {key for (key,) in cursor.fetchall()}
