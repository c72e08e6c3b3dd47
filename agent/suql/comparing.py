"""What a value is compared with, whichever way that is written.

answer(t, q) > 5    x IN (answer(t, q), 3)    (a, answer(t, q)) = (SELECT x, y …)    CASE answer(t, q) WHEN 'a' …
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from agent.suql.tree import inner

COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.NullSafeNEQ)


def compared(node: exp.Expr, parent: exp.Expr | None) -> list[exp.Expr]:
    """Return what a value is compared with: the other side, the members of a list, what CASE tries it against.

    Of rows, `(a, b) = ('x', 'y')` and `(a, b) IN (SELECT x, y …)`, it is what has the same place.
    """
    found: list[exp.Expr] = []
    if parent is not None and is_row(parent):
        place = next(place for place, one in enumerate(parent.expressions) if one is node)
        return in_place(compared(*outside(parent)), place)
    if isinstance(parent, COMPARISONS):
        found = [other_side(parent, node)]
    elif isinstance(parent, exp.In):
        found = [parent.this, *parent.expressions]
        found += [parent.args["query"]] if parent.args.get("query") else []
    elif isinstance(parent, exp.Between):
        found = [parent.this, parent.args["low"], parent.args["high"]]
    elif isinstance(parent, exp.Case) and parent.this is node:
        found = [branch.this for branch in parent.args["ifs"]]
    members: list[exp.Expr] = []
    for one in found:
        listed = opened(one)
        if one is not node:
            members += listed.expressions if isinstance(listed, exp.Array) and listed.expressions else [inner(one)]
    return members


def in_place(rows: list[exp.Expr], place: int) -> list[exp.Expr]:
    """Return what has that place in each of some rows, or in the rows of queries."""
    found = []
    for row in map(opened, rows):
        wholes = selects(row) if isinstance(row, exp.Query) else [row] if is_row(row) else []
        found += [inner(one.expressions[place].unalias()) for one in wholes if place < len(one.expressions)]
    return found


def opened(node: exp.Expr) -> exp.Expr:
    """Return the node without parentheses, ANY and ALL around it."""
    while isinstance(node, exp.Paren | exp.Any | exp.All | exp.Subquery):
        node = node.this
    return node


def other_side(parent: exp.Expr, node: exp.Expr) -> exp.Expr:
    """Return the other side of a comparison, without the parentheses around it."""
    return inner(parent.expression if parent.this is node else parent.this)


def is_row(node: exp.Expr) -> bool:
    """Is it several values in brackets, `(a, b)` or `ROW(a, b)`?"""
    return isinstance(node, exp.Tuple) or (isinstance(node, exp.Anonymous) and str(node.this).lower() == "row")


def outside(node: exp.Expr) -> tuple[exp.Expr, exp.Expr | None]:
    """The node with what only encloses it (parentheses, a scalar subquery's, ANY, ALL), and what stands around that."""
    while isinstance(node.parent, exp.Paren | exp.Any | exp.All) or (
        isinstance(node.parent, exp.Subquery) and not node.parent.alias
    ):
        node = node.parent
    return node, node.parent


def selects(query: exp.Expr) -> Iterator[exp.Select]:
    """Yield the SELECTs whose rows are a query's, several for a set operation."""
    ahead = [query]
    while ahead:
        node = ahead.pop()
        if isinstance(node, exp.SetOperation):
            ahead += [node.expression, node.this]
        elif isinstance(node, exp.Subquery):
            ahead.append(node.this)
        elif isinstance(node, exp.Select):
            yield node
