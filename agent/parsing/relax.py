"""What to ask less of when nothing was found.

Works on the query's tree, so that it serves queries by any backend. What the user would merely like goes first, then
what people give up most easily: how a place is said to be (cosy, quiet), opening hours, thresholds on numbers, the
price; then a place is widened to its city; last goes what there has to be (a patio, live jazz), and a dish. Of two
kinds of food one may go, a diet first, and of two topics one; the last one and names are never given up, nor is a dish
beside which only a place, a time or a price was asked for. Nothing is given up of a question about entities already
chosen ("which of these has parking?"): what it asks is all it is about.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, islice
from types import MappingProxyType

from sqlglot import exp

from agent.catalogue.tables import Catalogue, Column, Kind
from agent.parsing.lexicon import load
from agent.suql.constraints import Constraint, without
from agent.suql.describe import describe
from agent.suql.spans import bound, met
from agent.suql.syntax import parse
from agent.suql.tree import conjuncts, inner
from agent.text.english import listed

# How easily a condition is given up, by what it speaks of: the lowest first. What is not listed is kept.
_SOFT, _MANNER, _HOURS, _NUMBER, _SCALE, _PLACE, _OPINION, _DISH, _DIET, _SECOND_KIND = range(10)
_SERVES = re.compile(r"does this \S+ serve\b", re.IGNORECASE)
_HOW = re.compile(r"(?:is|are) (?:this|the) \S+(?: (?:at|of|in) this \S+)? (?!good for\b|a\b|an\b)\S+\?", re.IGNORECASE)
TRIED = 4  # conditions that are given up one by one, and then by twos
MOST = 2  # conditions given up before it is said that nothing was found
_OPPOSITE = {"Yes": "No", "No": "Yes"}
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

NOWHERE: Mapping[str, str] = MappingProxyType({})

Told = list[tuple[exp.Expr, Constraint]]


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A query that asks for less. `label` says what this step gives up, `dropped` everything given up so far;
    `conditions` are those of this step, as SQL."""

    label: str
    suql: str
    dropped: tuple[str, ...]
    conditions: tuple[str, ...] = ()


def least_relaxed(
    suql: str,
    catalogue: Catalogue,
    soft: Collection[str] = (),
    firm: Collection[str] = (),
    unsure: Collection[str] = (),
    cities: Mapping[str, str] = NOWHERE,
) -> Iterator[Relaxation]:
    """What to try, in order: without what is least important, then without another thing alone, since that may be all
    that is in the way, then without two. Each is written when it is asked for.

    Parameters and errors as of `relaxations`.
    """
    alone: list[Relaxation] = []
    kept = tuple(firm)
    while len(alone) < TRIED and (step := next(relaxations(suql, catalogue, soft, kept, unsure, cities), None)):
        yield step
        alone.append(step)
        kept = (*kept, *step.conditions)
    for one, other in combinations(alone, 2):
        rest = [condition for step in alone if step not in (one, other) for condition in step.conditions]
        yield from islice(relaxations(suql, catalogue, soft, (*firm, *rest), unsure, cities), 1, MOST)


def relaxations(
    suql: str,
    catalogue: Catalogue,
    soft: Collection[str] = (),
    firm: Collection[str] = (),
    unsure: Collection[str] = (),
    cities: Mapping[str, str] = NOWHERE,
) -> Iterator[Relaxation]:
    """Queries that ask for less and less, each without what the one before it gave up and one thing more.

    `soft` holds fragments of conditions the user did not insist on (a question, a value); they go first. Conditions
    with one of the fragments `firm` are what the message is about ("cheaper"), and stay. Those with one of the
    fragments `unsure` may not have been wished for at all: they go first, in one step. `cities` are those of places
    that are written without: the place is widened to its city. Raises a `QueryError` where the query does not check.
    """
    if _about_known(suql, catalogue):
        return
    dropped: tuple[str, ...] = ()
    while (choice := _least(told := _told(suql, catalogue), catalogue, (*soft, *unsure), firm, cities)) is not None:
        constraint, wider = choice
        doubtful = _unsure(told, unsure, firm)
        wider = "" if doubtful else wider
        given_up = doubtful or _with_its_bounds(constraint, told)
        labels = met([condition for condition, _ in given_up]) or listed([one.label for _, one in given_up])
        label = f"{constraint.label} (anywhere in {wider} instead)" if wider else labels
        if wider:
            suql = _widened(suql, wider, cities)
        for _, one in given_up if not wider else ():
            wish, suql = suql, _nearest_first(without(suql, one.id, catalogue), suql)
            suql = suql if doubtful else _undenied(suql, wish, catalogue)
        dropped = (*dropped, label)
        yield Relaxation(label, suql, dropped, tuple(condition.sql() for condition, _ in given_up))


