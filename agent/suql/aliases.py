"""Names of outputs in ORDER BY, GROUP BY and DISTINCT ON, and places in the SELECT list, as what they stand for."""

from __future__ import annotations

from sqlglot import exp

from agent.errors import TypeMismatch
from agent.suql.names import Scope
from agent.suql.tree import position
from agent.suql.walking import copied


def stand_in_for_aliases(node: exp.Select, scope: Scope) -> None:
    """ORDER BY takes an output's name first, GROUP BY an input column first, as PostgreSQL does."""
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
            if found is not None:
                written.replace(copied(found))


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
