"""ORDER BY a column with a closed vocabulary follows the vocabulary: cheap, moderate, expensive; not the alphabet."""

from __future__ import annotations

from agent.suql.catalogue import Kind
from agent.suql.names import Names
from agent.suql.tree import inner, literal, raw, write


def order_vocabularies(names: Names) -> None:
    """`ORDER BY price` becomes `ORDER BY array_position(ARRAY['cheap', …], price)`, wherever a SELECT is ordered."""
    for scope in names.scopes:
        order = scope.select.args.get("order")
        if scope.select.args.get("distinct"):
            continue
        for term in order.expressions if order else ():
            origin = names.origin(term.this)
            column = origin.column if origin else None
            if column is not None and column.kind is Kind.ENUM and column.values and not column.many:
                words = ", ".join(literal(value) for value in column.values)
                place = raw(f"array_position(ARRAY[{words}]::text[], {write(inner(term.this))}::text)")
                term.set("this", place)
