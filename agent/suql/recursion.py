"""WITH RECURSIVE: a CTE that reads itself. PostgreSQL runs it as it is, so no answers can be asked for inside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from agent.protocols.errors import NotAllowed, TypeMismatch
from agent.suql.allowed import READING
from agent.suql.names import Output, Scope
from agent.suql.naming import renamed
from agent.suql.tree import position
from agent.suql.walking import every

if TYPE_CHECKING:
    from agent.suql.resolving import Resolver


def reads_itself(cte: exp.Expr) -> bool:
    """Does the CTE name itself in a FROM clause?"""
    return any(not table.db and table.name.lower() == cte.alias.lower() for table in every(cte.this, exp.Table))


def resolve_recursive(
    resolver: Resolver, cte: exp.Expr, written: str, parent: Scope | None, ctes: Mapping[str, Any]
) -> list[Output]:
    """Return what a CTE that reads itself gives. Raises `NotAllowed` if it is not a first step UNION a next one."""
    union = cte.this
    if not isinstance(union, exp.Union) or any(union.args.get(name) for name in ("order", "limit", "offset", "with_")):
        raise NotAllowed(
            f"WITH RECURSIVE {cte.alias} is a first SELECT, then UNION or UNION ALL, then one that reads {cte.alias}.",
            position=position(cte),
        )
    for call in every(union, exp.Anonymous):
        if str(call.this).lower() in READING:
            raise NotAllowed(
                f"{str(call.this).lower()}() cannot be asked inside a WITH RECURSIVE that reads itself: ask it of the "
                f"rows of {cte.alias}, in the SELECT after it.",
                position=position(call),
            )
    first = resolver.query(union.this, parent, ctes, "cte")
    outputs = renamed([Output(output.name) for output in first], cte.args["alias"])
    following = resolver.query(union.expression, parent, resolver.seen(ctes, cte.alias, written, outputs), "cte")
    if len(first) != len(following):
        raise TypeMismatch(
            f"Both sides of a UNION must have the same number of columns: {len(first)} and {len(following)} here.",
            position=position(union),
        )
    return outputs
