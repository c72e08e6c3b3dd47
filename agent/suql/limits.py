"""LIMIT and OFFSET as numbers; they may be written as expressions, which PostgreSQL computes."""

from __future__ import annotations

from sqlglot import exp

from agent.protocols.errors import NotAllowed
from agent.suql.database import Database
from agent.suql.names import Names
from agent.suql.scopes import Block
from agent.suql.statements import plain_value

DIGITS = 18  # of a number that is surely a bigint


async def read_limits(database: Database, names: Names, found: dict[int, Block]) -> None:
    """Set the numbers of LIMIT and OFFSET in each block. Raises `NotAllowed` for one that is negative."""
    for block in found.values():
        for name in ("limit", "offset"):
            clause = block.select.args.get(name)
            value = (clause.args.get("expression") or clause.args.get("count")) if clause is not None else None
            if isinstance(clause, exp.Fetch) and value is None:
                value = exp.Literal.number(1)
            if value is None or isinstance(value, exp.Null) or value.name.upper() == "ALL":
                continue
            number = await _number(database, names, value, name.upper())
            if number is None:
                continue
            if number < 0:
                raise NotAllowed(f"{name.upper()} takes a number that is not negative; this is {number}.")
            if name == "limit":
                block.limit = number
                block.select.set("limit", exp.Limit(expression=exp.Literal.number(number)))
            else:
                block.offset = number or 0


async def _number(database: Database, names: Names, value: exp.Expr, what: str) -> int | None:
    """What LIMIT or OFFSET is given, computed by PostgreSQL unless it is written out."""
    if isinstance(value, exp.Literal) and value.is_int and len(value.name) <= DIGITS:
        return int(value.name)
    ((number,),) = await database.rows(f"SELECT ({plain_value(names, value, what)})::bigint")
    return None if number is None else int(number)
