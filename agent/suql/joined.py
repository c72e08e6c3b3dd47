"""Joins in parentheses, resolved as a subquery whose columns are still called by their tables' names.

FROM (a JOIN b ON p) JOIN c ON q        FROM a JOIN b ON p JOIN c ON q
FROM a LEFT JOIN (b JOIN c ON p) ON q   FROM a LEFT JOIN (SELECT b.x AS c1_x, … FROM b JOIN c ON p) AS joined ON q
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from agent.suql.names import Output, Scope, Source
from agent.suql.naming import column_of, identifiers

if TYPE_CHECKING:
    from agent.suql.resolving import Resolver


def open_first(select: exp.Select) -> None:
    """Take away the parentheses around the beginning of FROM: joins are read from the left anyway."""
    start = select.args.get("from_")
    while start is not None and (core := joined_core(start.this)) is not None and not start.this.alias:
        joins = core.args.get("joins") or []
        core.set("joins", None)
        start.set("this", core)
        select.set("joins", [*joins, *(select.args.get("joins") or [])])


def joined_core(item: exp.Expr) -> exp.Expr | None:
    """Return the first item of a join in parentheses, with the rest in its `joins`; None for anything else."""
    if not isinstance(item, exp.Subquery) or _holds_query(item):
        return None
    core = item.this
    while isinstance(core, exp.Subquery) and not core.alias and not core.args.get("joins"):
        if _holds_query(core):
            return None
        core = core.this
    return core if isinstance(core, exp.Table | exp.Subquery) else None


def _holds_query(node: exp.Expr) -> bool:
    return isinstance(node.this, exp.Select | exp.SetOperation)


def as_select(core: exp.Expr) -> exp.Select:
    """`SELECT *` from a join in parentheses."""
    joins = core.args.get("joins") or []
    core.set("joins", None)
    return exp.Select(expressions=[exp.Star()], from_=exp.From(this=core), joins=joins)


def resolve_joined(
    resolver: Resolver, core: exp.Expr, scope: Scope, ctes: Mapping[str, Any]
) -> tuple[dict[str, Source], exp.Expr]:
    """The sources that a join in parentheses brings into a scope, by name, and the subquery that stands for them."""
    select = as_select(core)
    resolver.query(select, scope.parent, ctes, "from")
    inside = resolver.scopes[-1]
    alias = resolver.unique("joined")
    outer: dict[str, Output] = {}
    views: dict[str, Source] = {}
    items: list[exp.Expr] = []
    for written, source in inside.sources.items():
        renamed: dict[str, str] = {}
        for name, output in source.outputs.items():
            renamed[name] = f"c{len(items) + 1}_{name}"[:60]
            items.append(exp.alias_(column_of(source.alias, source.written(name)), renamed[name], quoted=True))
            outer[renamed[name]] = Output(renamed[name], output.table, output.column, output.element)
        views[written] = Source(alias, dict(source.outputs), renamed=renamed)
    select.set("expressions", items)
    seen = {source.alias: views[written] for written, source in inside.sources.items()}
    for name, merged in inside.merged.items():
        scope.merged[name] = tuple(seen[source.alias] for source in merged)
    resolver.sources[alias] = Source(alias, outer)
    columns = identifiers(outer.values())
    names = exp.TableAlias(this=exp.to_identifier(alias, quoted=True), columns=columns)
    return views, exp.Subquery(this=select, alias=names)
