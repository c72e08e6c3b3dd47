"""One SELECT, sorted by what its answers are needed for.

An answer is asked for as late as possible: those in FROM first, then those that decide which rows there are, then,
for the rows that are left, those that order them, and last those that are only shown.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from agent.suql.calls import Ask, asked
from agent.suql.logic import Formula, formula
from agent.suql.names import Names, Scope
from agent.suql.passes.fold_joins import fold_joins
from agent.suql.tree import own_nodes
from agent.suql.walking import every, nodes

_SETS = (exp.Explode, exp.Unnest)


@dataclass(slots=True)
class Block:
    """A SELECT (`scope`) with its calls in the order they are needed.

    `where` is the condition taken apart, if an answer takes part in it; `joins` the same for outer joins, by their
    place; `inputs` the calls in FROM by place; `ordering`, `shown` the calls of rows; `grouped` those whose text is
    an aggregate. `children` are the correlated subqueries with answers, by the clause they stand in.
    """

    scope: Scope
    where: Formula | None = None
    joins: dict[int, Formula] = field(default_factory=dict)
    inputs: dict[int, list[exp.Expr]] = field(default_factory=dict)
    ordering: list[exp.Expr] = field(default_factory=list)
    shown: list[exp.Expr] = field(default_factory=list)
    grouped: list[exp.Expr] = field(default_factory=list)
    children: dict[str, list[int]] = field(default_factory=dict)
    partial: bool = False  # not every row was looked at: only certain rows count
    limit: int | None = None
    offset: int = 0
    widen: Callable[[], Awaitable[bool]] | None = None  # has more rows looked at, where only the nearest are as yet

    @property
    def select(self) -> exp.Select:
        return self.scope.select

    @property
    def ordered_by_answers(self) -> bool:
        """Is the order of the rows known only when each of them has been asked about, here or in a subquery?"""
        return bool(self.ordering or self.children.get("order"))

    @property
    def distinct(self) -> bool:
        """Are its rows the different ones of its FROM clause, so that LIMIT may stop once there are enough?"""
        known = bool(self.select.meta.get("distinct")) and not (self.ordering or self.shown or self.grouped)
        return known and not self.children.get("shown")

    @property
    def needs_answers(self) -> bool:
        return bool(
            self.where or self.joins or self.inputs or self.ordering or self.shown or self.grouped or self.children
        )


def blocks(names: Names) -> dict[int, Block]:
    """Return the blocks of a query by the number of their scope, inner ones first."""
    found: dict[int, Block] = {}
    needing: set[int] = set()
    for scope in names.scopes:
        block = _block(scope, needing)
        found[scope.number] = block
        if block.needs_answers:
            needing.add(scope.number)
    return found


def calls_in(node: exp.Expr) -> list[exp.Expr]:
    """Return the calls of this SELECT level in an expression, inner calls before those they are part of."""
    return [found for found in own_nodes(node) if found.meta.get("ask")][::-1]


def scopes_in(node: exp.Expr) -> Iterator[int]:
    """Yield the numbers of the SELECTs inside an expression, at any depth."""
    for select in every(node, exp.Select):
        if select is not node and "scope" in select.meta:
            yield select.meta["scope"]


def aggregates(node: exp.Expr) -> bool:
    """Does this SELECT level aggregate in the expression (window functions aside)?"""
    return any(
        isinstance(found, exp.AggFunc) and not isinstance(_around(found), exp.Window) for found in own_nodes(node)
    )


def _around(node: exp.Expr) -> exp.Expr | None:
    parent = node.parent
    while isinstance(parent, exp.Filter | exp.WithinGroup):
        parent = parent.parent
    return parent


def is_grouped(select: exp.Select) -> bool:
    """Are its rows groups of rows?"""
    clauses = [*select.expressions, *(select.args[name] for name in ("having", "order") if select.args.get(name))]
    return bool(select.args.get("group") or select.args.get("having")) or any(aggregates(clause) for clause in clauses)


def is_plain(select: exp.Select) -> bool:
    """Is each row of its result one row of its FROM clause, so that LIMIT may stop early?"""
    if select.args.get("distinct") or is_grouped(select):
        return False
    return not any(isinstance(node, (exp.Window, *_SETS)) for item in _outputs(select) for node in own_nodes(item))


def asks_of(node: exp.Expr) -> list[Ask]:
    """Return what is asked in an expression, subqueries included."""
    return list(dict.fromkeys(asked(found) for found in nodes(node) if found.meta.get("ask")))


def asks_within(node: exp.Expr) -> bool:
    """Is anything asked in the expression, subqueries included?"""
    return any(found.meta.get("ask") for found in nodes(node))


def _outputs(select: exp.Select) -> list[exp.Expr]:
    order = select.args.get("order")
    return [*select.expressions, *([order] if order else [])]


def _block(scope: Scope, needing: set[int]) -> Block:
    block = Block(scope)
    select = scope.select

    def free(node: exp.Expr) -> bool:
        return bool(calls_in(node)) or any(number in needing for number in scopes_in(node))

    fold_joins(select, free)
    where = select.args.get("where")
    if where is not None and free(where):
        block.where = formula(where.this, free)
    for place, join in enumerate(select.args.get("joins") or (), 1):
        if join.args.get("on") and free(join.args["on"]):
            block.joins[place] = formula(join.args["on"], free)
    for place, item in enumerate(_from_items(select)):
        found = [] if isinstance(item.this, exp.Subquery | exp.Lateral) else calls_in(item.this)
        if found:
            block.inputs[place] = found
    _sort_calls(select, block)
    _sort_children(select, block, needing)
    return block


def _from_items(select: exp.Select) -> list[exp.Expr]:
    start = select.args.get("from_")
    return [start, *(select.args.get("joins") or ())] if start else []


def _sort_calls(select: exp.Select, block: Block) -> None:
    order = select.args.get("order")
    for clause in ("expressions", "group", "having", "order", "distinct", "windows"):
        value = select.args.get(clause)
        for part in value if isinstance(value, list) else [value] if value else []:
            for call in calls_in(part):
                if aggregates(call):
                    block.grouped.append(call)
                elif part is order:
                    block.ordering.append(call)
                else:
                    block.shown.append(call)


def _sort_children(select: exp.Select, block: Block, needing: set[int]) -> None:
    """Which correlated subqueries wait for its rows: "from:1", "on:2", "where" or "shown"; of those, "order"."""
    joins = select.args.get("joins") or []
    clauses: list[tuple[str, exp.Expr]] = [
        (f"from:{place}", item.this) for place, item in enumerate(_from_items(select))
    ]
    clauses += [(f"on:{place}", join.args["on"]) for place, join in enumerate(joins, 1) if join.args.get("on")]
    if select.args.get("where"):
        clauses.append(("where", select.args["where"]))
    for name in ("expressions", "group", "having", "order", "distinct"):
        value = select.args.get(name)
        clauses += [("shown", part) for part in (value if isinstance(value, list) else [value] if value else [])]
    for name, clause in clauses:
        for number in scopes_in(clause):
            if number in needing:
                block.children.setdefault(name, []).append(number)
                if clause is select.args.get("order"):
                    block.children.setdefault("order", []).append(number)
