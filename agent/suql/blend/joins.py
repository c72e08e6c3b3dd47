"""`JOIN {{LLMJoin(left_on='a::x', right_on='b::y')}}`: the table that is not there yet is joined ON same(a.x, b.y)."""

from __future__ import annotations

from sqlglot import exp

from agent.suql.blend.sources import enclosing_select, reference, split_reference, table_of


def place_join(node: exp.Anonymous, left: str, right: str) -> None:
    """Put the join, or, where the ingredient stands as a condition, the comparison, in the ingredient's place."""
    holder = node.parent
    item = holder.parent if isinstance(holder, exp.Table) else None
    select = enclosing_select(node)
    if select is None or not isinstance(item, exp.Join | exp.From):
        node.replace(_same(left, right, node))
        return
    alias = holder.args.get("alias") if isinstance(holder, exp.Table) else None
    missing = [text for text in (left, right) if table_of(split_reference(text, node)[0], select) is None]
    tables = [exp.Table(this=exp.to_identifier(split_reference(text, node)[0], quoted=True)) for text in missing]
    if len(tables) == 1 and alias is not None:
        tables[0].set("alias", alias)
    if not tables:  # both are there: what is left is the condition
        item.pop()
        select.where(_also(_same(left, right, select.expressions[0]), item.args.get("on")), append=True, copy=False)
        return
    item.set("this", tables[-1])
    if len(tables) == 2:
        _bring_in(tables[0], item, select)
    joined = item if isinstance(item, exp.Join) else select.args["joins"][0]
    joined.set("on", _also(_same(left, right, joined.this), joined.args.get("on")))


def _bring_in(table: exp.Table, item: exp.Expr, select: exp.Select) -> None:
    """The second of two new tables: as FROM, or beside what FROM has."""
    if isinstance(item, exp.From):
        joined = exp.Join(this=item.this)
        item.set("this", table)
        select.set("joins", [joined, *(select.args.get("joins") or ())])
    else:
        joins = select.args["joins"]
        joins.insert(joins.index(item), exp.Join(this=table, kind="CROSS"))
        select.set("joins", joins)


def _also(test: exp.Expr, condition: exp.Expr | None) -> exp.Expr:
    """The test, and what the join is told to hold to besides."""
    return exp.and_(test, condition) if condition is not None else test


def _same(left: str, right: str, node: exp.Expr) -> exp.Anonymous:
    return exp.Anonymous(this="same", expressions=[reference(left, node), reference(right, node)])
