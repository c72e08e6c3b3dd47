"""A closed vocabulary has an order of its own: cheap, moderate, expensive; not the alphabet.

ORDER BY, comparisons between two values of it and the highest and the lowest follow that order. What compares a column
with a word that is written in the query, `agent.suql.kinds` has seen to.
"""

from __future__ import annotations

from sqlglot import exp

from agent.catalogue.tables import Column, Kind
from agent.suql.names import Names
from agent.suql.tree import inner, literal, raw, write
from agent.suql.walking import nodes

_COMPARISONS = (exp.LT, exp.LTE, exp.GT, exp.GTE)
_EXTREMES = (exp.Max, exp.Min)
_APART = "\x1f"  # stands in no value


def order_vocabularies(names: Names) -> None:
    """`ORDER BY price` becomes `ORDER BY array_position(ARRAY['cheap', …], price)`, wherever a SELECT is ordered;
    `price < other.price` compares such positions, and `MAX(price)` is the value at the last of them."""
    for comparison in [node for node in nodes(names.tree) if isinstance(node, _COMPARISONS)]:
        _compare(comparison, names)
    for extreme in [node for node in nodes(names.tree) if isinstance(node, _EXTREMES)]:
        column = _vocabulary(extreme.this, names)
        if column is not None and not extreme.meta.get("ranked"):
            _value_of(extreme, column)
    for scope in names.scopes:
        order = scope.select.args.get("order")
        if scope.select.args.get("distinct"):
            continue
        for term in order.expressions if order else ():
            column = _vocabulary(term.this, names)
            if column is not None:
                words = ", ".join(literal(value) for value in column.values)
                term.set("this", raw(f"array_position(ARRAY[{words}]::text[], {write(inner(term.this))}::text)"))


def _vocabulary(node: exp.Expr, names: Names) -> Column | None:
    """The column that a node refers to, where its values have an order."""
    origin = names.origin(node)
    column = origin.column if origin else None
    return column if column is not None and column.kind is Kind.ENUM and column.values and not column.many else None


def _compare(node: exp.Expr, names: Names) -> None:
    """Has a comparison between values of one vocabulary compare their places in it."""
    sides = [_ranked(side, names) for side in (node.this, node.expression)]
    known = [column for _, column in sides if column is not None]
    written = [inner(side) for side in (node.this, node.expression) if isinstance(inner(side), exp.Literal)]
    if not known or any(column.values != known[0].values for column in known) or len(known) + len(written) < len(sides):
        return
    if any(word.name not in known[0].values for word in written):
        return
    for place, _ in sides:
        if place is not None:
            _place(place, known[0])
    for word in written:
        word.replace(exp.Literal.number(known[0].values.index(word.name) + 1))


def _ranked(node: exp.Expr, names: Names) -> tuple[exp.Expr | None, Column | None]:
    """What stands for a value of a vocabulary in one side of a comparison, and the vocabulary's column: a column, the
    highest or lowest of one, or what a subquery selects."""
    node = inner(node)
    if isinstance(node, exp.Any | exp.All):
        node = inner(node.this)
    if isinstance(node, exp.Subquery):
        node = node.this
    if isinstance(node, exp.Select):
        node = inner(node.expressions[0].unalias())
    value = inner(node.this) if isinstance(node, _EXTREMES) else node
    column = _vocabulary(value, names)
    return (node, column) if column is not None else (None, None)


def _place(node: exp.Expr, column: Column) -> None:
    """Puts the place in its vocabulary where a value stood; of the highest value, the highest place."""
    if isinstance(node, _EXTREMES):
        node.meta["ranked"] = True
        node = inner(node.this)
    words = ", ".join(literal(value) for value in column.values)
    place = exp.Anonymous(this="array_position", expressions=[raw(f"ARRAY[{words}]::text[]")])
    node.replace(place)
    place.append("expressions", exp.cast(node, "text"))


def _value_of(extreme: exp.Expr, column: Column) -> None:
    """Puts the value at the highest place where the highest value stood."""
    values = exp.Literal.string(_APART.join(column.values))
    found = exp.Anonymous(this="split_part", expressions=[values, exp.Literal.string(_APART)])
    extreme.replace(found)
    _place(extreme, column)
    found.append("expressions", extreme)
