"""What compares a row with another one that is named: `price < (SELECT price FROM hotels WHERE name = 'Alder')`."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from agent.catalogue.tables import Column, Table
from agent.suql.names import Names
from agent.suql.phrases import spoken
from agent.suql.tree import inner

_SIGNS: dict[type[exp.Expr], str] = {
    exp.GT: "above",
    exp.GTE: "at or above",
    exp.LT: "below",
    exp.LTE: "at or below",
    exp.EQ: "the same as",
    exp.NEQ: "other than",
}


@dataclass(frozen=True, slots=True)
class OfAnother:
    """A comparison with what a column is of the row that has a title, in words, and whose column it is."""

    table: Table
    text: str


def of_another(node: exp.Expr, names: Names) -> OfAnother | None:
    """Return the comparison in words ("price below that of Alder"); None for any other condition."""
    if not isinstance(node, exp.ArrayOverlaps) and type(node) not in _SIGNS:
        return None
    origin, other = names.origin(node.this), inner(node.expression)
    if origin is None or origin.column is None or origin.table is None or not isinstance(other, exp.Subquery):
        return None
    title = _title(other.this, origin.column, origin.table)
    if not title:
        return None
    called = spoken(origin.column.name)
    if isinstance(node, exp.ArrayOverlaps):
        return OfAnother(origin.table, f"{called} in common with {title}")
    return OfAnother(origin.table, f"{called} {_SIGNS[type(node)]} that of {title}")


def _title(query: exp.Expr, column: Column, table: Table) -> str:
    """The title by which a query chooses the one value of a column that it selects; empty where it is another query."""
    source, where = query.args.get("from_"), query.args.get("where")
    if not isinstance(query, exp.Select) or source is None or where is None or len(query.expressions) != 1:
        return ""
    chosen, named = inner(query.expressions[0].unalias()), inner(where.this)
    of_it = isinstance(source.this, exp.Table) and source.this.name == table.name
    if not of_it or not isinstance(chosen, exp.Column) or chosen.name != column.name or not isinstance(named, exp.EQ):
        return ""
    of, value = inner(named.this), inner(named.expression)
    by_title = isinstance(of, exp.Column) and of.name == table.title and isinstance(value, exp.Literal)
    return str(value.name) if by_title else ""
