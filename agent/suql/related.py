"""Words for how the rows of a subquery hang on the row around it: "of the same hotel", "other", "of another city"."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from agent.suql.names import Names
from agent.suql.phrases import spoken
from agent.suql.tree import inner


def related(node: exp.Expr, names: Names, negated: bool) -> tuple[str, str] | None:
    """Return the slot and the words of `a.x = b.y` or `a.x <> b.y`, columns of two sources; None for anything else.

    A column compared with a key names the row whose key it is; two columns of one name, what they say.
    """
    if not isinstance(node, exp.EQ | exp.NEQ):
        return None
    sides = [inner(node.this), inner(node.expression)]
    if not all(isinstance(side, exp.Column) for side in sides) or sides[0].text("table") == sides[1].text("table"):
        return None
    one, other = (names.origin(side) for side in sides)
    if one is None or other is None or one.column is None or other.column is None:
        return None
    same = isinstance(node, exp.EQ) != negated
    told = "of the same" if same else "of another"
    keys = [
        origin.table
        for origin in (one, other)
        if origin.column and origin.table and origin.table.key == (origin.column.name,)
    ]
    if len(keys) == 1:
        return "place", f"{told} {keys[0].noun[0]}"
    if keys and one.table is other.table:
        return None if same else ("quality", "other")
    if not keys and one.column.name == other.column.name:
        return "place", f"{told} {spoken(one.column.name)}"
    return None


def among(node: exp.Expr, names: Names, inside: Callable[[exp.Expr], str], negated: bool) -> tuple[str, str] | None:
    """Return the slot and the words of `x IN (SELECT y FROM …)`; None for anything else. `inside` tells of a query.

    Rows whose key is among those that other rows name, or among those of rows joined with others, have those others:
    "with calls on Inishmoor".
    """
    query = node.args.get("query") if isinstance(node, exp.In) else None
    select = inner(query.this if isinstance(query, exp.Subquery) else query) if query is not None else None
    if not isinstance(select, exp.Select) or len(select.expressions) != 1:
        return None
    one, other = names.origin(inner(node.this)), names.origin(inner(select.expressions[0].unalias()))
    if one is None or one.column is None or one.table is None or other is None or other.column is None:
        return None
    rows = inside(select)
    others = rows.removeprefix(f"{one.table.noun[1]} with ")
    told, theirs = spoken(one.column.name), spoken(other.column.name)
    named = other.table is not one.table and one.table.noun[0] in theirs
    if one.table.key == (one.column.name,) and (named or (one == other and others != rows)):
        return "with", f"{'no ' if negated else ''}{others}"
    return "where", f"the {told} is {'not ' if negated else ''}the {theirs} of one of the {rows}"
