"""Two things side by side: which rows a message compares, whether it chooses one of them, and what it shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.understanding.context import Earlier
from agent.understanding.roles import LIMIT, ROWS, Literal, Roles
from agent.understanding.schema import NAMED, Schema, folded

_BESIDE = re.compile(
    r"\b(?:vs\.?|versus|against|compared? (?:to|with)|compare|next to|side by side|both|up against|"
    r"(?:the|those|these|them) two|two of (?:them|those|these)|stack up)(?=\W|$)",
    re.IGNORECASE,
)
_BOTH = re.compile(r"\b(?:both|(?:the|those|these|them) two|two of (?:them|those|these))\b", re.IGNORECASE)
_EITHER = re.compile(r"\bor\b|\bthan\b", re.IGNORECASE)
_CHOOSES = re.compile(
    r"\b(?:which|who|who's|whos|whose|or)\b.*\b(?:more|less|fewer|better|worse|first|last|\w{3,}er)\b|"
    r"\b(?:more|less|fewer|better|worse|\w{3,}er)\b.*\bor\b|\bthe (?:\w{3,}er|better|worse) one\b",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"\b(?:less|fewer|worse|first|earlier|lower|smaller|shorter|cheaper|younger|lighter|slower)\b", re.IGNORECASE
)


def compares(roles: Roles, message: str, past: Sequence[Earlier], schema: Schema) -> bool:
    """Return whether a message holds two things against each other: it names two of those that rows are known by, or
    one beside what was asked for, or points at the two rows that came last."""
    named = _named(roles, past[0].roles, schema)
    values = {one.text for one in named}
    if len(values) > 1:
        return bool(_BESIDE.search(message) or (_EITHER.search(message) and _CHOOSES.search(message)))
    if named and _BESIDE.search(message):
        return any(one.text not in values for one in _held(named[0].column, past, schema))
    return not named and bool(_BOTH.search(message)) and (_second(past[0].roles) or bool(_pair(past, schema)))


def compared(roles: Roles, message: str, past: Sequence[Earlier], schema: Schema) -> Roles:
    """Return the roles with the two things that a message compares, and of what is shown their names first."""
    then = past[0].roles
    named = _named(roles, then, schema)
    if not named and _second(then) and not _CHOOSES.search(message):
        return _first_two(roles, then, schema)
    things = _things(named, past, schema) if named or not then.limit else []
    things = things or (_pair(past, schema) if not named and len(past[0].rows) < 2 else [])
    if len({one.text for one in things}) < 2:
        return _chosen(roles, then, None, message, schema)
    column = things[0].column
    apart = {column}
    if len({one.text for one in named}) > 1 or (not named and things):
        apart |= {one.column for one in then.literals if schema.table_of(one.column) == schema.table_of(column)}
    kept = [one._replace(start=0, stop=0) for one in then.literals if one.column not in apart and one.column >= 0]
    others = [one for one in roles.literals if one.column >= 0 and one not in named and one.column not in apart]
    known = {(one.column, one.operator, one.text) for one in others}
    kept = [one for one in kept if (one.column, one.operator, one.text) not in known]
    flags = [one for one in then.where if one[0] in {k.column for k in kept}]
    where = [one for one in roles.where if one[0] in {k.column for k in others}]
    roles = replace(
        roles,
        literals=[*kept, *others, *things],
        where=[*where, *(one for one in flags if one not in where), (column, "=")],
        filled=[],
        having=[],
        having_count="",
        kind="none",
        compare=[],
        either=False,
        skip=0,
        tables=(then.tables[0] | roles.tables[0] | {schema.table_of(column)}, set()),
    )
    return _chosen(roles, then, column, message, schema)


def _named(roles: Roles, then: Roles, schema: Schema) -> list[Literal]:
    """What a message names that is compared: values of the column of which it names most, those of names first."""
    told = [
        one
        for one in roles.literals
        if one.column >= 0 and one.operator in ("=", "like") and one.stop and not one.inner
        if schema.fields[one.column].column.kind in NAMED
    ]
    if not told:
        return []
    number = Counter(one.column for one in told)
    held = {one.column for one in then.literals} | set(then.group)
    best = max(number, key=lambda at: (number[at] > 1, at in held, schema.is_title(at), number[at]))
    return [one for one in told if one.column == best]


def _held(column: int, past: Sequence[Earlier], schema: Schema) -> Iterator[Literal]:
    """The values of a column that queries before asked for, the last first, or whose row they found."""
    for one in past:
        for told in one.roles.literals:
            if told.column == column and told.operator in ("=", "like") and not told.inner:
                yield told._replace(start=0, stop=0)
        name = schema.fields[column].column.name
        if len(one.rows) == 1 and one.rows[0].get(name) is not None:
            yield Literal(str(one.rows[0][name]), column, "=", inner=False)


def _things(named: list[Literal], past: Sequence[Earlier], schema: Schema) -> list[Literal]:
    """What is compared: what a message names, and where that is one thing alone, the last one before."""
    said = {folded(one.text) for one in named}
    if len(said) > 1 or not named:
        return named
    before = next((one for one in _held(named[0].column, past, schema) if folded(one.text) not in said), None)
    return [before, *named] if before else []


def _pair(past: Sequence[Earlier], schema: Schema) -> list[Literal]:
    """The last two things that were asked for one after the other: by name, or one value in place of another."""
    then = past[0].roles
    for column in dict.fromkeys(one.column for one in then.literals if one.column >= 0):
        apart = schema.is_title(column) or column in then.group or then.move == "replace"
        if apart and schema.fields[column].column.kind in NAMED:
            found = {folded(one.text): one for one in reversed(list(_held(column, past, schema)))}
            if len(found) > 1:
                return list(reversed(list(found.values())))[:2]
    return []


def _second(then: Roles) -> bool:
    """Whether the last query showed the row after the first."""
    return then.skip == 1 and bool(then.limit and (then.order or then.order_count))


def _first_two(roles: Roles, then: Roles, schema: Schema) -> Roles:
    """The first two rows of the order before, with what is asked of them."""
    literals = [one for one in then.literals if one.column != LIMIT] + [Literal("2", LIMIT, "=", inner=False)]
    told = [one for one in roles.select if one[0] != ROWS and not one[1]]
    names = [one for one in then.select if one[0] >= 0 and not one[1] and schema.fields[one[0]].column.kind in NAMED]
    names = [one for one in (names or told) if schema.is_title(one[0])] or _title(then, schema)
    tables = (then.tables[0] | {schema.table_of(column) for column, _ in [*names, *told]}, set(then.tables[1]))
    return replace(
        then, move="compare", literals=literals, select=list(dict.fromkeys([*names, *told])), skip=0, limit=2,
        everything=False, guessed=False, tables=tables,
    )  # fmt: skip


def _chosen(roles: Roles, then: Roles, column: int | None, message: str, schema: Schema) -> Roles:
    """The roles of two things, or of the one that is ahead where a message asks which."""
    chooses = bool(_CHOOSES.search(message)) and not re.search(r"\b(?:both|give|show)\b", message, re.IGNORECASE)
    name = [(column, "")] if column is not None else []
    measures = [one for one in [*roles.select, *then.select] if one[1] or one[0] == ROWS]
    if chooses:
        if not roles.order and not roles.order_count:
            direction = "asc" if _LESS.search(message) else "desc"
            if measures:
                of, aggregate = measures[0]
                roles = replace(roles, order_count=direction) if of == ROWS else replace(
                    roles, order=[(of, aggregate, direction)]
                )  # fmt: skip
        said = [one for one in roles.select if one not in measures]
        limit = 1 if roles.order or roles.order_count else 0
        return replace(roles, select=name or said or roles.select, limit=limit, group=_groups(roles, name), skip=0)
    if not name:
        return roles
    told = [one for one in roles.select if one[0] != column]
    grouped = column in then.group and not any(one in measures for one in told)
    told = told if told and not (roles.guessed or grouped) else [one for one in then.select if one[0] != column]
    counted = any(aggregate or of == ROWS for of, aggregate in told)
    order = roles.order if roles.order and not then.order else []
    return replace(
        roles, select=[*name, *told], guessed=False, everything=False, order=order, order_count="", limit=0,
        group=[column] if counted and column is not None else [],
    )  # fmt: skip


def _groups(roles: Roles, name: list[tuple[int, str]]) -> list[int]:
    counted = roles.order_count or any(aggregate for _, aggregate, _ in roles.order)
    return list(dict.fromkeys([*roles.group, *(at for at, _ in name)])) if counted else []


def _title(then: Roles, schema: Schema) -> list[tuple[int, str]]:
    """The column that names the rows that a query shows."""
    table = next(iter([schema.table_of(column) for column, _ in then.select if column != ROWS]), -1)
    return [(at, "") for at in schema.titles if schema.table_of(at) == table]
