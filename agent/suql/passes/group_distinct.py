"""`SELECT DISTINCT a, b` as `SELECT a, b … GROUP BY a, b`, so that the rows' entities can be carried along."""

from __future__ import annotations

from sqlglot import exp

from agent.suql.scopes import is_grouped
from agent.suql.tree import own_nodes


def group_distinct(select: exp.Select) -> None:
    """Not for DISTINCT ON, for groups, nor where windows are computed (they see the rows before DISTINCT)."""
    distinct = select.args.get("distinct")
    if distinct is None or distinct.args.get("on") or is_grouped(select):
        return
    if any(isinstance(node, exp.Window) for item in select.expressions for node in own_nodes(item)):
        return
    select.set("distinct", None)
    select.meta["distinct"] = True
    places = [exp.Literal.number(place) for place in range(1, len(select.expressions) + 1)]
    select.set("group", exp.Group(expressions=places))
