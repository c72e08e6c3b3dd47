"""Under LIMIT, rows are put in order before their texts are looked at, and looking stops with the last row wanted.

SELECT id FROM venues WHERE stars > 2 AND answer(about, 'q') = 'Yes' ORDER BY stars DESC, id LIMIT 3
SELECT id FROM (SELECT venues.* FROM venues WHERE stars > 2 ORDER BY stars DESC, id) AS venues
    WHERE stars > 2 AND answer(about, 'q') = 'Yes' ORDER BY stars DESC, id LIMIT 3

PostgreSQL would compute the hash of every text before it sorts. It knows that the rows come in order already.
"""

from __future__ import annotations

from sqlglot import exp

from agent.suql.names import Names
from agent.suql.passes.settled_first import SETTLED
from agent.suql.scopes import asks_within, is_plain
from agent.suql.tree import conjuncts, inner
from agent.suql.walking import copied


def look_in_order(names: Names, select: exp.Select) -> None:
    """For a plain SELECT from one table with LIMIT, ordered by columns, whose condition asks."""
    start, where, order = (select.args.get(name) for name in ("from_", "where", "order"))
    if start is None or where is None or order is None or select.args.get("joins") or not is_plain(select):
        return
    table = start.this
    source = names.sources.get(table.alias)
    if source is None or source.table is None or not isinstance(table, exp.Table) or not asks_within(where):
        return
    if not all(isinstance(inner(term.this), exp.Column) or _is_plain_test(term) for term in order.expressions):
        return
    alias = table.args["alias"].this
    kept = [part for part in conjuncts(where.this) if not asks_within(part) and not part.find(exp.Query)]
    inside = exp.Select(
        expressions=[exp.Column(this=exp.Star(), table=copied(alias))],
        from_=exp.From(this=copied(table)),
        order=copied(order),
    )
    if kept:
        inside.set("where", exp.Where(this=exp.and_(*(exp.paren(part) for part in kept))))
    ordered = exp.Subquery(this=inside, alias=exp.TableAlias(this=copied(alias)))
    ordered.meta["table"] = table.name
    start.set("this", ordered)


def _is_plain_test(term: exp.Expr) -> bool:
    """Is it the test for rows that need no answer (see `settled_first`), and of the table's columns alone?"""
    return bool(term.meta.get(SETTLED)) and not term.find(exp.Query, exp.Anonymous)
