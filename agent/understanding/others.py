"""Which rows a message means by others: the next one, those that a condition left out, or more like the one that is
known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.understanding.context import Earlier
from agent.understanding.moves import NEXT
from agent.understanding.pointing import OTHERS, names_shown, shares
from agent.understanding.roles import AS, LIMIT, OPPOSITE, ROWS, Literal, Roles
from agent.understanding.schema import NAMED, Schema

MORE = re.compile(r"\b(?:another|more|others?|else|different)\b", re.IGNORECASE)
_SAME = re.compile(r"\b(?:that|those|there|same|they|them|their|he|she|his|her|its)\b", re.IGNORECASE)


def following(roles: Roles, message: str, past: Sequence[Earlier]) -> Roles | None:
    """Return the roles of the row after the one that was shown, None where there is no such order. What is shown is
    what the search showed, before somebody asked about one of its rows."""
    before, base = past[0].roles, _base(past)
    if not (before.limit and (before.order or before.order_count)):
        return None
    if _said(roles, before) and not NEXT.search(message):
        return None
    number = next((one for one in roles.literals if one.column == LIMIT), None)
    literals = [one for one in before.literals if one.column != LIMIT] + ([number] if number else [])
    shown = 1 if before.limit == 1 else 0
    skip = roles.skip if roles.skip > before.skip else before.skip + max(shown, 1)
    limit = 2 if number else 1
    return replace(before, move="another", select=base.select, literals=literals, skip=skip, limit=limit)


def beside_known(roles: Roles, message: str, past: Sequence[Earlier], schema: Schema) -> Roles | None:
    """Return the roles of other rows than the one that was spoken of: those that meet what the message says, or that
    share with it what was last asked of it ("any others of that type"). None where neither is said."""
    known = _known(past, schema) or names_shown(past[0], schema)
    if not known or not OTHERS.search(message):
        return None
    before, title = past[0].roles, known[0].column
    alike = shares(message, past, schema)
    shared = [one._replace(column=alike, operator=AS) for one in known] if alike is not None else []
    told = roles.literals if shared else _said(roles, before)
    told = [one for one in told if one.column not in (title, alike, LIMIT)]
    shared = shared if shared or told else _shared(message, past, schema)
    if not told and not shared:
        return None
    tables = {schema.table_of(one.column) for one in [*told, *shared]} | {schema.table_of(title)}
    others = [one._replace(operator="!=", start=0, stop=0) for one in known]
    return Roles(
        select=[(title, "")],
        where=[*dict.fromkeys((one.column, one.operator) for one in told), (title, "!=")],
        literals=[*told, *shared, *others],
        tables=(tables, set()),
        marks=roles.marks if alike is None else [],
        move="another",
    )


def further(roles: Roles, message: str, past: Sequence[Earlier], schema: Schema) -> Roles | None:
    """Return the roles of further rows of a search in prose, which shows but the first; None after any other query."""
    before, rows = past[0], past[0].rows
    if not before.wishes or _said(roles, before.roles) or roles.marks or not (rows and MORE.search(message)):
        return None
    name = {at: schema.fields[at].column.name for at in schema.titles}
    seen = [
        (at, row[name[at]]) for at in schema.titles for row in rows if row.get(name[at]) is not None and name[at] in row
    ]
    shown = {schema.table_of(column) for column, _ in before.roles.select if column != ROWS} or before.roles.tables[0]
    told = [Literal(str(value), at, "!=", inner=False) for at, value in seen if schema.table_of(at) in shown]
    literals = [*before.roles.literals, *told]
    return replace(before.roles, move="another", literals=literals) if told else None


def left_out(roles: Roles, past: Sequence[Earlier], schema: Schema) -> Roles | None:
    """Return the roles of the rows that the conditions before left out, None where there were none."""
    before, base = past[0].roles, _base(past)
    held = _excluded(roles, before, schema)
    if held is None or any(one.column >= 0 for one in roles.literals):
        return None
    literals = [
        one._replace(operator=OPPOSITE.get(one.operator, one.operator), start=0, stop=0) if one.column == held else one
        for one in before.literals
    ]
    where = [(at, OPPOSITE[operator] if at == held else operator) for at, operator in before.where]
    return replace(
        before, move="another", select=base.select, everything=base.everything, literals=literals, where=where
    )


def _base(past: Sequence[Earlier]) -> Roles:
    """The search that the last query goes on from, which questions about its rows came after."""
    before = past[0].roles
    base = next((one.roles for one in past if one.roles.move != "row"), before)
    return base if base.order == before.order and base.order_count == before.order_count else before


def _said(roles: Roles, before: Roles) -> list[Literal]:
    """The conditions that a message says, and the query before has not."""
    held = {(one.column, one.operator, one.text) for one in before.literals}
    return [one for one in roles.literals if one.column >= 0 and (one.column, one.operator, one.text) not in held]


def _known(past: Sequence[Earlier], schema: Schema) -> list[Literal]:
    """The rows that are spoken of, by their names: those that the last query named, or the one row that it or the
    search before it found."""
    before = past[0].roles
    named = [one for one in before.literals if schema.is_title(one.column) and one.operator == "="]
    shown = {schema.table_of(column) for column, _ in _base(past).select if column != ROWS}
    if named and (before.move in ("row", "compare") or {schema.table_of(one.column) for one in named} <= shown):
        return named
    for one in past:
        for column, aggregate in one.roles.select:
            name = schema.fields[column].column.name if column != ROWS and not aggregate else ""
            if name and schema.is_title(column) and len(one.rows) == 1 and one.rows[0].get(name) is not None:
                return [Literal(str(one.rows[0][name]), column, "=", inner=False)]
        if one.roles.move != "row":
            break
    return []


def _shared(message: str, past: Sequence[Earlier], schema: Schema) -> list[Literal]:
    """What was last asked of a row, as a condition on others: "of that type", "in the same hall"."""
    before, rows = past[0].roles, past[0].rows
    if before.move != "row" or len(rows) != 1 or not _SAME.search(message):
        return []
    asked = [column for column, aggregate in before.select if column != ROWS and not aggregate]
    told = [at for at in asked if schema.fields[at].column.kind in NAMED and not schema.is_title(at)]
    told = told or asked
    value = rows[0].get(schema.fields[told[0]].column.name) if len(told) == 1 else None
    values = value if isinstance(value, list | tuple) else [value]
    return [Literal(str(one), told[0], "=", inner=False) for one in values if one is not None]


def _excluded(roles: Roles, before: Roles, schema: Schema) -> int | None:
    """The column whose condition the others do not meet: what names rows, else what the linker does not keep, else the
    last one that was said."""
    held = [one.column for one in before.literals if one.column >= 0 and not one.inner]
    held += [column for column, _ in before.where if column not in held]
    titles = [column for column in held if schema.is_title(column)]
    unsure = [column for column in held if column not in roles.keep]
    return next(iter([*titles, *unsure[-1:], *held[-1:]]), None)
