"""What a move keeps of the query before, and what it says anew.

The linker says the roles of the whole new query. A part that a move does not change is taken from the query before,
where it is known; docs/decisions/linking.md has how often each part stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.catalogue.tables import Kind
from agent.understanding.comparing import compared, compares
from agent.understanding.context import Earlier
from agent.understanding.defaults import are_days
from agent.understanding.grouping import is_grouped, with_groups, with_new_groups
from agent.understanding.measures import measured
from agent.understanding.moves import ADDS, NARROWS, NEXT, changes, names, names_column, stems
from agent.understanding.others import beside_known, following, further, left_out
from agent.understanding.prose import Wish
from agent.understanding.roles import AS, LIMIT, ROWS, Literal, Roles
from agent.understanding.schema import Schema
from agent.understanding.values import number_in

SEARCHING = frozenset({"refine", "replace", "drop"})  # moves that change which rows are searched
SHOWN_AS_BEFORE = SEARCHING | {"sort"}  # moves that show the same columns, in the same groups
ORDERED = SEARCHING | {"show", "row"}  # moves in which an order, and how many rows, stay
NESTED = SHOWN_AS_BEFORE | {"show", "aggregate", "group"}  # moves in which what is nested stays
_STAYS = re.compile(r"\b(?:all of|all the|only|just|still|keep|but|as long as)\b", re.IGNORECASE)
_AND_WITH = re.compile(r"\W*(?:and|but) with\b(?!.*\binstead\b)", re.IGNORECASE)
_ALSO = re.compile(rf"\A(?!.*\binstead\b).*{ADDS.pattern}", re.IGNORECASE | re.DOTALL)
SCALES = frozenset({Kind.NUMBER, Kind.DATE, Kind.TIME})  # kinds whose values have an order
_UP, _DOWN = frozenset({">", ">="}), frozenset({"<", "<="})


def going_on(roles: Roles, message: str, past: Sequence[Earlier], schema: Schema) -> Roles:
    """Return the roles of a message with what stays of the queries before it, `past`, the last one first."""
    if roles.move == "new":
        return roles
    before = past[0]
    roles = _of_tables_before(roles, before.roles, schema)
    if roles.move == "another":
        return _another(roles, message, past, schema)
    if roles.move == "compare" and compares(roles, message, past, schema):
        return compared(roles, message, past, schema)
    if roles.move in ("drop", "sort"):
        roles = replace(roles, marks=[])  # "leave the noise aside again" wishes for nothing
    if roles.move == "group":
        roles = with_new_groups(roles, message, before.roles, schema)
    dropped = _dropped(roles, message, before, schema) if roles.move == "drop" else set[int]()
    roles = _with_conditions(roles, message, before.roles, dropped, schema)
    roles = _with_order(roles, before.roles, schema)
    roles = _with_nesting(roles, before.roles)
    return _with_tables(_with_shown(roles, message, before.roles, schema), before.roles, dropped, schema)


def _of_tables_before(roles: Roles, then: Roles, schema: Schema) -> Roles:
    """The roles with values of a table that the query before knew, where one of its columns is called the same."""

    def known(one: Literal) -> Literal:
        if one.column < 0 or schema.table_of(one.column) in then.tables[0]:
            return one
        name = schema.fields[one.column].column.name
        twins = (at for at, field in enumerate(schema.fields) if field.column.name == name and not field.primary)
        return one._replace(column=next((at for at in twins if schema.table_of(at) in then.tables[0]), one.column))

    literals = [known(one) for one in roles.literals]
    moved = {one.column: other.column for one, other in zip(roles.literals, literals, strict=True)}
    return replace(roles, literals=literals, where=[(moved.get(at, at), how) for at, how in roles.where])


def kept_wishes(roles: Roles, message: str, before: Earlier) -> list[Wish]:
    """Return the wishes that stay: all but those that a message which drops something speaks of."""
    if roles.move == "new" or any(one.operator == AS for one in roles.literals):
        return []
    about = any(mark.kind == "topic" for mark in roles.marks) and not ADDS.search(message)
    if about:  # a row is about one thing; where nothing was found, nothing stays
        return [one for one in before.wishes if not one.topic] if before.rows else []
    if roles.move not in ("drop", "replace"):
        return list(before.wishes)
    words = stems(message)
    return [one for one in before.wishes if not words & stems(one.question)]


def _with_conditions(roles: Roles, message: str, then: Roles, dropped: set[int], schema: Schema) -> Roles:
    """The conditions of the query before that stay, and those that are said: all stay but those that are dropped, and
    those on columns of which the message says another value."""
    told = roles.literals
    if roles.move == "sort":
        told = [one for one in told if one.column == LIMIT]
    held = {one.column for one in then.literals} | {column for column, *_ in [*then.where, *then.filled]}
    if roles.move == "drop":
        told = [one for one in told if one.column not in held]
    measures = [measured(one, schema, message) for one in told]
    alone = {one.column for one in measures if sum(other.column == one.column for other in measures) == 1}
    beside = {
        one.column
        for one in measures
        if _is_alternative(one, then)
        and (_ALSO.search(message) or (_is_list(one.column, schema) and _adds(roles, message)))
    } & alone
    said = {one.column for one in measures if not (roles.move == "refine" and _bounds(one, then))} - beside
    keep = held - said - dropped
    if roles.move == "row" and any(schema.is_title(column) for column in said):
        keep = set()
    if roles.move in ("refine", "replace") and said:  # among one row there is nothing to search
        shown = {schema.table_of(column) for column, _ in then.select[:1] if column != ROWS}
        one_row = [one for one in then.literals if one.operator == "=" and schema.names_rows(one.column)]
        keep -= {one.column for one in one_row if schema.table_of(one.column) in shown}
    if roles.move == "group":
        keep -= {column for column in held if is_grouped(column, roles, schema)}
    if roles.move == "compare" and len([one for one in told if one.column in held]) == 1:
        keep |= {one.column for one in told}
    valued = {one.column for one in then.literals}
    flags = [one for one in then.where if one[0] in keep - valued and one not in roles.where]
    where = [one for one in roles.where if one[0] not in dropped or one[0] in said]
    if roles.move in {"show", "sort", "aggregate", "drop", "group"}:
        where = [one for one in where if one[0] in keep]
    stays = [one._replace(start=0, stop=0) for one in then.literals if one.column in keep]
    known = {(one.column, one.operator, one.text) for one in stays}
    told = [one for one in told if (one.column, one.operator, one.text) not in known]
    filled = [one for one in then.filled if one[0] in keep and one not in roles.filled]
    either = then.either and not dropped if roles.move not in ("new", "refine") else roles.either
    return replace(
        roles,
        where=[*where, *flags],
        filled=[*roles.filled, *filled],
        literals=[*stays, *told],
        either=either,
    )


def _adds(roles: Roles, message: str) -> bool:
    """Whether a message adds to what is searched, rather than puts something in its place."""
    refined = roles.move == "refine" and not NARROWS.search(message)
    return refined or (roles.move == "replace" and _AND_WITH.match(message) is not None)


def _is_list(column: int, schema: Schema) -> bool:
    """Whether a column has lists of what rows have, any of which may be wanted as well: no days."""
    return column >= 0 and schema.is_list(column) and not are_days(list(schema.stored[column].values()))


def _bounds(literal: Literal, then: Roles) -> bool:
    """Whether a literal bounds a column from the other side than the query before does: over 10, then under 20, but not
    under 5, which no row can be as well."""
    before = [one for one in then.literals if one.column == literal.column]
    held = {one.operator for one in before}
    up = literal.operator in _UP and held <= _DOWN
    if not before or not (up or (literal.operator in _DOWN and held <= _UP)):
        return False
    new, old = ([float(number_in(one.text) or "nan") for one in some] for some in ([literal], before))
    return not any(new[0] > one if up else new[0] < one for one in old)


def _is_alternative(literal: Literal, then: Roles) -> bool:
    """Whether a literal is another value of what the query before looks up: "bicycles as well"."""
    return literal.operator == "=" and {one.operator for one in then.literals if one.column == literal.column} == {"="}


def _dropped(roles: Roles, message: str, before: Earlier, schema: Schema) -> set[int]:
    """The conditions that a message gives up: those whose column or value it names, else one that seems not to stay."""
    then = before.roles
    held = {one.column for one in then.literals} | {column for column, *_ in [*then.where, *then.filled]}
    said = {one.column for one in roles.literals} & held
    named = {column for column in held if column >= 0 and names(message, column, before, schema)}
    called = {column for column in named if names_column(message, column, schema)}
    if called and called < said | named and _STAYS.search(message):
        return called  # "never mind the price, all of Sandwick"
    if said | named:
        return said | named
    if len(kept_wishes(roles, message, before)) < len(before.wishes):
        return set()
    unsure = sorted(held - roles.keep) or sorted(held)
    return set(unsure[-1:])


def _with_order(roles: Roles, then: Roles, schema: Schema) -> Roles:
    """The roles with the order, and how many rows: of the message where it sorts, else of the query before."""
    if roles.move == "aggregate":
        return replace(roles, order=[], order_count="", limit=0, skip=0)
    if roles.move in ORDERED and (then.order or then.order_count or not (roles.order or roles.order_count)):
        counted = any(one.column == LIMIT for one in roles.literals if one.stop)
        limit = roles.limit if counted else then.limit
        return replace(roles, order=then.order, order_count=then.order_count, limit=limit, skip=then.skip)
    return _with_measure(roles, then, schema) if roles.move == "sort" else roles


def _with_measure(roles: Roles, then: Roles, schema: Schema) -> Roles:
    """A sort by what is told of the rows or groups that are shown, where the message names no column."""
    measures = [(column, aggregate) for column, aggregate in then.select if aggregate or column == ROWS]
    if not measures and not then.group and (roles.order_count or not roles.order):
        told = [column for column, _ in then.select if schema.fields[column].column.kind in SCALES]
        order = [(column, "", roles.order_count or "desc") for column in told[-1:]]
        return replace(roles, order=order, order_count="") if order else roles
    bare = [one for one in roles.order if not one[1]]
    own = {column for column, aggregate in then.select if not aggregate} | set(then.group)
    if not measures:
        return _on_one_scale(roles, schema)
    if roles.order_count and (ROWS, "") in measures:
        return roles
    if (roles.order and not bare) or any(column in own for column, *_ in bare):
        return _on_one_scale(roles, schema)
    column, aggregate = next((one for one in measures if one[0] in {at for at, *_ in bare}), measures[-1])
    direction = roles.order_count or (bare[0][2] if bare else "desc")
    if column == ROWS:
        return replace(roles, order=[], order_count=direction)
    return replace(roles, order=[(column, aggregate, direction)], order_count="")


def _on_one_scale(roles: Roles, schema: Schema) -> Roles:
    """A sort by numbers and dates where there are such among the columns that may be meant."""
    scales = [one for one in roles.order if schema.fields[one[0]].column.kind in SCALES]
    return replace(roles, order=scales or roles.order)


def _with_nesting(roles: Roles, then: Roles) -> Roles:
    """The roles with the groups and the inner query of the query before, in the moves that do not touch them."""
    if roles.move in SHOWN_AS_BEFORE or (roles.move == "show" and then.group):
        having = roles.having if roles.move == "refine" and roles.having else then.having
        count = roles.having_count if roles.move == "refine" and roles.having_count else then.having_count
        roles = replace(roles, group=then.group, having=having, having_count=count, distinct=then.distinct)
    if roles.move in NESTED and (roles.kind == "none" or roles.move != "refine"):
        inner = then.tables[1] if then.kind != "none" else roles.tables[1]
        roles = replace(roles, kind=then.kind, compare=then.compare, tables=(roles.tables[0], inner))
    return roles


def _with_shown(roles: Roles, message: str, then: Roles, schema: Schema) -> Roles:
    """The roles with the columns that the move shows."""
    said, before = roles.select, then.select
    if roles.move in ("show", "row", "group") and before == [(ROWS, "")] and not (then.group or roles.group):
        rows = [one for one in said if not one[1] and one[0] != ROWS]  # which ones they are that were counted
        return replace(
            roles, select=(rows if not roles.guessed else []) or _names_of(then, schema) or said, move="show"
        )
    if roles.move in SHOWN_AS_BEFORE:
        return replace(roles, select=before, everything=then.everything, guessed=False)
    if roles.move == "show" and not roles.everything:
        return replace(roles, select=_added(said, message, then), guessed=False)
    if roles.move == "row" and not roles.everything:
        asked = [one for one in said if one not in before]
        return replace(roles, select=asked or said)
    if roles.move == "aggregate":
        measures = [one for one in said if one[1] or one[0] == ROWS] or [(ROWS, "")]
        if then.distinct and measures == [(ROWS, "")] and len(before) == 1 and before[0][0] != ROWS:
            measures = [(before[0][0], "count distinct")]
        grouped = [one for one in said if one not in measures and one[0] in roles.group]
        return replace(roles, select=[*grouped, *measures], group=roles.group if grouped else [], distinct=False)
    if roles.move == "group" and roles.group:
        return with_groups(roles, message, then, schema)
    return roles


def _names_of(then: Roles, schema: Schema) -> list[tuple[int, str]]:
    """The columns that name the rows that were counted: those of the tables that nothing was said of, if there are."""
    said = {schema.table_of(one.column) for one in then.literals if one.column >= 0}
    titles = [at for at in schema.titles if schema.table_of(at) in then.tables[0]]
    names = [at for at in titles if schema.table_of(at) not in said] or titles
    return [(at, "") for at in names[:1]]


def _added(said: list[tuple[int, str]], message: str, then: Roles) -> list[tuple[int, str]]:
    """The columns that a message wants to see: those shown before and new ones, or new ones alone. One that names none
    means what the rows were chosen by: "the oldest bridge", "and how old is it?"."""
    before = then.select
    new = [one for one in said if one not in before]
    if then.everything or (NARROWS.search(message) and not ADDS.search(message) and said != before):
        return said
    if not new:
        held = [(one.column, "") for one in then.literals if one.column >= 0 and one.operator != "="]
        ordered = [(column, aggregate) for column, aggregate, _ in then.order]
        new = [one for one in [*ordered, *held] if one not in before][:1]
    return [*before, *new]


def _with_tables(roles: Roles, then: Roles, dropped: set[int], schema: Schema) -> Roles:
    """The roles over the tables of the query before, and those that the new parts need."""
    outer = set(then.tables[0])
    if roles.move in ("compare", "group") or (roles.move == "refine" and not changes(roles, then)):
        outer |= roles.tables[0]
    needed = {schema.table_of(column) for column, _ in roles.select if column != ROWS}
    needed |= {schema.table_of(one.column) for one in roles.literals if one.column >= 0 and not one.inner}
    needed |= {schema.table_of(column) for column in roles.group}
    needed |= {schema.table_of(one[0]) for one in roles.order} | {schema.table_of(one[0]) for one in roles.where}
    if roles.move == "drop" and not any(aggregate or column == ROWS for column, aggregate in roles.select):
        outer -= {schema.table_of(column) for column in dropped if column >= 0} - needed
    if roles.move == "row" and any(schema.is_title(one.column) for one in roles.literals if one.stop):
        outer = set(roles.tables[0])
    return replace(roles, tables=(outer | needed, roles.tables[1]))


def _another(roles: Roles, message: str, past: Sequence[Earlier], schema: Schema) -> Roles:
    """The row after the one that was shown, further rows, others like a known one, or those that were left out."""
    known = None if NEXT.search(message) else beside_known(roles, message, past, schema)
    found = known or following(roles, message, past) or further(roles, message, past, schema)
    found = found or left_out(roles, past, schema)
    then = past[0].roles
    return found or _with_tables(_with_conditions(roles, message, then, set(), schema), then, set(), schema)
