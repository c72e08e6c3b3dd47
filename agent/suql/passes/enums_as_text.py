"""Columns of PostgreSQL's own enum types, read as the texts they are to a query.

WHERE lower(price) = 'cheap'   WHERE lower(price::text) = 'cheap'
"""

from __future__ import annotations

from collections.abc import Set

from sqlglot import exp

from agent.catalogue.tables import Catalogue, Kind
from agent.suql.database import Database
from agent.suql.names import Names
from agent.suql.tree import quoted
from agent.suql.walking import every

_TEXTS = frozenset({"text", "text[]", "character varying", "character varying[]", "character", "character[]"})


async def find_enums(database: Database, catalogue: Catalogue) -> frozenset[tuple[str, str]]:
    """The ENUM columns (table, column) that are of another type than text. The role may not read `pg_attribute`."""
    known = [(table.name, column.name) for table in catalogue for column in table.columns if column.kind is Kind.ENUM]
    if not known:
        return frozenset()
    types = ", ".join(
        f"pg_typeof((SELECT {quoted(column)} FROM {quoted(catalogue.schema)}.{quoted(table)} LIMIT 0))::text"
        for table, column in known
    )
    (row,) = await database.rows(f"SELECT {types}")
    return frozenset(name for name, told in zip(known, row, strict=True) if told not in _TEXTS)


def enums_as_text(names: Names, enums: Set[tuple[str, str]]) -> None:
    """Casts each reference to a column of `enums` (table, column) to text, or to a list of texts."""
    for column in every(names.tree, exp.Column) if enums else ():
        origin = names.origin(column)
        source = names.sources.get(column.table)
        if origin is None or source is None or source.table is None or origin.column is None:
            continue
        if (source.table.name, origin.name) in enums:
            holder = exp.Placeholder()
            column.replace(holder)
            holder.replace(exp.cast(column, "TEXT[]" if origin.column.many else "TEXT"))
