"""What the names in a query stand for: its sources, its SELECTs and its columns.

After `agent.suql.resolving.resolve` the tree is explicit: every source has an alias that is unique in the whole
query, every column is qualified with it, stars are spelled out (without hidden columns), aliases in ORDER BY and
GROUP BY stand as the expressions they name, and every selected expression has a name. Later passes can therefore move
a condition out of its SELECT without anything changing its meaning.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from agent.catalogue.tables import Column, Table
from agent.suql.tree import inner


@dataclass(frozen=True, slots=True)
class Output:
    """A column that a source offers: its name and, where it comes straight from a table, the column there."""

    name: str
    table: Table | None = None
    column: Column | None = None
    element: bool = False  # one element of an array column: unnest(reviews) AS r


@dataclass(slots=True)
class Source:
    """Something in a FROM clause, under its unique alias."""

    alias: str
    outputs: dict[str, Output]
    table: Table | None = None
    function: bool = False
    carries: Table | None = None  # the table whose entities its rows are, for a subquery or CTE
    renamed: dict[str, str] = field(default_factory=dict)  # what columns are called there, if not by their names

    def written(self, name: str) -> str:
        """Return what a column is called where it is."""
        return self.renamed.get(name, name)


@dataclass(slots=True)
class Scope:
    """One SELECT of a query. `number` is in the tree as `select.meta["scope"]`, so that copies can be recognised.

    `role` says where it stands: "main", "branch" (of a set operation), "cte", "from" (a derived table), "lateral" or
    "expression". `outer` names the sources of enclosing SELECTs it refers to.
    """

    number: int
    select: exp.Select
    parent: Scope | None
    role: str
    sources: dict[str, Source] = field(default_factory=dict)
    merged: dict[str, tuple[Source, ...]] = field(default_factory=dict)  # columns joined with USING or NATURAL, and of
    # which sources their value is: the first of these that has one
    front: list[str] = field(default_factory=list)  # those that * begins with
    outer: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Names:
    """The outcome: the explicit tree, its SELECTs (inner ones first), its sources by alias, its result's columns."""

    tree: exp.Query
    scopes: list[Scope]
    sources: dict[str, Source]
    outputs: list[Output]

    def origin(self, node: exp.Expr) -> Output | None:
        """Return the table column behind a column reference, if it is one."""
        node = inner(node)
        if not isinstance(node, exp.Column) or not node.table:
            return None
        source = self.sources.get(node.table)
        return source.outputs.get(node.name) if source else None

    def scope(self, number: int) -> Scope:
        """Return the scope of that number."""
        return next(scope for scope in self.scopes if scope.number == number)
