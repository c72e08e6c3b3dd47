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
    """Where the texts of a list come from: the stored table, its column with the text, the one that says which row they
    are gathered for, and what says it there: the stored table, its key, the column that is referred to."""

    stored: str
    table: TableSpec
    text: str
    reference: str
    owner: str
    key: str
    target: str
    kind: str  # of the key, as the database has it
    cast: str  # of the reference and its target, where their types differ


def sources_of(
    table: str, column: str, keys: Collection[str], start: int = 0, stop: int | None = None
) -> dict[tuple[str, int], Source]:
    """Return the title and the date of the row that each text of a list comes from, by (key, index), for rows named and
    of each list the texts `start:stop`.

    The date is the one column of dates that such a row has; of several nobody knows which one is meant.
    """
    gathering = _gathering(table, column, state_of_corpora().versions)
    return _sources(gathering, keys, start, stop) if gathering else {}


@lru_cache(maxsize=64)
def _gathering(table: str, column: str, versions: tuple[int, ...]) -> Gathering | None:
    """Where a list is gathered from; None where it is not, or from rows that others write about: such a row has no
    voice of its own, and its date is when it was opened or built, not when somebody spoke."""
    for version in CorpusVersion.objects.filter(pk__in=versions):
        for name, stored in version.stored.items():
            for one in stored.get("gathered", ()):
                if (stored["view"], one["name"]) == (table, column):
                    origin = version.stored[one["table"]]
                    if origin.get("gathered"):
                        return None
                    spec = CorpusSpec.model_validate(version.specification)
                    spoken = next(each for each in spec.tables if each.name == one["table"])
                    owner = next(each for each in spec.tables if each.name == name)
                    key = ROW_NUMBER if stored["numbered"] else owner.keys[0]
                    here, there = (stored_name(spec.name, version.rows_of, each.name) for each in (owner, spoken))
                    kinds, others = types_of(columns_of(owner, stored)), types_of(columns_of(spoken, origin))
                    kind = "bigint" if key in (ROW_NUMBER, *stored["integers"]) else kinds[key]
                    cast = "" if kinds[one["target"]] == others[one["reference"]] else "::text"
                    return Gathering(
                        there, spoken, one["column"], one["reference"], here, key, one["target"], kind, cast
                    )
    return None


def _sources(
    gathering: Gathering, keys: Collection[str], start: int, stop: int | None
) -> dict[tuple[str, int], Source]:
    quote, table = connection.ops.quote_name, gathering.table
    dates = [column.name for column in table.columns if column.kind is ColumnKind.DATE]
    titles = [each.name for each in table.columns if each.name == table.title and each.kind is ColumnKind.TEXT]
    if not titles and len(dates) != 1:
        return {}
    dated = f"there.{quote(dates[0])}" if len(dates) == 1 else "NULL::date"
    title = f"COALESCE(left(there.{quote(titles[0])}, {LABEL}), '')" if titles else "''"
    key, text, number = f"here.{quote(gathering.key)}", f"there.{quote(gathering.text)}", f"there.{quote(ROW_NUMBER)}"
    reference, target = f"there.{quote(gathering.reference)}", f"here.{quote(gathering.target)}"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT key, index, title, dated FROM ("
            f"SELECT {key}::text, row_number() OVER (PARTITION BY {key} ORDER BY {number}) - 1, {title}, {dated} "
            f"FROM {gathering.owner} here JOIN {gathering.stored} there "
            f"ON {reference}{gathering.cast} = {target}{gathering.cast} "
            f"WHERE {key} = ANY(%s::text[]::{gathering.kind}[]) AND {text} IS NOT NULL AND there.{VISIBLE}"
            ") AS each (key, index, title, dated) WHERE index >= %s AND (%s::bigint IS NULL OR index < %s)",
            [list(keys), start, stop, stop],
        )
        return {(key, index): (label, when) for key, index, label, when in cursor.fetchall()}
