"""Rows from a subquery or a CTE know the entity they are about, if they come straight from the rows of a table.

SELECT x.name FROM (SELECT name FROM restaurants) AS x
SELECT x.name FROM (SELECT name, slug AS _suql_entity, name AS _suql_title FROM restaurants) AS x
"""

from __future__ import annotations

from sqlglot import exp

from agent.catalogue.tables import Table
from agent.suql.names import Names, Source
from agent.suql.scopes import is_plain
from agent.suql.tree import quoted, raw
from agent.suql.walking import every

ENTITY, TITLE = "_suql_entity", "_suql_title"


def carry_entity(names: Names, select: exp.Select) -> None:
    """Add entity and title to what the first item of FROM gives, where that is a subquery or CTE of plain rows."""
    start = select.args.get("from_")
    if start is None:
        return
    source = names.sources.get(start.this.alias)
    if source is None or source.table is not None or source.function:
        return
    definition = _definition(names, start.this)
    inside = definition.this if definition is not None else None
    if definition is None or not isinstance(inside, exp.Select) or not is_plain(inside):
        return
    carry_entity(names, inside)
    origin = _first_source(names, inside)
    if origin is None:
        return
    table, entity, title = origin
    for text, name in ((entity, ENTITY), (title, TITLE)):
        inside.expressions.append(exp.alias_(raw(text), name, quoted=True))
        for holder in {id(definition): definition, id(start.this): start.this}.values():
            columns = holder.args["alias"].args.get("columns")
            if columns:
                columns.append(exp.to_identifier(name, quoted=True))
    source.carries = table


def entity_of(source: Source) -> tuple[Table, str, str] | None:
    """Return a source's table, and where its rows' entity and title are, as SQL."""
    alias = quoted(source.alias)
    if source.carries is not None:
        return source.carries, f"{alias}.{quoted(ENTITY)}", f"{alias}.{quoted(TITLE)}"
    if source.table is None:
        return None
    table = source.table
    title = f"{alias}.{quoted(table.title)}::text" if table.title else "NULL::text"
    named = table.entity or next(iter(table.key), "")
    return table, f"{alias}.{quoted(named)}::text" if named else "NULL::text", title


def _definition(names: Names, item: exp.Expr) -> exp.Expr | None:
    """The subquery itself, or the CTE a name stands for; a CTE is carried into once."""
    if isinstance(item, exp.Subquery):
        return item
    for cte in every(names.tree, exp.CTE):
        if isinstance(item, exp.Table) and not item.db and cte.alias == item.name:
            taken = any(column.name == ENTITY for column in cte.args["alias"].args.get("columns") or ())
            return None if taken else cte
    return None


def _first_source(names: Names, select: exp.Select) -> tuple[Table, str, str] | None:
    start = select.args.get("from_")
    source = names.sources.get(start.this.alias) if start is not None else None
    return entity_of(source) if source is not None else None