def _told(suql: str, catalogue: Catalogue) -> Told:
    """The conditions of a query, each with what it is described as."""
    return list(zip(_conditions(parse(suql)), describe(suql, catalogue).constraints, strict=False))


def _least(
    told: Told, catalogue: Catalogue, soft: Collection[str], firm: Collection[str], cities: Mapping[str, str]
) -> tuple[Constraint, str] | None:
    """The condition to give up next, with the wider place to put instead where it is one."""
    ranked: list[tuple[int, int, Constraint, str]] = []
    kinds = sum(_is_kind(condition, catalogue) for condition, _ in told)
    topics = sum(_is_topic(condition, catalogue) for condition, _ in told)
    for index, (condition, constraint) in enumerate(told):
        rank = _rank(condition, catalogue)
        if rank is None and kinds > 1 and _is_kind(condition, catalogue):
            rank = _DIET if _names_diet(condition) else _SECOND_KIND
        if rank is None and topics > 1 and _is_topic(condition, catalogue):
            rank = _SECOND_KIND
        if rank is not None and any(part in condition.sql() for part in soft):
            rank = _SOFT
        if any(part in condition.sql() for part in firm):
            rank = None
        wider = _city(condition, cities) if rank == _PLACE else ""
        only = rank == _DISH and not any(_says_what(one, catalogue) for one, _ in told if one is not condition)
        if rank is not None and (rank != _PLACE or wider) and not only:
            ranked.append((rank, -index, constraint, wider))  # of the same kind, what was said last goes first
    if not ranked or (len(told) == 1 and ranked[0][0] != _PLACE):
        return None
    _, _, constraint, wider = min(ranked, key=lambda item: item[:2])
    return constraint, wider


def _with_its_bounds(constraint: Constraint, told: Told) -> Told:
    """The condition, with the other bound where it bounds a range: "3 to 4 units" is given up as a whole."""
    bounds = [bound(condition) for condition, _ in told]
    mine = next((one for one, (_, said) in zip(bounds, told, strict=True) if said == constraint), None)
    return [
        both
        for one, both in zip(bounds, told, strict=True)
        if both[1] == constraint or (mine and one and one[0] == mine[0])
    ]


def _unsure(told: Told, unsure: Collection[str], firm: Collection[str]) -> Told:
    """The conditions that may not have been wished for; none where there are no others."""
    found = [(condition, said) for condition, said in told if any(part in condition.sql() for part in unsure)]
    kept = any(part in condition.sql() for condition, _ in found for part in firm)
    return found if len(found) < len(told) and not kept else []


def _about_known(suql: str, catalogue: Catalogue) -> bool:
    """Whether a query is about entities already chosen, named by the column that identifies them."""
    entities = {table.entity or next(iter(table.key), "") for table in catalogue}
    return any(
        isinstance(condition, exp.In | exp.EQ)
        and isinstance(condition.this, exp.Column)
        and condition.this.name in entities
        for condition in _conditions(parse(suql))
    )


def _rank(condition: exp.Expr, catalogue: Catalogue) -> int | None:
    """How easily a condition is given up; None for what must stay: what a row is to be, and what it may not be."""
    if _excludes(condition):
        return None
    if _wants_none(condition):
        return _NUMBER
    ranks: list[int] = []
    for column in _columns(condition, catalogue):
        if column is None or column.kind in (Kind.TEXT, Kind.IMAGE) or (column.kind is Kind.ENUM and column.many):
            return None
        rank = _DISH if _is_dishes(column) or _asks_what_is_served(condition) else _KINDS[column.kind]
        ranks.append(_MANNER if rank == _OPINION and _says_how(condition) else rank)
    return max(ranks, default=None)


def _says_what(condition: exp.Expr, catalogue: Catalogue) -> bool:
    """Whether a condition says what is looked for, rather than where, when or at what price."""
    return _rank(condition, catalogue) in (None, _MANNER, _OPINION, _DISH) and not _excludes(condition)


def _asks_what_is_served(condition: exp.Expr) -> bool:
    """Whether all that is asked of texts is what there is to eat."""
    asked = [call.expressions[1] for call in _answers(condition)]
    return bool(asked) and all(isinstance(one, exp.Literal) and _SERVES.match(one.this) for one in asked)


def _excludes(condition: exp.Expr) -> bool:
    """Whether a value is ruled out: `price <> 'luxury'`, `NOT 'tacos' = ANY(cuisines)`."""
    return isinstance(inner(condition), exp.NEQ | exp.NullSafeNEQ | exp.Not)


