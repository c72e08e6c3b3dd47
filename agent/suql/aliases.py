"""Names of outputs in ORDER BY, GROUP BY and DISTINCT ON, and places in the SELECT list, as what they stand for.

In WHERE and HAVING too, and within expressions, where nothing else is called so: PostgreSQL has no such names there,
but SQLite does, and who writes `HAVING n > 1` or `ORDER BY n + m` cannot mean anything else.
"""

from __future__ import annotations

from sqlglot import exp

from agent.protocols.errors import NotAllowed, TypeMismatch
from agent.suql.names import Scope
from agent.suql.tree import own_nodes, position
from agent.suql.walking import children, copied, nodes

MOST = 8_000  # parts of a SELECT that may be written out in place of names


class _Copies:
    """Copies of expressions; a long one that is named often would make a query of millions of parts."""

    def __init__(self) -> None:
        self._parts = 0

    def one(self, node: exp.Expr) -> exp.Expr:
        """Return the expression once more. Raises `NotAllowed` if there are too many."""
        self._parts += len(nodes(node))
        if self._parts > MOST:
            raise NotAllowed("A long expression is used too often: put it into a subquery and use its column.")
        return _typed(copied(node))


def stand_in_for_aliases(node: exp.Select, scope: Scope) -> None:
    """ORDER BY takes an output's name first, GROUP BY an input column first, as PostgreSQL does."""
    copies = _Copies()
    selected = {item.alias: item.this for item in node.expressions}
    inputs = {name for source in scope.sources.values() for name in source.outputs}
    distinct = node.args.get("distinct")
    on = distinct.args.get("on") if distinct else None
    clauses = [
        (node.args["order"].expressions if node.args.get("order") else [], True),
        (node.args["group"].expressions if node.args.get("group") else [], False),
        (on.expressions if isinstance(on, exp.Tuple) else [], True),
    ]
    for terms, output_first in clauses:
        for term in list(terms):
            written = term.this if isinstance(term, exp.Ordered) else term
            found = _meant(written, node, selected, inputs if not output_first else set())
            if found is None:
                continue
            if isinstance(term, exp.Ordered) and distinct and not on and _typed(found) is not found:
                term.pop()  # the order of rows that all have it; DISTINCT would take the cast for something else
            else:
                written.replace(copies.one(found))
    if node.args.get("order") and not node.args["order"].expressions:
        node.set("order", None)
    group = node.args.get("group")
    for term in _within_sets(group) if group else ():
        found = _meant(term, node, selected, inputs)
        if found is not None:
            term.replace(copies.one(found))
    for clause in (node.args.get(name) for name in ("where", "having", "group", "order")):
        for column in _unowned(clause, scope) if clause else ():
            found = _meant(column, node, selected, set())
            if found is not None:
                column.replace(exp.Paren(this=copies.one(found)))


def _typed(node: exp.Expr) -> exp.Expr:
    """A constant as a cast: by itself, it would be a place in the SELECT list again, or refused."""
    if isinstance(node, exp.Boolean):
        return exp.cast(node, "BOOLEAN")
    if isinstance(node, exp.Null) or (isinstance(node, exp.Literal) and node.is_string):
        return exp.cast(node, "TEXT")
    return exp.cast(node, "BIGINT" if node.is_int else "DECIMAL") if isinstance(node, exp.Literal) else node


def _within_sets(group: exp.Expr) -> list[exp.Expr]:
    """The terms inside ROLLUP, CUBE and GROUPING SETS."""
    sets = (exp.Rollup, exp.Cube, exp.GroupingSets)
    found: list[exp.Expr] = [one for one in own_nodes(group) if isinstance(one, sets)]
    for one in found:
        found += [part for part in children(one) if isinstance(one, (*sets, exp.Tuple, exp.Paren))]
    return [one for one in found if isinstance(one, exp.Column | exp.Literal)]


def _unowned(clause: exp.Expr, scope: Scope) -> list[exp.Column]:
    """The columns that no source is known to offer, here or around."""
    levels = [scope]
    while levels[-1].parent is not None:
        levels.append(levels[-1].parent)
    known = {name.lower() for level in levels for one in level.sources.values() for name in one.outputs}
    columns = [one for one in own_nodes(clause) if isinstance(one, exp.Column) and not one.table]
    return [one for one in columns if one.name.lower() not in known]


def _meant(term: exp.Expr, node: exp.Select, selected: dict[str, exp.Expr], inputs: set[str]) -> exp.Expr | None:
    if isinstance(term, exp.Literal) and term.is_int:
        place = int(term.name)
        if not 1 <= place <= len(node.expressions):
            raise TypeMismatch(f"There is no column {place} in the SELECT list.", position=position(term))
        aliased: exp.Expr = node.expressions[place - 1].this
        return aliased
    if isinstance(term, exp.Column) and not term.table:
        name = term.name if term.this.quoted else term.name.lower()
        return selected.get(name) if name not in inputs else None
    return None
