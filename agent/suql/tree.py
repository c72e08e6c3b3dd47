"""Small things every pass needs to say about a tree: write it, find a place in it, name a thing in it."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from sqlglot import exp

from agent.suql.walking import children
from agent.suql.writing import Writer

# It tells, each time, that PostgreSQL's arrays begin at 1, and which statements it does not know; those are refused.
logging.getLogger("sqlglot").setLevel(logging.ERROR)


def write(tree: exp.Expr) -> str:
    """Return the tree as PostgreSQL text, with every identifier quoted."""
    return Writer().write(tree)


def position(node: exp.Expr) -> int | None:
    """Return where a node begins in the query, in characters, if its tokens say so."""
    starts = (part.meta.get("start") for part in node.walk())
    return min((start for start in starts if start is not None), default=None)


def raw(sql: str) -> exp.Expr:
    """A piece of SQL of the engine's own making, to be placed in a tree as it is. Never for words from a query."""
    return exp.Var(this=sql)


def quoted(name: str) -> str:
    """Return an identifier as SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return a string as a SQL literal (`standard_conforming_strings` is on)."""
    return "'" + text.replace("'", "''") + "'"


def inner(node: exp.Expr) -> exp.Expr:
    """Return the node without the parentheses around it."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def own_nodes(node: exp.Expr) -> list[exp.Expr]:
    """Return the node and everything below it, level by level, without going into subqueries."""
    found = [node]
    for part in found:
        if not isinstance(part, exp.Query) or (part is node and not isinstance(node, exp.Subquery)):
            found.extend(children(part))
    return found


def conjuncts(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the conditions that AND joins, without the parentheses around them."""
    plain = inner(node)
    if isinstance(plain, exp.And):
        yield from conjuncts(plain.this)
        yield from conjuncts(plain.expression)
    else:
        yield plain
