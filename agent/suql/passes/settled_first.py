"""Under LIMIT, rows whose condition holds without an answer come first, where the query leaves the order open.

SELECT id FROM venues WHERE city = 'Aldo' OR answer(about, 'q') = 'Yes' LIMIT 3
… ORDER BY NOT (city = 'Aldo') IS TRUE, id LIMIT 3

Any order is right where none was asked for, and rows that need no answer are the cheapest: with three of them, this
query asks nothing.
"""

from __future__ import annotations

from sqlglot import exp

from agent.suql.logic import Both, Formula, Leaf, Opposite, leaves
from agent.suql.scopes import Block, is_plain
from agent.suql.walking import copied

SETTLED = "settled"  # the mark of a term of ORDER BY that is false of rows whose condition holds without an answer


def settled_first(block: Block) -> None:
    """For a plain SELECT with LIMIT whose order is ours; before its rows are ranked."""
    order = block.select.args.get("order")
    if order is None or not order.meta.get("ours") or not block.select.args.get("limit") or not is_plain(block.select):
        return
    test = without_answers(block.where) if block.where is not None else None
    if test is not None:
        term = exp.Ordered(this=exp.Not(this=exp.Is(this=exp.paren(test), expression=exp.true())), nulls_first=False)
        term.meta[SETTLED] = True
        order.set("expressions", [term, *order.expressions])


def without_answers(condition: Formula) -> exp.Expr | None:
    """What makes a row match before anything is asked, or None. What every row has to pass anyway is left out."""
    if isinstance(condition, Both):
        asking = [part for part in condition.parts if any(leaf.free for leaf in leaves(part))]
        return _holds(Both(tuple(asking)), True)
    return _holds(condition, True)


def _holds(condition: Formula, truth: bool) -> exp.Expr | None:
    """Where a condition has a truth value whatever the answers are; None for nowhere."""
    if isinstance(condition, Leaf):
        node = copied(condition.node)
        return None if condition.free else node if truth else exp.Not(this=exp.paren(node, copy=False))
    if isinstance(condition, Opposite):
        return _holds(condition.part, not truth)
    parts = [_holds(part, truth) for part in condition.parts]
    found = [part for part in parts if part is not None]
    if isinstance(condition, Both) != truth:
        return exp.or_(*found, copy=False) if found else None
    return exp.and_(*found, copy=False) if len(found) == len(parts) else None
