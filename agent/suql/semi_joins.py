"""`SELECT DISTINCT main.*` over a join asks for rows of one table: the others only have to be there.

    SELECT DISTINCT trails.* FROM trails JOIN huts ON huts.trail_id = trails.id
        WHERE answer(trails.notes, 'q') = 'Yes' AND huts.beds > 9 LIMIT 3
    SELECT trails.* FROM trails
        WHERE answer(trails.notes, 'q') = 'Yes' AND EXISTS (
            SELECT 1 FROM huts WHERE huts.trail_id = trails.id AND huts.beds > 9) LIMIT 3

Written so, the rows can be looked at nearest to the question first, and LIMIT ends the reading.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from agent.catalogue.tables import Catalogue
from agent.suql.syntax import Suql, parse
from agent.suql.tree import conjuncts
from agent.suql.walking import every

_CLAUSES = {"expressions", "from_", "joins", "where", "order", "limit", "offset", "distinct"}


def semi_joined(sql: str, catalogue: Catalogue) -> str:
    """Return a checked query without the join, where it is of this kind and nothing is asked of the joined rows."""
    select = parse(sql)
    if not isinstance(select, exp.Select) or not _is_of_this_kind(select, catalogue):
        return sql
    main, joins = select.args["from_"].this.alias_or_name, select.args["joins"]
    inside, outside = [joins[0].args["on"]], list[exp.Expr]()
    for part in conjuncts(select.args["where"].this):
        (outside if all(column.table == main for column in every(part, exp.Column)) else inside).append(part)
    if not _calls(outside) or _calls([*inside, *joins[1:]]):
        return sql
    there = exp.Select(
        expressions=[exp.Literal.number(1)],
        from_=exp.From(this=joins[0].this),
        joins=joins[1:],
        where=exp.Where(this=_all(inside)),
    )
    select.set("where", exp.Where(this=_all([*outside, exp.Exists(this=there)])))
    select.set("joins", None)
    select.set("distinct", None)
    return select.sql(dialect=Suql)


def _is_of_this_kind(select: exp.Select, catalogue: Catalogue) -> bool:
    """Is it one table's rows, all columns written with their table, over inner joins of tables, with LIMIT?"""
    if any(value and name not in _CLAUSES for name, value in select.args.items()):
        return False
    distinct, joins, where = (select.args.get(name) for name in ("distinct", "joins", "where"))
    if distinct is None or distinct.args.get("on") or not joins or where is None or not select.args.get("limit"):
        return False
    start, [item, *more] = select.args["from_"].this, select.expressions
    keyed = {table.name for table in catalogue if table.key}
    if more or not isinstance(item, exp.Column) or not isinstance(item.this, exp.Star) or not _is_table(start):
        return False
    if item.table != start.alias_or_name or start.name not in keyed:
        return False
    if any(not _is_table(join.this) or join.side or join.kind not in ("", "INNER") for join in joins):
        return False
    if any({name for name, value in join.args.items() if value} - {"kind"} != {"this", "on"} for join in joins):
        return False
    parts = [where, *(join.args["on"] for join in joins)]
    order = select.args.get("order")
    ordered = list(every(order, exp.Column)) if order is not None else []
    columns = [column for part in parts for column in every(part, exp.Column)]
    return (
        all(column.table for column in columns)
        and all(column.table == item.table for column in ordered)
        and not any(isinstance(node, exp.Query) for part in parts for node in part.walk())
    )


def _is_table(node: exp.Expr) -> bool:
    return isinstance(node, exp.Table) and not node.db and isinstance(node.this, exp.Identifier)


def _calls(parts: Sequence[exp.Expr]) -> bool:
    return any(isinstance(node, exp.Anonymous) for part in parts for node in part.walk())


def _all(parts: Sequence[exp.Expr]) -> exp.Expr:
    return exp.and_(*(exp.paren(part) for part in parts))
