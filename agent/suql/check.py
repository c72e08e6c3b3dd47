"""Everything that can be said about a query without asking the database or a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from agent.catalogue.tables import Catalogue
from agent.protocols.errors import TypeMismatch
from agent.suql import calls
from agent.suql.kinds.comparisons import check_comparisons
from agent.suql.names import Names
from agent.suql.resolving import resolve
from agent.suql.similarity import check_ranking, is_ranking
from agent.suql.syntax import parse
from agent.suql.tree import position
from agent.suql.walking import every


@dataclass(slots=True)
class Checked:
    """A query that can be run: its explicit tree (see `agent.suql.names`), with the calls in it marked.

    `titles` are the names of entities, where whoever describes the query knows them.
    """

    sql: str
    names: Names
    calls: list[exp.Anonymous]
    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def tree(self) -> exp.Query:
        return self.names.tree


def check(sql: str, catalogue: Catalogue) -> Checked:
    """Parse and checks a query. Raises a `QueryError` that says what to write instead; costs nothing."""
    names = resolve(parse(sql), catalogue)
    check_comparisons(names)
    for call in every(names.tree, exp.Anonymous):
        if is_ranking(call):
            check_ranking(call)
            _check_selected(call)
    return Checked(sql, names, calls.mark(names))


def _check_selected(call: exp.Anonymous) -> None:
    """A score that DISTINCT rows are ordered by has to be one of their values, as in SQL."""
    order, select = call.find_ancestor(exp.Order), call.find_ancestor(exp.Select)
    if order is None or select is None or order.parent is not select or not select.args.get("distinct"):
        return
    if call.sql() not in {item.unalias().sql() for item in select.expressions}:
        raise TypeMismatch(
            "SELECT DISTINCT is ordered by what it selects: select the score too, or order by a selected column.",
            call.sql(dialect="postgres")[:200],
            position(call),
        )
