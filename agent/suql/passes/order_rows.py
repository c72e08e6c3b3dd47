"""In which order are rows looked at, and shown, where the query leaves it open?

A query without ORDER BY gets one: nearest to its questions first, then the table's own order. A query with LIMIT gets
its ties broken by the key. Any order is right where none was asked for; this one finds matches sooner, shows better
ones first, and is the same in every statement.
"""

from __future__ import annotations

from collections.abc import Iterator

import sqlglot
from sqlglot import exp

from agent.catalogue.tables import Kind, Table
from agent.suql.calls import asked
from agent.suql.names import Names, Scope, Source
from agent.suql.scopes import is_plain
from agent.suql.syntax import Suql
from agent.suql.tree import inner, quoted
from agent.text.values import AnswerType

NEAREST = 4  # questions that take part in the ranking
_CLEAR = ("Yes", "No")


def order_rows(names: Names, *, rank: bool) -> None:
    """Complete the ORDER BY of every SELECT whose rows are rows of tables. `rank`: passages can be searched."""
    for scope in names.scopes:
        select = scope.select
        if not is_plain(select) or scope.outer or not _order_matters(scope):
            continue
        order = select.args.get("order")
        terms = list(order.expressions) if order else []
        if order is None and scope.role == "main":
            terms += _nearest_first(names, select) if rank else []
            terms += _table_order(_main_source(names, select))
        terms += key_terms(names, select)
        if terms:
            completed = exp.Order(expressions=terms)
            completed.meta["ours"] = order is None
            select.set("order", completed)


def _order_matters(scope: Scope) -> bool:
    return scope.role == "main" or bool(scope.select.args.get("limit"))


def _main_source(names: Names, select: exp.Select) -> Source | None:
    start = select.args.get("from_")
    return names.sources.get(start.this.alias) if start else None


def _table_order(source: Source | None) -> Iterator[exp.Expr]:
    """The catalogue's own order of a table ("rating DESC, num_reviews DESC")."""
    if source is None or source.table is None or not source.table.order:
        return
    shell = sqlglot.parse_one(f"SELECT 1 ORDER BY {source.table.order}", dialect=Suql)
    for term in shell.args["order"].expressions:
        for column in term.find_all(exp.Column):
            column.set("table", exp.to_identifier(source.alias, quoted=True))
        yield term


def key_terms(names: Names, select: exp.Select) -> Iterator[exp.Expr]:
    """Yield the keys of the tables, which make the order total; every column of a table that has none."""
    items = [select.args.get("from_"), *(select.args.get("joins") or ())]
    for item in items:
        source = names.sources.get(item.this.alias) if item is not None else None
        table: Table | None = source.table if source else None
        if source is not None and table is not None:
            for key in table.key or [column.name for column in table.columns if not column.hidden]:
                column = exp.column(
                    exp.to_identifier(key, quoted=True), table=exp.to_identifier(source.alias, quoted=True)
                )
                yield exp.Ordered(this=column, nulls_first=False)


def _nearest_first(names: Names, select: exp.Select) -> list[exp.Expr]:
    """similar(reviews, 'q1') + similar(about, 'q2') DESC over the questions that must be answered with Yes or No."""
    where = select.args.get("where")
    scores = list(dict.fromkeys(_answered(names, where.this) if where else ()))[:NEAREST]
    if not scores:
        return []
    total = " + ".join(f"similar({column}, '{words}')" for column, words in scores)
    shell = sqlglot.parse_one(f"SELECT 1 ORDER BY {total} DESC", dialect="postgres")
    for call in shell.find_all(exp.Anonymous):
        call.meta["about"] = True  # nobody asked for this order: see `agent.suql.similarity`
    return list(shell.args["order"].expressions)


def _answered(names: Names, node: exp.Expr) -> Iterator[tuple[str, str]]:
    node = inner(node)
    if isinstance(node, exp.And | exp.Or):
        yield from _answered(names, node.this)
        yield from _answered(names, node.expression)
    elif isinstance(node, exp.EQ) and isinstance(node.expression, exp.Literal) and node.expression.name in _CLEAR:
        call = inner(node.this)
        if not call.meta.get("ask") or asked(call).type is not AnswerType.BOOLEAN:
            return
        column = inner(call.expressions[0])
        origin = names.origin(column)
        source = names.sources.get(column.table) if isinstance(column, exp.Column) else None
        if origin and origin.column and origin.column.kind is Kind.FREE_TEXT and source and source.table:
            words = asked(call).question.replace("'", "''")
            for name in filter(None, (column.name, origin.column.along)):
                yield f"{quoted(source.alias)}.{quoted(name)}", words