def _wants_none(condition: exp.Expr) -> bool:
    """Whether a list is to be empty, or a value absent: "no prerequisites"."""
    counted = isinstance(condition, exp.EQ) and isinstance(condition.this, exp.Anonymous)
    if counted and condition.this.name.lower() == "cardinality":
        return bool(condition.expression.is_number and condition.expression.name == "0")
    return isinstance(condition, exp.Is) and isinstance(condition.expression, exp.Null)


def _says_how(condition: exp.Expr) -> bool:
    """Whether what is asked of a text is only how something is: "is this restaurant cosy?"."""
    asked = [call.expressions[1] for call in _answers(condition)]
    return bool(asked) and all(isinstance(one, exp.Literal) and _HOW.fullmatch(one.this) for one in asked)


def _is_kind(condition: exp.Expr, catalogue: Catalogue) -> bool:
    """The condition names one of the kinds a row can be of several of (vegan, and ramen).

    A diet counts as one also where what reviewers say of it would do.
    """
    columns = list(_columns(condition, catalogue))
    kinds = [column for column in columns if column is not None and column.kind is Kind.ENUM and column.many]
    rest = [column for column in columns if column not in kinds]
    said = all(column is not None and column.kind is Kind.FREE_TEXT for column in rest)
    return len(kinds) == 1 and (not rest or (said and _names_diet(condition)))


def _is_topic(condition: exp.Expr, catalogue: Catalogue) -> bool:
    """The condition says what a row is about: in its title, or in what describes it."""
    parts = [inner(part) for part in condition.flatten()] if isinstance(condition, exp.Or) else []
    titles = {table.title for table in catalogue}
    named = any(isinstance(part, exp.ILike) and part.this.name in titles for part in parts)
    return named and bool(_answers(condition))


def _names_diet(condition: exp.Expr) -> bool:
    """One of the kinds is a diet: a place may cater for it without being known for it."""
    return any(literal.name.lower() in _DIETS for literal in condition.find_all(exp.Literal))


def _columns(condition: exp.Expr, catalogue: Catalogue) -> Iterable[Column | None]:
    """The catalogue's columns that a condition reads; None for one that only identifies a row."""
    for node in condition.find_all(exp.Column):
        found = [column for table in catalogue if (column := table.column(node.name)) is not None]
        known = [column for column in found if not column.hidden]
        yield known[0] if known else None


def _is_dishes(column: Column | None) -> bool:
    """Whether a column lists what there is to eat."""
    return column is not None and column.kind is Kind.FREE_TEXT and column.many and "dishes" in column.synonyms


def _city(condition: exp.Expr, cities: Mapping[str, str]) -> str:
    """The city of a place, known or written with it: "Union Square, San Francisco"."""
    values = [node.this for node in condition.find_all(exp.Literal) if node.is_string]
    if len(values) != 1:
        return ""
    _, written, city = values[0].rpartition(", ")
    return cities.get(values[0], city if written else "")


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


def _undenied(wider: str, narrower: str, catalogue: Catalogue) -> str:
    """The wider query, without the rows whose texts say the opposite of what was given up.

    A list of dishes denies nothing: it names what is popular, not all there is.
    """
    tree, kept = parse(wider), {condition.sql() for condition in _conditions(parse(wider))}
    for condition in _conditions(parse(narrower)):
        if condition.sql() in kept:
            continue
        for said in [inner(part) for part in condition.flatten()] if isinstance(condition, exp.Or) else [condition]:
            call, value = said.this, said.expression
            opposite = (
                _OPPOSITE.get(value.name) if isinstance(said, exp.EQ) and isinstance(value, exp.Literal) else None
            )
            if opposite and call in _answers(said) and not any(map(_is_dishes, _columns(call, catalogue))):
                tree = tree.where(exp.NullSafeNEQ(this=call.copy(), expression=exp.Literal.string(opposite)))
    return tree.sql(dialect="postgres", normalize_functions=False, comments=False)


def _conditions(tree: exp.Query) -> list[exp.Expr]:
    """What has to hold of the rows, condition by condition."""
    where = tree.args.get("where")
    return list(conjuncts(where.this)) if where is not None else []


def _answers(tree: exp.Expr) -> list[exp.Anonymous]:
    return [
        call for call in tree.find_all(exp.Anonymous) if call.name.lower() == "answer" and len(call.expressions) > 1
    ]


def _widened(suql: str, city: str, cities: Mapping[str, str]) -> str:
    tree = parse(suql)
    for node in list(tree.find_all(exp.Literal)):
        inside = node.is_string and (cities.get(node.this) == city or node.this.endswith(f", {city}"))
        if inside and isinstance(node.parent, exp.EQ):
            node.replace(exp.Literal.string(city))
    return tree.sql(dialect="postgres", normalize_functions=False, comments=False)
