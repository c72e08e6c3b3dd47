"""Structured conditions on a subquery or a step of WITH go into it, so that fewer of its rows are asked about.

SELECT t.id FROM (SELECT id, city, answer(about, 'x') AS a FROM venues) AS t WHERE t.city = 'Aldo' AND t.a = 'y'
SELECT t.id FROM (SELECT id, city, answer(about, 'x') AS a FROM venues WHERE city = 'Aldo') AS t WHERE …
"""

from __future__ import annotations

from sqlglot import exp

from agent.suql.names import Names
from agent.suql.scopes import asks_within, is_plain
from agent.suql.tree import conjuncts
from agent.suql.walking import copied, every


def push_down(names: Names) -> None:
    """Copie conditions inwards, from the outermost SELECT on; what was written stays where it is."""
    for scope in reversed(names.scopes):
        where = scope.select.args.get("where")
        start = scope.select.args.get("from_")
        if where is None or start is None:
            continue
        items = [start, *(scope.select.args.get("joins") or ())]
        if any(getattr(item, "side", "") for item in items[1:]):
            continue
        for item in items:
            inside = _definition(names, item.this)
            if inside is not None:
                for condition in conjuncts(where.this):
                    _push(condition, item.this.alias, *inside)


def _definition(names: Names, item: exp.Expr) -> tuple[exp.Select, dict[str, exp.Expr]] | None:
    """The plain SELECT behind an item of FROM, where nobody else reads it, and its outputs by name."""
    holder: exp.Expr | None = item if isinstance(item, exp.Subquery) else None
    if isinstance(item, exp.Table) and not item.db:
        tables = [table for table in every(names.tree, exp.Table) if not table.db and table.name == item.name]
        ctes = [cte for cte in every(names.tree, exp.CTE) if cte.alias == item.name]
        if len(tables) == len(ctes) == 1 and not item.args["alias"].args.get("columns"):
            holder = ctes[0]
            if holder.parent is None or holder.parent.args.get("recursive"):
                return None
    select = holder.this if holder is not None else None
    if holder is None or not isinstance(select, exp.Select) or not is_plain(select):
        return None
    if any(select.args.get(name) for name in ("limit", "offset", "distinct")) or not asks_within(select):
        return None
    columns = holder.args["alias"].args.get("columns") or []
    names_of = [column.name for column in columns] or [output.alias for output in select.expressions]
    return select, {name: output.unalias() for name, output in zip(names_of, select.expressions, strict=False)}


def _push(condition: exp.Expr, alias: str, select: exp.Select, outputs: dict[str, exp.Expr]) -> None:
    columns = every(condition, exp.Column)
    if not columns or condition.find(exp.Query) or asks_within(condition):
        return
    if any(
        column.table != alias or column.name not in outputs or asks_within(outputs[column.name]) for column in columns
    ):
        return
    holder = exp.Paren(this=copied(condition))
    for column in every(holder, exp.Column):
        column.replace(exp.paren(copied(outputs[column.name]), copy=False))
    where = select.args.get("where")
    together: exp.Expr = holder
    if where is not None:
        together = exp.And(this=holder, expression=exp.paren(where.this, copy=False))
    select.set("where", exp.Where(this=together))
