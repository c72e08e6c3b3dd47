"""What nobody uses goes: columns of subqueries and steps of WITH, the steps themselves, outer joins that add nothing.

WITH q AS (SELECT id, answer(about, 'x') AS a FROM venues) SELECT id FROM q     a is never asked for
WITH q AS (…) SELECT id FROM venues                                           q is not run
SELECT v.id FROM venues v LEFT JOIN labels l ON l.id = v.id                   labels are not looked at
"""

from __future__ import annotations

from sqlglot import exp

from agent.suql.names import Names, Source
from agent.suql.scopes import asks_within, is_grouped
from agent.suql.tree import inner, own_nodes
from agent.suql.walking import every, nodes


def prune(names: Names) -> None:
    """Take unused parts out, outer ones first, until nothing more can go."""
    if any(clause.args.get("recursive") for clause in every(names.tree, exp.With)):
        return
    while _drop_steps(names) or _drop_joins(names) or _drop_columns(names):
        gone = {id(scope) for scope in names.scopes if scope.select.root() is not names.tree.root()}
        names.scopes[:] = [scope for scope in names.scopes if id(scope) not in gone]


def _drop_steps(names: Names) -> bool:
    """Steps of WITH that no FROM names."""
    used = {table.name for table in every(names.tree, exp.Table) if not table.db}
    dropped = False
    for clause in every(names.tree, exp.With):
        for cte in [cte for cte in clause.expressions if cte.alias not in used]:
            cte.pop()
            dropped = True
        if not clause.expressions:
            clause.pop()
    return dropped


def _drop_joins(names: Names) -> bool:
    """LEFT JOINs to a table by its whole key, no column of which is used elsewhere: each row stays one row."""
    for scope in names.scopes:
        for join in scope.select.args.get("joins") or ():
            source = names.sources.get(join.this.alias)
            on = join.args.get("on")
            if join.side != "LEFT" or on is None or source is None or source.table is None or scope.merged:
                continue
            if _by_key(on, source) and not _used_outside(names, source.alias, join):
                join.pop()
                del names.sources[source.alias]
                return True
    return False


def _by_key(on: exp.Expr, source: Source) -> bool:
    """Does the condition fix every column of the key, so that at most one row matches?"""
    assert source.table is not None
    fixed = set()
    for part in on.flatten() if isinstance(on, exp.And) else [on]:
        plain = inner(part)
        if isinstance(plain, exp.EQ):
            left, right = inner(plain.this), inner(plain.expression)
            for one, other in ((left, right), (right, left)):
                mine = isinstance(one, exp.Column) and one.table == source.alias
                if mine and not any(column.table == source.alias for column in every(other, exp.Column)):
                    fixed.add(one.name)
    return bool(source.table.key) and set(source.table.key) <= fixed


def _used_outside(names: Names, alias: str, holder: exp.Expr) -> bool:
    inside = {id(node) for node in nodes(holder)}
    return any(column.table == alias and id(column) not in inside for column in every(names.tree, exp.Column))


def _drop_columns(names: Names) -> bool:
    """Outputs of a plain subquery or step of WITH that no expression outside names."""
    definitions = {cte.alias: cte for cte in every(names.tree, exp.CTE)}
    dropped = False
    for name, definition in _definitions(names).items():
        select = definition.this
        readers = _readers(names, name, definition, definitions)
        if not isinstance(select, exp.Select) or readers is None or not _may_lose_columns(select):
            continue
        used = {
            source.written(column.name)
            for alias, source in readers.items()
            for column in every(names.tree, exp.Column)
            if column.table == alias
        }
        used |= {column for scope in names.scopes for column in scope.merged}
        columns = definition.args["alias"].args.get("columns") or []
        asks = [asks_within(item) for item in select.expressions]
        keep = [
            place
            for place, item in enumerate(select.expressions)
            if not asks[place] or (columns[place].name if columns else item.alias) in used
        ]
        if len(keep) < len(select.expressions) and keep:
            _keep(select, definition, readers, names, keep)
            dropped = True
    return dropped


def _definitions(names: Names) -> dict[str, exp.Expr]:
    """Subqueries in FROM by their alias, steps of WITH by their name."""
    found: dict[str, exp.Expr] = {cte.alias: cte for cte in every(names.tree, exp.CTE)}
    for subquery in every(names.tree, exp.Subquery):
        if isinstance(subquery.parent, exp.From | exp.Join) and subquery.alias:
            found[subquery.alias] = subquery
    return found


def _readers(
    names: Names, name: str, definition: exp.Expr, definitions: dict[str, exp.CTE]
) -> dict[str, Source] | None:
    """The sources that read a definition; None if their columns have names of their own."""
    if name not in definitions:
        return {name: names.sources[name]} if name in names.sources else None
    tables = [table for table in every(names.tree, exp.Table) if not table.db and table.name == name]
    if any(table.args["alias"].args.get("columns") for table in tables):
        return None
    return {table.alias: names.sources[table.alias] for table in tables}


def _may_lose_columns(select: exp.Select) -> bool:
    """Not where the columns decide which rows there are, nor where rows are groups."""
    if select.args.get("distinct") or is_grouped(select) or select.meta.get("distinct"):
        return False
    sets = (exp.Explode, exp.Unnest)
    return not any(isinstance(node, sets) for item in select.expressions for node in own_nodes(item))


def _keep(select: exp.Select, definition: exp.Expr, readers: dict[str, Source], names: Names, keep: list[int]) -> None:
    gone = [item.alias for place, item in enumerate(select.expressions) if place not in keep]
    columns = definition.args["alias"].args.get("columns")
    if columns:
        gone = [column.name for place, column in enumerate(columns) if place not in keep]
        definition.args["alias"].set("columns", [columns[place] for place in keep])
    select.set("expressions", [select.expressions[place] for place in keep])
    for source in readers.values():
        for name in gone:
            source.outputs.pop(name, None)
