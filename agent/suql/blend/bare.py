"""Columns that SQLite lets stand beside aggregates though they are not grouped by: each is that of one of the rows.

SELECT d.name, COUNT(*) FROM films f JOIN directors d ON … GROUP BY d.id    (ARRAY_AGG(d.name ORDER BY f.id, d.id))[1]

Beside a single MIN() or MAX() the row is the one that has it, as in SQLite (https://sqlite.org/lang_select.html,
"Bare columns in an aggregate query"); otherwise SQLite's is any row, and here it is the first by the tables' keys.
"""

from __future__ import annotations

from collections.abc import Iterator

import sqlglot
from sqlglot import exp

from agent.catalogue.tables import Catalogue, Table
from agent.suql.blend.sources import sources, table_of
from agent.suql.tree import inner

_CLOSED = (exp.AggFunc, exp.Filter, exp.Window, exp.Query, exp.WithinGroup)
_SEVERAL = ("rollup", "cube", "grouping_sets", "all")


def spell_bare_columns(tree: exp.Expr, catalogue: Catalogue) -> None:
    """Give such columns the value of one row, in place."""
    for select in list(tree.find_all(exp.Select)):
        _group_distinct(select)
        group = select.args.get("group")
        if group is not None and any(group.args.get(name) for name in _SEVERAL):
            continue
        if group is not None or any(True for one in select.expressions for _ in _aggregates(one)):
            _spell(select, catalogue)


def _group_distinct(select: exp.Select) -> None:
    """`SELECT DISTINCT a … ORDER BY b`: one group for each a, where the first of its b comes."""
    distinct, order = select.args.get("distinct"), select.args.get("order")
    if distinct is None or distinct.args.get("on") or order is None or select.args.get("group"):
        return
    outputs = [one.unalias() for one in select.expressions]
    names = {one.alias_or_name.lower() for one in select.expressions}
    if any(one.is_star or one.find(exp.AggFunc, exp.Window) for one in outputs):
        return
    terms = [inner(term.this) for term in order.expressions]
    if all(_is_output(term, outputs, names) for term in terms):
        return
    others = [term for term, what in zip(order.expressions, terms, strict=True) if not _is_output(what, outputs, names)]
    within = ", ".join(term.sql(dialect="postgres") for term in others)
    for term in others:
        first = f"(ARRAY_AGG({term.this.sql(dialect='postgres')} ORDER BY {within}))[1]"
        term.set("this", sqlglot.parse_one(first, read="postgres"))
    select.set("distinct", None)
    select.set("group", exp.Group(expressions=[exp.Literal.number(place) for place in range(1, len(outputs) + 1)]))


def _is_output(term: exp.Expr, outputs: list[exp.Expr], names: set[str]) -> bool:
    """Is an output meant, by its name, its number, or as it is written?"""
    if isinstance(term, exp.Column) and not term.table and term.name.lower() in names:
        return True
    return isinstance(term, exp.Literal) or any(_is_same(term, output) for output in outputs)


def _spell(select: exp.Select, catalogue: Catalogue) -> None:
    held = dict(_tables(select, catalogue))
    keys = _keys(select)
    order = _order(select, held)
    names = {one.alias_or_name.lower() for one in select.expressions}
    for place in [*select.expressions, select.args.get("having"), select.args.get("order")]:
        for column in list(_open_columns(place, keys)) if place is not None else []:
            is_output = not column.table and column.name.lower() in names and place not in select.expressions
            if is_output or not _is_single(column, select, held):
                continue
            value = column.sql(dialect="postgres")
            spelt = sqlglot.parse_one(f"(ARRAY_AGG({value} ORDER BY {order or value}))[1]", read="postgres")
            column.replace(exp.alias_(spelt, column.name) if column.parent is select else spelt)


def _tables(select: exp.Select, catalogue: Catalogue) -> Iterator[tuple[str, Table]]:
    for item in sources(select):
        table = catalogue.table(item.name) if isinstance(item, exp.Table) else None
        if table is not None:
            yield item.alias_or_name, table


def _keys(select: exp.Select) -> list[exp.Expr]:
    """What is grouped by; a number or the name of an output stands for what it names."""
    keys: list[exp.Expr] = []
    for key in select.args["group"].expressions if select.args.get("group") else []:
        keys.append(key)
        if isinstance(key, exp.Literal) and key.is_int and 0 < int(key.name) <= len(select.expressions):
            keys.append(select.expressions[int(key.name) - 1].unalias())
        keys += [one.unalias() for one in select.expressions if isinstance(key, exp.Column) and one.alias == key.name]
    return keys


def _order(select: exp.Select, held: dict[str, Table]) -> str:
    """Which row of a group is taken, as an ORDER BY."""
    found = [one for place in [*select.expressions, select.args.get("having")] if place for one in _aggregates(place)]
    extremes = [one for one in found if isinstance(one, exp.Min | exp.Max)]
    first = []
    if len(extremes) == 1:
        direction = "DESC" if isinstance(extremes[0], exp.Max) else "ASC"
        first = [f"{extremes[0].this.sql(dialect='postgres')} {direction} NULLS LAST"]
    keys = [exp.column(key, table=alias, quoted=True) for alias, table in held.items() for key in table.key]
    return ", ".join([*first, *(key.sql(dialect="postgres") for key in keys)])


def _aggregates(node: exp.Expr) -> Iterator[exp.Expr]:
    if isinstance(node, exp.AggFunc):
        yield node
    elif not isinstance(node, _CLOSED) or isinstance(node, exp.Filter):
        for child in node.iter_expressions():
            yield from _aggregates(child)


def _open_columns(node: exp.Expr, keys: list[exp.Expr]) -> Iterator[exp.Column]:
    """The columns below a node that stand in no aggregate, subquery or key."""
    if isinstance(node, _CLOSED) or any(_is_same(node, key) for key in keys):
        return
    if isinstance(node, exp.Column):
        yield node
        return
    for child in node.iter_expressions():
        yield from _open_columns(child, keys)


def _is_same(node: exp.Expr, key: exp.Expr) -> bool:
    node, key = inner(node), inner(key)
    if isinstance(node, exp.Column) and isinstance(key, exp.Column) and node.name.lower() == key.name.lower():
        return not node.table or not key.table or node.table.lower() == key.table.lower()
    return node == key


def _is_single(column: exp.Column, select: exp.Select, held: dict[str, Table]) -> bool:
    """Is it one value of one table's row, as far as the catalogue knows?"""
    if isinstance(column.this, exp.Star):
        return False
    item = table_of(column.table, select) if column.table else None
    tables = [held.get(item.alias_or_name)] if item is not None else list(held.values()) if not column.table else []
    name = column.name.lower()
    found = [one for table in tables if table is not None for one in table.columns if one.name.lower() == name]
    return len(found) == 1 and not found[0].many
