"""`options => (SELECT …)`: the values to choose from are looked up before anything is asked."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from agent.protocols.errors import NotAllowed, TypeMismatch
from agent.suql.calls import asked
from agent.suql.database import Database
from agent.suql.names import Names
from agent.suql.statements import plain_sql
from agent.suql.tree import inner, position
from agent.suql.walking import nodes

MOST = 200  # values to choose from


async def fill_options(names: Names, database: Database) -> None:
    """Put the values of `options` queries into what the calls ask. Raises `TypeMismatch` if there are none."""
    known: dict[str, tuple[str, ...]] = {}
    for call in [node for node in nodes(names.tree) if node.meta.get("ask") and asked(node).choice]:
        (keyword,) = [one for one in call.expressions if isinstance(one, exp.Kwarg) and one.name.lower() == "options"]
        query = inner(keyword.expression)
        sql = plain_sql(names, query, "options")
        if sql not in known:
            known[sql] = await _values(database, sql, query)
        call.meta["ask"] = replace(asked(call), options=known[sql], choice="")
        keyword.set("expression", exp.Array(expressions=[exp.Literal.string(value) for value in known[sql]]))


async def _values(database: Database, sql: str, query: exp.Expr) -> tuple[str, ...]:
    rows = await database.rows(
        f"SELECT DISTINCT _o.value::text FROM ({sql}) AS _o(value) WHERE _o.value IS NOT NULL "
        f"ORDER BY 1 LIMIT {MOST + 1}"
    )
    values = tuple(row[0] for row in rows if row[0].strip())
    if not values:
        raise TypeMismatch("The query in options gives no values to choose from.", sql[:200], position(query))
    if len(values) > MOST:
        raise NotAllowed(
            f"The query in options gives more than {MOST} values to choose from.", sql[:200], position(query)
        )
    return values
