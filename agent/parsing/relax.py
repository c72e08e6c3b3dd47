"""What to ask less of when nothing was found.

Works on the query's tree, so that it serves queries by any backend. What the user would merely like goes first, then
what people give up most easily: opening hours, thresholds on numbers, what reviewers say, the price, a dish, and last
the place, which is widened to its city. Of two kinds of food one may go, a diet first; the last one, names, and
entities already chosen are never given up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlglot import exp

from agent.parsing.lexicon import load
from agent.suql.catalogue import Catalogue, Column, Kind
from agent.suql.describe import Constraint, conjuncts, describe, without
from agent.suql.syntax import parse

# How easily a condition is given up, by what it speaks of: the lowest first. What is not listed is kept.
_SOFT, _HOURS, _NUMBER, _OPINION, _SCALE, _DISH, _DIET, _SECOND_KIND, _PLACE = range(9)
_DIETS = frozenset(load("food")["diets"]["words"])
_KINDS = {
    Kind.OPENING_HOURS: _HOURS,
    Kind.TIME: _HOURS,
    Kind.NUMBER: _NUMBER,
    Kind.DATE: _NUMBER,
    Kind.ENUM: _SCALE,
    Kind.BOOLEAN: _SCALE,
    Kind.FREE_TEXT: _OPINION,
    Kind.LOCATION: _PLACE,
}


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A query that asks for less. `label` says what this step gives up, `dropped` everything given up so far."""

    label: str
    suql: str
    dropped: tuple[str, ...]


def relaxations(suql: str, catalogue: Catalogue, soft: Collection[str] = ()) -> list[Relaxation]:
    """Queries that ask for less and less, each without what the one before it gave up and one thing more.

    `soft` holds fragments of conditions the user did not insist on (a question, a value); they go first. Raises a
    `QueryError` where the query does not check.
    """
    steps: list[Relaxation] = []
    dropped: tuple[str, ...] = ()
    while (choice := _least(suql, catalogue, soft)) is not None:
        constraint, wider = choice
        suql = _widened(suql, wider) if wider else _nearest_first(without(suql, constraint.id, catalogue), suql)
        label = f"{constraint.label}: {wider} as a whole" if wider else constraint.label
        dropped = (*dropped, label)
        steps.append(Relaxation(label, suql, dropped))
    return steps


def _least(suql: str, catalogue: Catalogue, soft: Collection[str]) -> tuple[Constraint, str] | None:
    """The condition to give up next, with the wider place to put instead where it is one."""
    where = parse(suql).find(exp.Where)
    if where is None:
        return None
    ranked: list[tuple[int, int, Constraint, str]] = []
    conditions = list(conjuncts(where.this))
    kinds = sum(_is_kind(condition, catalogue) for condition in conditions)
    for index, (condition, constraint) in enumerate(
        zip(conditions, describe(suql, catalogue).constraints, strict=False)
    ):
        rank = _rank(condition, catalogue)
        if rank is None and kinds > 1 and _is_kind(condition, catalogue):
            rank = _DIET if _names_diet(condition) else _SECOND_KIND
        if rank is not None and any(part in condition.sql() for part in soft):
            rank = _SOFT
        wider = _city(condition) if rank == _PLACE else ""
        if rank is not None and (rank != _PLACE or wider):
            ranked.append((rank, -index, constraint, wider))  # of the same kind, what was said last goes first
    if not ranked or (len(conditions) == 1 and ranked[0][0] != _PLACE):
        return None
    _, _, constraint, wider = min(ranked, key=lambda item: item[:2])
    return constraint, wider


def _rank(condition: exp.Expr, catalogue: Catalogue) -> int | None:
    """How easily a condition is given up; None for what must stay."""
    ranks: list[int] = []
    for column in _columns(condition, catalogue):
        if column is None or column.kind in (Kind.TEXT, Kind.IMAGE) or (column.kind is Kind.ENUM and column.many):
            return None
        dish = column.kind is Kind.FREE_TEXT and column.many and "dishes" in column.synonyms
        ranks.append(_DISH if dish else _KINDS[column.kind])
    return max(ranks, default=None)


def _is_kind(condition: exp.Expr, catalogue: Catalogue) -> bool:
    """The condition names one of the kinds a row can be of several of (vegan, and ramen).

    A diet counts as one also where what reviewers say of it would do.
    """
    columns = list(_columns(condition, catalogue))
    kinds = [column for column in columns if column is not None and column.kind is Kind.ENUM and column.many]
    rest = [column for column in columns if column not in kinds]
    said = all(column is not None and column.kind is Kind.FREE_TEXT for column in rest)
    return len(kinds) == 1 and (not rest or (said and _names_diet(condition)))


def _names_diet(condition: exp.Expr) -> bool:
    """One of the kinds is a diet: a place may cater for it without being known for it."""
    return any(literal.name.lower() in _DIETS for literal in condition.find_all(exp.Literal))


def _columns(condition: exp.Expr, catalogue: Catalogue) -> Iterable[Column | None]:
    """The catalogue's columns that a condition reads; None for one that only identifies a row."""
    for node in condition.find_all(exp.Column):
        found = [column for table in catalogue if (column := table.column(node.name)) is not None]
        known = [column for column in found if not column.hidden]
        yield known[0] if known else None


def _city(condition: exp.Expr) -> str:
    """The city of a place written with its city: "Union Square, San Francisco"."""
    values = [node.this for node in condition.find_all(exp.Literal) if node.is_string and ", " in node.this]
    return values[0].rpartition(", ")[2] if len(values) == 1 else ""


def _nearest_first(wider: str, narrower: str) -> str:
    """The wider query; where it no longer asks something of texts, rows whose texts come nearest to that lead."""
    tree, before = parse(wider), parse(narrower)
    kept = {call.sql() for call in _answers(tree)}
    gone = [call for call in _answers(before) if call.sql() not in kept and isinstance(call.expressions[0], exp.Column)]
    if not gone or tree.args.get("order") or tree.args.get("distinct"):
        return wider
    near = exp.Anonymous(this="similar", expressions=[part.copy() for part in gone[-1].expressions[:2]])
    tree.set("order", exp.Order(expressions=[exp.Ordered(this=near, desc=True)]))
    return tree.sql(dialect="postgres", normalize_functions=False, comments=False)


def _answers(tree: exp.Expr) -> list[exp.Anonymous]:
    return [
        call for call in tree.find_all(exp.Anonymous) if call.name.lower() == "answer" and len(call.expressions) > 1
    ]


def _widened(suql: str, city: str) -> str:
    tree = parse(suql)
    for node in list(tree.find_all(exp.Literal)):
        if node.is_string and node.this.endswith(f", {city}") and isinstance(node.parent, exp.EQ):
            node.replace(exp.Literal.string(city))
    return tree.sql(dialect="postgres", normalize_functions=False, comments=False)
