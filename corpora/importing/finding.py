"""Reading the rows of an imported corpus as curators see them, with what hangs on a row."""

from __future__ import annotations

import json
import re
from typing import Any

from django.db import connection

from corpora.catalogue.imported import ROW_NUMBER
from corpora.importing.removing import NotThere
from corpora.importing.specification import ColumnSpec, CorpusSpec
from corpora.importing.storing import active_version
from corpora.importing.tables import ROW_EDIT, ROW_ORIGIN, VISIBLE, columns_of, stored_name
from corpora.models import Passage


class StoredTable:
    """A table of the version of a corpus that counts. Raises NotThere."""

    def __init__(self, corpus: str, table: str) -> None:
        version = active_version(corpus)
        self.spec = CorpusSpec.model_validate(version.specification) if version else None
        found = self.spec.table(table) if self.spec else None
        if version is None or self.spec is None or found is None:
            raise NotThere(f"There is no table {table!r} in a corpus {corpus!r}.")
        self.version, self.table = version, found
        self.stored = version.stored[table]
        self.columns = columns_of(found, self.stored)
        self.name = stored_name(corpus, version.rows_of, table)

    @property
    def view(self) -> str:
        """Its name for queries."""
        return str(self.stored["view"])

    @property
    def key(self) -> str:
        """The column that passages and queries tell its rows apart by."""
        return ROW_NUMBER if self.stored["numbered"] else self.table.keys[0]

    def row(self, origin: str) -> dict[str, Any] | None:
        """A row as JSON, deleted or not."""
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT to_jsonb(t) FROM {self.name} t WHERE {ROW_ORIGIN} = %s", [origin])
            found = cursor.fetchone()
        return _json(found[0]) if found else None


def _json(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value


def hanging(one: StoredTable, row: dict[str, Any]) -> list[str]:
    """What hangs on a row, in words: the rows that refer to it, and its texts."""
    found = []
    assert one.spec is not None
    for table in one.spec.tables:
        for link in table.links:
            if link.table == one.table.name and row.get(link.target) is not None:
                other = stored_name(one.version.corpus, one.version.rows_of, table.name)
                with connection.cursor() as cursor:
                    query = f'SELECT count(*) FROM {other} WHERE "{link.column}"::text = %s AND {VISIBLE}'
                    cursor.execute(query, [str(row[link.target])])
                    (number,) = cursor.fetchone()
                if number:
                    rows = "row of {0} refers" if number == 1 else "rows of {0} refer"
                    found.append(f"{number:,} {rows.format(table.name)} to it")
    passages = Passage.objects.filter(owner_table=one.view, owner_key=str(row[one.key])).count()
    if passages:
        found.append(f"{passages:,} passage{'s' if passages != 1 else ''} of its texts can be found")
    return found


def values_in_use(one: StoredTable, column: ColumnSpec, most: int = 200) -> list[str]:
    """The values that a column with few of them has."""
    value = f'unnest("{column.name}")' if column.kind.value.endswith("[]") else f'"{column.name}"'
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT DISTINCT value FROM (SELECT {value} AS value FROM {one.name} WHERE {VISIBLE}) t "
            f"WHERE value IS NOT NULL ORDER BY value LIMIT {most}"
        )
        return [value for (value,) in cursor.fetchall()]


def search(one: StoredTable, words: str, edited: bool, first: int, most: int) -> tuple[list[dict[str, Any]], int]:
    """Rows of a table with these words in any of their columns, and how many there are; or those edited by hand."""
    where = [f"{ROW_EDIT} IS NOT NULL" if edited else VISIBLE]
    columns = ", ".join(f'"{column.name}"::text' for column in one.columns)
    parameters: list[Any] = []
    for word in words.split():
        where.append(f"concat_ws(' ', {columns}) ILIKE %s")
        parameters.append("%" + re.sub(r"([\\%_])", r"\\\1", word) + "%")
    condition = " AND ".join(where)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {one.name} WHERE {condition}", parameters)
        (number,) = cursor.fetchone()
        query = f"SELECT to_jsonb(t) FROM {one.name} t WHERE {condition} ORDER BY {ROW_NUMBER}, {ROW_ORIGIN}"
        cursor.execute(f"{query} LIMIT {most} OFFSET {first}", parameters)
        return [_json(row) for (row,) in cursor.fetchall()], number
