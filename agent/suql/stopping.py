"""Where a SELECT may stop early: which of its rows have to be certain before the rest cannot change the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from agent.suql.scopes import Block, calls_in, is_grouped, is_plain, scopes_in
from agent.suql.tree import own_nodes


@dataclass(frozen=True, slots=True)
class Leading:
    """The first `count` rows of each group in an order, or, with `any_row`, any one row of each group.

    A group is what the expressions of `group` tell apart: all rows (around each row of an outer SELECT) where there
    are none. Rows that the order does not tell apart all count.
    """

    group: Sequence[exp.Expr]
    order: Sequence[exp.Expr]
    count: int
    any_row: bool


def leading(block: Block, *, cut: int) -> Leading | None:
    """Return which rows settle a SELECT, None if every row counts.

    `cut` is the number of rows beyond which a result is cut anyway; it is no LIMIT of the query's own.
    """
    select = block.select
    limit = None if block.limit is None or block.limit == cut else block.limit
    if isinstance(select.parent, exp.Exists) and limit is None and not block.offset and not is_grouped(select):
        return Leading((), (), 1, any_row=True)
    if limit is None and not block.offset and _gives_a_set(block) and _row_by_row(select):
        outputs = [item.unalias() for item in select.expressions]
        return Leading(outputs, (), 1, any_row=True) if not any(map(calls_in, outputs)) else None
    on = _distinct_on(select)
    if on and not block.ordered_by_answers:
        order = list(select.args["order"].expressions)[len(on) :] if select.args.get("order") else []
        return Leading(on, order, 1, any_row=not order)
    if limit is not None and is_plain(select):
        return _of_limit(block, limit + block.offset)
    return None


def _of_limit(block: Block, count: int) -> Leading | None:
    """The first rows of a correlated SELECT, or by those terms of the order that need no answers."""
    order = block.select.args.get("order")
    terms = list(order.expressions) if order else []
    plain = terms[: next((place for place, term in enumerate(terms) if _asks(term, block)), len(terms))]
    if block.ordered_by_answers and not plain:
        return None
    return Leading((), plain, count, any_row=False) if block.ordered_by_answers or block.scope.outer else None


def _asks(term: exp.Expr, block: Block) -> bool:
    """Does a term of the order need answers, its own or those of a subquery about the row?"""
    return bool(calls_in(term)) or not set(block.children.get("order", ())).isdisjoint(scopes_in(term))


def _gives_a_set(block: Block) -> bool:
    """Do rows that give the same count once: DISTINCT, IN (SELECT …), one side of UNION, INTERSECT or EXCEPT?"""
    if block.shown or block.ordering or block.grouped or block.children.get("shown"):
        return False
    if block.distinct:
        return True
    holder = block.select.parent
    while isinstance(holder, exp.Subquery | exp.Paren) and not holder.alias:
        holder = holder.parent
    if isinstance(holder, exp.In):
        return not is_grouped(block.select)
    plain = not is_grouped(block.select) and not block.select.args.get("distinct")
    return isinstance(holder, exp.SetOperation) and plain and bool(holder.args.get("distinct"))


def _row_by_row(select: exp.Select) -> bool:
    """Is each output computed from one row?"""
    kinds = (exp.Window, exp.Explode, exp.Unnest, exp.AggFunc)
    return not any(isinstance(node, kinds) for item in select.expressions for node in own_nodes(item))


def _distinct_on(select: exp.Select) -> list[exp.Expr]:
    distinct = select.args.get("distinct")
    on = distinct.args.get("on") if distinct is not None else None
    if on is None or is_grouped(select) or not _row_by_row(select):
        return []
    return list(on.expressions) if isinstance(on, exp.Tuple) else [on]
