"""Who wrote the texts that are gathered from another table of an imported corpus, and when."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from django.db import connection

from corpora.catalogue.imported import ROW_NUMBER, state_of_corpora
from corpora.importing.specification import ColumnKind, CorpusSpec, TableSpec
from corpora.importing.tables import VISIBLE, columns_of, stored_name, types_of
from corpora.models import CorpusVersion

LABEL = 200  # characters of a title that are kept

Source = tuple[str, date | None]


@dataclass(frozen=True, slots=True)
class Gathering:
    """Where the texts of a list come from: the stored table, its column with the text, the one with the key of the row
    that they are gathered for, and the type of that."""

    stored: str
    table: TableSpec
    text: str
    reference: str
    kind: str


def sources_of(table: str, column: str, keys: Collection[str]) -> dict[tuple[str, int], Source]:
    """Return the title and the date of the row that each text of a list comes from, by (key, index), for rows named.

    The date is the one column of dates that such a row has; of several nobody knows which one is meant.
    """
    gathering = _gathering(table, column, state_of_corpora().versions)
    return _sources(gathering, keys) if gathering else {}


@lru_cache(maxsize=64)
def _gathering(table: str, column: str, versions: tuple[int, ...]) -> Gathering | None:
    """Where a list is gathered from; None where it is not, or from rows that others write about: such a row has no
    voice of its own, and its date is when it was opened or built, not when somebody spoke."""
    for version in CorpusVersion.objects.filter(pk__in=versions):
        for stored in version.stored.values():
            for one in stored.get("gathered", ()):
                if (stored["view"], one["name"]) == (table, column):
                    origin = version.stored[one["table"]]
                    if origin.get("gathered"):
                        return None
                    spec = CorpusSpec.model_validate(version.specification)
                    spoken = next(each for each in spec.tables if each.name == one["table"])
                    kind = types_of(columns_of(spoken, origin))[one["reference"]]
                    name = stored_name(spec.name, version.rows_of, spoken.name)
                    return Gathering(name, spoken, one["column"], one["reference"], kind)
    return None


def _sources(gathering: Gathering, keys: Collection[str]) -> dict[tuple[str, int], Source]:
    quote, table = connection.ops.quote_name, gathering.table
    dates = [column.name for column in table.columns if column.kind is ColumnKind.DATE]
    titles = [each.name for each in table.columns if each.name == table.title and each.kind is ColumnKind.TEXT]
    dated = quote(dates[0]) if len(dates) == 1 else "NULL::date"
    title = f"COALESCE(left({quote(titles[0])}, {LABEL}), '')" if titles else "''"
    reference, text, number = (quote(each) for each in (gathering.reference, gathering.text, ROW_NUMBER))
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {reference}::text, row_number() OVER (PARTITION BY {reference}::text ORDER BY {number}) - 1, "
            f"{title}, {dated} FROM {gathering.stored} WHERE {text} IS NOT NULL AND {VISIBLE} "
            f"AND {reference} = ANY(%s::text[]::{gathering.kind}[])",  # of the column's type, so that its index serves
            [list(keys)],
        )
        return {(key, index): (label, when) for key, index, label, when in cursor.fetchall()}
