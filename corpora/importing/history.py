"""What changed from version to version, row by row; and from that, each version as it was.

A version notes of every row that it changed what the row was before (`RowChange`). A row at some version is then what
the first change after that version found, or, where none came after, what it is now.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection

from corpora.catalogue.imported import ROW_NUMBER
from corpora.importing.specification import ColumnSpec, CorpusSpec, TableSpec
from corpora.importing.tables import (
    ROW_EDIT,
    ROW_ORIGIN,
    VISIBLE,
    columns_of,
    count,
    listed,
    stored_name,
    types_of,
)
from corpora.models import CorpusVersion, RowChange

CHANGES = f'"{RowChange._meta.db_table}"'
VERSIONS = f'"{CorpusVersion._meta.db_table}"'


def _old(before: CorpusVersion, table: str) -> str:
    return stored_name(before.corpus, before.rows_of, table)


def _spec_of(version: CorpusVersion, table: str) -> TableSpec:
    found = CorpusSpec.model_validate(version.specification).table(table)
    assert found is not None
    return found


def same_numbers(before: CorpusVersion, table: TableSpec, new: str) -> None:
    """Give rows that were there before the numbers they had, where rows are told apart by their number."""
    if len(table.keys) == 1 or not before.stored[table.name]["numbered"]:
        return
    old = _old(before, table.name)
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {new} n SET {ROW_NUMBER} = m.number FROM ("
            f"SELECT n.{ROW_ORIGIN}, coalesce(o.{ROW_NUMBER}, (SELECT coalesce(max({ROW_NUMBER}), 0) FROM {old}) + "
            f"row_number() OVER (PARTITION BY o.{ROW_NUMBER} IS NULL ORDER BY n.{ROW_NUMBER})) AS number "
            f"FROM {new} n LEFT JOIN {old} o USING ({ROW_ORIGIN})) m WHERE m.{ROW_ORIGIN} = n.{ROW_ORIGIN}"
        )


def carry_edits(before: CorpusVersion, table: TableSpec, columns: Sequence[ColumnSpec], new: str) -> int:
    """Let the rows that were edited by hand be as they are; returns how many there are.

    Of a column that is new, or of another kind than before, an edited row has what the file says.
    """
    old = _old(before, table.name)
    were = types_of(columns_of(_spec_of(before, table.name), before.stored[table.name]))
    shared = [name for name, kind in types_of(columns).items() if were.get(name) == kind]
    same = f"n.{ROW_ORIGIN} = o.{ROW_ORIGIN}"
    values = ", ".join(f'"{name}" = o."{name}"' for name in (*shared, ROW_EDIT))
    numbered = len(table.keys) != 1 and before.stored[table.name]["numbered"]
    copied = [f'o."{name}"' for name in shared]
    number = f"o.{ROW_NUMBER}" if numbered else f"(SELECT count(*) FROM {new}) + o.{ROW_NUMBER}"
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {new} n SET {values} FROM {old} o WHERE o.{ROW_EDIT} IS NOT NULL AND {same}")
        kept = cursor.rowcount
        cursor.execute(
            f"INSERT INTO {new} ({listed([*shared, ROW_NUMBER, ROW_EDIT, ROW_ORIGIN])}) "
            f"SELECT {', '.join([*copied, number])}, o.{ROW_EDIT}, o.{ROW_ORIGIN} "
            f"FROM {old} o WHERE o.{ROW_EDIT} IS NOT NULL AND NOT EXISTS (SELECT FROM {new} n WHERE {same})"
        )
        return int(kept + cursor.rowcount)


def differences(before: CorpusVersion | None, table: str, new: str) -> dict[str, int]:
    """How many rows people see that are new, differ, or are gone; all are new where there was no such table."""
    if before is None or table not in before.stored:
        return {"added": count(f"SELECT count(*) FROM {new} WHERE {VISIBLE}")}
    joined = (
        f"FROM (SELECT * FROM {_old(before, table)} WHERE {VISIBLE}) o "
        f"FULL JOIN (SELECT * FROM {new} WHERE {VISIBLE}) n ON o.{ROW_ORIGIN} = n.{ROW_ORIGIN}"
    )
    beside = f"'{{{ROW_NUMBER},{ROW_EDIT}}}'::text[]"
    return {
        "added": count(f"SELECT count(*) {joined} WHERE o.{ROW_ORIGIN} IS NULL"),
        "removed": count(f"SELECT count(*) {joined} WHERE n.{ROW_ORIGIN} IS NULL"),
        "changed": count(
            f"SELECT count(*) {joined} WHERE o.{ROW_ORIGIN} IS NOT NULL AND n.{ROW_ORIGIN} IS NOT NULL "
            f"AND to_jsonb(o) - {beside} IS DISTINCT FROM to_jsonb(n) - {beside}"
        ),
    }


def journal(before: CorpusVersion, version: CorpusVersion) -> None:
    """Note of every row that a version changed what it was before."""
    insert = f'INSERT INTO {CHANGES} (version_id, "table", origin, before) SELECT %s, %s'
    with connection.cursor() as cursor:
        for table in dict.fromkeys((*before.stored, *version.stored)):
            old, new = _old(before, table), stored_name(version.corpus, version.rows_of, table)
            if table not in version.stored:
                query = f"{insert}, {ROW_ORIGIN}, to_jsonb(o) FROM {old} o"
            elif table not in before.stored:
                query = f"{insert}, {ROW_ORIGIN}, NULL FROM {new} n"
            else:
                query = (
                    f"{insert}, coalesce(o.{ROW_ORIGIN}, n.{ROW_ORIGIN}), "
                    f"CASE WHEN o.{ROW_ORIGIN} IS NOT NULL THEN to_jsonb(o) END "
                    f"FROM {old} o FULL JOIN {new} n ON o.{ROW_ORIGIN} = n.{ROW_ORIGIN} "
                    f"WHERE o.{ROW_ORIGIN} IS NULL OR n.{ROW_ORIGIN} IS NULL "
                    f"OR to_jsonb(o) - '{ROW_NUMBER}' IS DISTINCT FROM to_jsonb(n) - '{ROW_NUMBER}'"
                )
            cursor.execute(query, [version.pk, table])


def restore(to: CorpusVersion, now: CorpusVersion, table: TableSpec, new: str) -> None:
    """Fill a table with the rows it had at a version, from what changed since and what it is now."""
    names = [*types_of(columns_of(table, to.stored[table.name])), ROW_NUMBER, ROW_EDIT, ROW_ORIGIN]
    since = (
        f"SELECT DISTINCT ON (c.origin) c.origin, c.before FROM {CHANGES} c JOIN {VERSIONS} v ON v.id = c.version_id "
        f'WHERE v.corpus = %s AND v.number > %s AND c."table" = %s ORDER BY c.origin, v.number'
    )
    untouched = ""
    if table.name in now.stored:
        untouched = (
            f" UNION ALL SELECT to_jsonb(o) FROM {_old(now, table.name)} o "
            f"WHERE NOT EXISTS (SELECT FROM since WHERE since.origin = o.{ROW_ORIGIN})"
        )
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {new} ({listed(names)}) WITH since AS ({since}), "
            f"was AS (SELECT before AS row FROM since WHERE before IS NOT NULL{untouched}) "
            f"SELECT {listed(names, 'r')} FROM was, jsonb_populate_record(NULL::{new}, was.row) r",
            [to.corpus, to.number, table.name],
        )
