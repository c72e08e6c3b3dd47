"""A set that is only compared with rows we know needs no more than what those rows can match.

SELECT id FROM venues WHERE city = 'Aldo' AND id IN (SELECT venue_id FROM events WHERE answer(blurb, 'x') = 'Yes')
… IN (SELECT venue_id FROM events WHERE answer(…) = 'Yes' AND venue_id IN (SELECT id FROM venues WHERE city = 'Aldo'))

SELECT id FROM venues WHERE city = 'Aldo' EXCEPT SELECT venue_id FROM events WHERE answer(blurb, 'x') = 'Yes'
the same: only ids of Aldo's venues are looked for among the events
"""

from __future__ import annotations

from sqlglot import exp

from agent.suql.names import Names, Scope
from agent.suql.scopes import asks_within, is_plain
from agent.suql.tree import conjuncts, inner
from agent.suql.walking import copied, every


def narrow(names: Names) -> None:
    """Add conditions to the SELECTs that ask, in IN (SELECT …), EXCEPT and INTERSECT."""
    for scope in names.scopes:
        where = scope.select.args.get("where")
        if where is not None and not scope.outer and _inner_joins(scope.select):
            for condition in list(conjuncts(where.this)):
                _membership(names, scope, condition)
    for operation in every(names.tree, exp.SetOperation):
        _set_operation(names, operation)


def _membership(names: Names, scope: Scope, condition: exp.Expr) -> None:
    """`x IN (SELECT y …)`: only rows whose y is some x. Of NOT IN only where x cannot be NULL, a key."""
    negated = isinstance(condition, exp.Not)
    found = inner(condition.this) if negated else condition
    subquery = found.args.get("query") if isinstance(found, exp.In) else None
    select = subquery.this if isinstance(subquery, exp.Subquery) else subquery
    if not isinstance(select, exp.Select) or not _may_be_narrowed(names, select) or len(select.expressions) != 1:
        return
    value = inner(found.this)
    if negated and not _is_key(names, value):
        return
    if not isinstance(value, exp.Column) or value.table not in {source.alias for source in scope.sources.values()}:
        return
    kept = [
        part
        for part in conjuncts(scope.select.args["where"].this)
        if not asks_within(part) and not part.find(exp.Query)
    ]
    if (
        not kept
        or asks_within(scope.select.args["from_"])
        or any(map(asks_within, scope.select.args.get("joins") or ()))
    ):
        return
    rows = exp.Select(
        expressions=[copied(value)],
        from_=copied(scope.select.args["from_"]),
        joins=[copied(join) for join in scope.select.args.get("joins") or ()],
        where=exp.Where(this=exp.and_(*(exp.paren(part) for part in kept))),
    )
    _add(select, [select.expressions[0].unalias()], rows)


def _set_operation(names: Names, operation: exp.SetOperation) -> None:
    """Of EXCEPT and INTERSECT, one side is looked at only as far as the other has the same rows."""
    if isinstance(operation, exp.Union) or not operation.args.get("distinct"):
        return
    pairs = [(operation.this, operation.expression)]
    if isinstance(operation, exp.Intersect):
        pairs.append((operation.expression, operation.this))
    for known, asking in pairs:
        plain = isinstance(known, exp.Select) and not asks_within(known) and not known.args.get("with_")
        if plain and isinstance(asking, exp.Select) and _may_be_narrowed(names, asking):
            _add(asking, [item.unalias() for item in asking.expressions], copied(known))


def _may_be_narrowed(names: Names, select: exp.Select) -> bool:
    """A plain SELECT of its own that asks, and gives structured values."""
    scope = next((scope for scope in names.scopes if scope.select is select), None)
    own = scope is not None and not scope.outer and is_plain(select) and select.args.get("from_")
    cut = any(select.args.get(name) for name in ("limit", "offset", "with_"))
    return bool(own) and not cut and asks_within(select) and not any(map(asks_within, select.expressions))


def _add(select: exp.Select, outputs: list[exp.Expr], rows: exp.Select) -> None:
    """Keeps rows with a NULL, which no list tells anything about. The copied SELECT is nobody's scope."""
    for select_in_rows in every(rows, exp.Select):
        select_in_rows.meta.pop("scope", None)
    tests: list[exp.Expr] = [exp.Is(this=copied(output), expression=exp.Null()) for output in outputs]
    tuple_of: exp.Expr = exp.Tuple(expressions=[copied(output) for output in outputs])
    listed = exp.In(this=tuple_of if len(outputs) > 1 else copied(outputs[0]), query=exp.Subquery(this=rows))
    condition: exp.Expr = exp.paren(exp.or_(listed, *tests))
    where = select.args.get("where")
    if where is not None:
        condition = exp.And(this=condition, expression=exp.paren(where.this, copy=False))
    select.set("where", exp.Where(this=condition))


def _inner_joins(select: exp.Select) -> bool:
    return all(not join.side for join in select.args.get("joins") or ())


def _is_key(names: Names, value: exp.Expr) -> bool:
    source = names.sources.get(value.table) if isinstance(value, exp.Column) else None
    return source is not None and source.table is not None and value.name in source.table.key
