"""What queries see of a version of a corpus: views of `kb` over its tables, with the texts that belong to a row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import connection

from corpora.catalogue.imported import ROW_NUMBER, catalogue_table
from corpora.connection import READER
from corpora.importing.specification import ColumnKind, CorpusSpec, TableSpec
from corpora.importing.tables import TYPES, VISIBLE, stored_name
from corpora.models import CorpusVersion

FEW = 3  # facts of a remark: its stars, what somebody came for


def gathered(spec: CorpusSpec, table: TableSpec) -> Iterator[dict[str, str]]:
    """The texts of tables whose rows refer to this one: what guests wrote of an inn is read as the inn's.

    Rows that others write about speak for themselves: what guests wrote of an inn is not read as its village's. Nor are
    those read that are things of their own, with a note, where others are remarks: the huts on a trail, beside reports.
    """
    taken = {column.name for column in table.columns}
    about = [one for one in spec.tables if _texts(one) and table.name in {link.table for link in one.links}]
    remarks = [one.name for one in about if not _is_thing(one)] or [one.name for one in about]
    for other in spec.tables:
        texts = _texts(other) if other.name in remarks else []
        for link in other.links:
            if other is table or link.table != table.name or _is_written_about(spec, other, table):
                continue
            for text in texts:
                name = other.name if len(texts) == 1 else f"{other.name}_{text}"
                if name not in taken:
                    taken.add(name)
                    yield {
                        "name": name, "table": other.name, "column": text, "reference": link.column,
                        "target": link.target, "description": other.description,
                    }  # fmt: skip


def _texts(table: TableSpec) -> list[str]:
    return [column.name for column in table.columns if column.kind is ColumnKind.FREE_TEXT]


def _is_thing(table: TableSpec) -> bool:
    """Whether rows are things of their own: more is told of them than of a remark, and nothing says when."""
    others = {*table.keys, table.title, *(link.column for link in table.links)}
    facts = [one for one in table.columns if one.name not in others and one.kind is not ColumnKind.FREE_TEXT]
    return len(facts) > FEW and not any(one.kind is ColumnKind.DATE for one in facts)


def _is_written_about(spec: CorpusSpec, table: TableSpec, besides: TableSpec) -> bool:
    """Whether rows of a third table have texts about this one's."""
    others = (one for one in spec.tables if one is not table and one is not besides and _texts(one))
    return any(link.table == table.name for one in others for link in one.links)


def show(spec: CorpusSpec, stored: dict[str, Any], rows_of: int) -> None:
    """Let queries see a version of a corpus of which none is seen."""
    with connection.cursor() as cursor:
        for table in spec.tables:
            shown = catalogue_table(table, stored[table.name])
            texts = {one["name"]: one for one in stored[table.name]["gathered"]}
            columns = ", ".join(
                _texts_of(spec, table, rows_of, texts[column.name]) if column.name in texts else f'here."{column.name}"'
                for column in shown.columns
            )
            source = stored_name(spec.name, rows_of, table.name)
            cursor.execute(f'CREATE VIEW kb."{shown.name}" AS SELECT {columns} FROM {source} here WHERE here.{VISIBLE}')
            cursor.execute(f'GRANT SELECT ON kb."{shown.name}" TO {READER}')


def hide(version: CorpusVersion) -> None:
    """Let queries see a version no more."""
    with connection.cursor() as cursor:
        for gone in version.stored.values():
            cursor.execute(f'DROP VIEW kb."{gone["view"]}"')


def _texts_of(spec: CorpusSpec, table: TableSpec, rows_of: int, one: dict[str, str]) -> str:
    """A column of a view: the texts of the rows of another table that refer to this row, in their order."""
    text, source = f'there."{one["column"]}"', stored_name(spec.name, rows_of, one["table"])
    other = spec.table(one["table"])
    assert other is not None
    alike = _type(other, one["reference"]) == _type(table, one["target"])  # only then the index is of use
    cast = "" if alike else "::text"
    same = f'there."{one["reference"]}"{cast} = here."{one["target"]}"{cast}'
    return (
        f"ARRAY(SELECT {text} FROM {source} there WHERE {same} AND {text} IS NOT NULL AND there.{VISIBLE} "
        f'ORDER BY there."{ROW_NUMBER}") AS "{one["name"]}"'
    )


def _type(table: TableSpec, column: str) -> str:
    found = table.column(column)
    return TYPES.get(found.kind, "text") if found else "text"
