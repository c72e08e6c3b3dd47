"""Nothing was found: the same query with less asked for.

Works on the tree, so that a query a model wrote is relaxed like any other. What goes first is what matters least to
most people: hours, then bounds on numbers, then what texts say, then vocabularies of one value such as a price class.
What the rows are (a name, a kind of food, a topic, where they are) never goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sqlglot
from sqlglot import exp

from agent.suql import describe
from agent.suql.catalogue import Catalogue, Column, Kind, Table

_RANK = {
    Kind.OPENING_HOURS: 0,
    Kind.NUMBER: 1,
    Kind.TIME: 1,
    Kind.DATE: 1,
    Kind.FREE_TEXT: 2,
    Kind.ENUM: 3,
    Kind.BOOLEAN: 3,
}


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A smaller query. `dropped` are the labels of what it no longer asks for, `label` the newest of them."""

    suql: str
    dropped: tuple[str, ...]

    @property
    def label(self) -> str:
        return self.dropped[-1]


def relaxations(suql: str, catalogue: Catalogue) -> list[Relaxation]:
    """Smaller and smaller queries: each drops one condition more. Empty where every condition is essential."""
    found: list[Relaxation] = []
    current = suql
    dropped: tuple[str, ...] = ()
    while (position := _next(current, catalogue)) is not None:
        label = describe(current, catalogue).constraints[position].label
        current, dropped = _without(current, position), (*dropped, label)
        found.append(Relaxation(current, dropped))
    return found


def _next(suql: str, catalogue: Catalogue) -> int | None:
    """The position of the condition that matters least, among those that may go."""
    conditions = _conditions(sqlglot.parse_one(suql, read="postgres"))
    if len(conditions) < 2:
        return None
    ranked = [
        (rank, -position) for position, one in enumerate(conditions) if (rank := _rank(one, catalogue)) is not None
    ]
    return -min(ranked)[1] if ranked else None


def _rank(condition: exp.Expr, catalogue: Catalogue) -> int | None:
    """How soon a condition goes; None where it stays. One on several columns is as essential as its most essential."""
    columns = list(_columns(condition, catalogue))
    ranks = [_RANK.get(column.kind) for table, column in columns if column.name not in (table.entity, table.title)]
    if (
        not columns
        or len(ranks) < len(columns)
        or any(column.kind is Kind.ENUM and column.many for _, column in columns)
    ):
        return None
    known = [rank for rank in ranks if rank is not None]
    return max(known) if len(known) == len(ranks) else None


def _columns(condition: exp.Expr, catalogue: Catalogue) -> Iterator[tuple[Table, Column]]:
    for node in condition.find_all(exp.Column):
        for table in catalogue:
            column = table.column(node.name)
            if column is not None and node.table in ("", table.name):
                yield table, column
                break


def _without(suql: str, position: int) -> str:
    tree = sqlglot.parse_one(suql, read="postgres")
    kept = [one.copy() for index, one in enumerate(_conditions(tree)) if index != position]
    tree.set("where", exp.Where(this=exp.and_(*kept, wrap=False)) if kept else None)
    _nearest_first(tree, _conditions(sqlglot.parse_one(suql, read="postgres"))[position])
    return tree.sql(dialect="postgres", normalize_functions=False)


def _nearest_first(tree: exp.Expr, gone: exp.Expr) -> None:
    """Where texts did not say what was asked, the rows whose texts come nearest to it are shown first."""
    calls = [
        call for call in gone.find_all(exp.Anonymous) if call.name.lower() == "answer" and len(call.expressions) == 2
    ]
    if not calls or tree.args.get("order") or any(call.find_ancestor(exp.Not) for call in calls):
        return
    call = calls[-1]
    if isinstance(call.expressions[0], exp.Column):
        near = exp.Anonymous(this="similar", expressions=[part.copy() for part in call.expressions])
        tree.set("order", exp.Order(expressions=[exp.Ordered(this=near, desc=True)]))


def _conditions(tree: exp.Expr) -> list[exp.Expr]:
    where = tree.args.get("where") if isinstance(tree, exp.Select) else None
    return list(where.this.flatten()) if where and isinstance(where.this, exp.And) else [where.this] if where else []
