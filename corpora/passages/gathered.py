"""Who wrote the texts that are gathered from another table of an imported corpus, and when."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Any

from django.db import connection

from corpora.catalogue.imported import ROW_NUMBER
from corpora.importing.specification import ColumnKind, CorpusSpec, TableSpec
from corpora.importing.tables import VISIBLE, columns_of, stored_name, types_of
from corpora.models import CorpusVersion

LABEL = 200  # characters of a title that are kept

Source = tuple[str, date | None]


def sources_of(table: str, column: str, keys: Collection[str]) -> dict[tuple[str, int], Source]:
    """Return the title and the date of the row that each text of a list comes from, by (key, index), for rows named.

    The date is the one column of dates that such a row has; of several nobody knows which one is meant. A row that
    others write about has no voice of its own: its date is when it was opened or built, not when somebody spoke.
    """
    for version in CorpusVersion.objects.filter(active=True):
        for stored in version.stored.values():
            for one in stored.get("gathered", ()):
                if (stored["view"], one["name"]) == (table, column):
                    if version.stored[one["table"]].get("gathered"):
                        return {}
                    spec = CorpusSpec.model_validate(version.specification)
                    source = stored_name(spec.name, version.rows_of, one["table"])
                    table_spec = next(each for each in spec.tables if each.name == one["table"])
                    kind = types_of(columns_of(table_spec, version.stored[one["table"]]))[one["reference"]]
                    return _sources(source, table_spec, one, kind, keys)
    return {}


def _sources(
    source: str, table: TableSpec, one: dict[str, Any], kind: str, keys: Collection[str]
) -> dict[tuple[str, int], Source]:
    quote = connection.ops.quote_name
    dates = [column.name for column in table.columns if column.kind is ColumnKind.DATE]
    titles = [each.name for each in table.columns if each.name == table.title and each.kind is ColumnKind.TEXT]
    dated = quote(dates[0]) if len(dates) == 1 else "NULL::date"
    title = f"COALESCE(left({quote(titles[0])}, {LABEL}), '')" if titles else "''"
    reference, text, number = (quote(each) for each in (one["reference"], one["column"], ROW_NUMBER))
    where = f"{text} IS NOT NULL AND {VISIBLE}"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {reference}::text, row_number() OVER (PARTITION BY {reference}::text ORDER BY {number}) - 1, "
            f"{title}, {dated} FROM {source} WHERE {where} "
            f"AND {reference} = ANY(%s::text[]::{kind}[])",  # of the column's type, so that its index serves
            [list(keys)],
        )
        return {(key, index): (label, when) for key, index, label, when in cursor.fetchall()}
