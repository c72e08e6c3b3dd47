"""The conditions of a query one by one, each with an identity by which a person takes it away again."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from sqlglot import exp

from agent.catalogue.tables import Catalogue
from agent.protocols.errors import QueryError
from agent.suql.check import check
from agent.suql.syntax import parse
from agent.suql.tree import conjuncts, inner, write

BOTH = "+"  # between the identities of the conditions of one chip


@dataclass(frozen=True, slots=True)
class Constraint:
    """One condition of a query: `id` is what `without` takes, `label` what a person reads."""

    id: str
    label: str


def without(sql: str, constraint_id: str, catalogue: Catalogue) -> str:
    """Return the query without one of its constraints, or chips. Raises `QueryError` if it has no such constraint."""
    explicit = conditions(check(sql, catalogue).tree)
    tree = parse(sql)
    wanted = set(constraint_id.split(BOTH))
    found = [
        original
        for condition, original in zip(explicit, conditions(tree), strict=True)
        if identity(condition) in wanted
    ]
    if not found:
        raise QueryError("That constraint is not part of the query.", constraint_id)
    for original in found:
        _remove(original)
    return tree.sql(dialect="postgres", normalize_functions=False, comments=False)


def conditions(tree: exp.Query) -> list[exp.Expr]:
    """Return what must hold, condition by condition, in the main SELECT."""
    if not isinstance(tree, exp.Select):
        return []
    found: list[exp.Expr] = []
    for clause in ("where", "having"):
        if tree.args.get(clause):
            found.extend(conjuncts(tree.args[clause].this))
    return found


def identity(condition: exp.Expr) -> str:
    """Return what a condition is known by wherever the query is written again: a short hash of its SQL."""
    return hashlib.sha256(write(inner(condition)).encode()).hexdigest()[:10]


def _remove(condition: exp.Expr) -> None:
    parent = condition.parent
    while isinstance(parent, exp.Paren):
        condition, parent = parent, parent.parent
    if isinstance(parent, exp.And):
        parent.replace(parent.expression if parent.this is condition else parent.this)
    elif parent is not None:
        parent.pop()
