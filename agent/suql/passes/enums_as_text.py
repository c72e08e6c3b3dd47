"""Columns of PostgreSQL's own enum types, read as the texts they are to a query.

WHERE lower(price) = 'cheap'   WHERE lower(price::text) = 'cheap'
"""

from __future__ import annotations

from collections.abc import Set

from sqlglot import exp

from agent.suql.names import Names
from agent.suql.walking import every

TYPES = """SELECT c.relname, a.attname FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
    JOIN pg_type AS t ON t.oid = a.atttypid LEFT JOIN pg_type AS e ON e.oid = t.typelem
    WHERE c.relnamespace = to_regnamespace($1) AND a.attnum > 0 AND 'e' IN (t.typtype, e.typtype)"""


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
