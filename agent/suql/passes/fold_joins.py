"""Inner joins whose condition needs an answer: the condition moves to WHERE, where it is decided row by row."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp


def fold_joins(select: exp.Select, free: Callable[[exp.Expr], bool]) -> None:
    """`a JOIN b ON x AND answer(…)` becomes `a CROSS JOIN b WHERE x AND answer(…)`.

    Not where a RIGHT or FULL join follows: that one would give back rows the condition took away.
    """
    joins = select.args.get("joins") or []
    for place, join in enumerate(joins):
        on = join.args.get("on")
        inner_join = not join.side and join.kind in ("", "INNER", "CROSS")
        later_keeps = all(later.side not in ("RIGHT", "FULL") for later in joins[place + 1 :])
        if on is None or not inner_join or not later_keeps or not free(on):
            continue
        join.set("on", None)
        join.set("kind", "CROSS")
        where = select.args.get("where")
        condition = on
        if where is not None:
            condition = exp.And(this=exp.paren(on, copy=False), expression=exp.paren(where.this, copy=False))
        select.set("where", exp.Where(this=condition))
