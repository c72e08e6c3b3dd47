"""Groups that a later message makes of what was searched, and what is told of them."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.understanding.moves import ADDS, EACH, names_column
from agent.understanding.roles import ROWS, Roles
from agent.understanding.schema import Schema

_COUNTS = re.compile(r"\b(?:how many|number|count\w*)\b", re.IGNORECASE)
_KEYS = re.compile(r"\b(?:ids?|numbers?|nos?|codes?|keys?)\b", re.IGNORECASE)


def with_new_groups(roles: Roles, message: str, then: Roles, schema: Schema) -> Roles:
    """Return the roles without groups by a column that a condition holds and the message does not name; by what was
    shown where it says "each" and names none."""
    held = {one.column for one in then.literals}
    named = [at for at in roles.group if at not in held or names_column(message, at, schema)]
    shown = [column for column, aggregate in then.select if column != ROWS and not aggregate]
    if not roles.group and shown and EACH.search(message):
        return replace(roles, group=shown[:1], select=[(shown[0], ""), *roles.select])
    return replace(roles, group=named or roles.group)


def with_groups(roles: Roles, message: str, then: Roles, schema: Schema) -> Roles:
    """Return the roles that show the groups by their names, those before too where the message adds to them, then what
    is told of them."""
    said, before = roles.select, then.select
    groups = [one for one in said if not one[1] and one[0] != ROWS and one not in before]
    groups = groups or [one for one in said if not one[1] and one[0] != ROWS]
    groups = groups or [(column, "") for column in roles.group]
    if not _KEYS.search(message):
        groups = list(dict.fromkeys((_title_of(column, schema), "") for column, _ in groups))
    new = [one for one in roles.group if one not in then.group] or roles.group
    if then.group and ADDS.search(message):
        groups += [one for one in before if not one[1] and one[0] != ROWS and one not in groups]
        new = [*new, *(one for one in then.group if one not in new)]
    measures = _measures(said, before, message) or [(ROWS, "")]
    return replace(roles, select=[*groups, *measures], group=new, guessed=False)


def is_grouped(column: int, roles: Roles, schema: Schema) -> bool:
    """Return whether a condition holds one group of those that are asked for: on the column, or on what names its
    rows."""
    groups = {*roles.group, *(one for one, aggregate in roles.select if not aggregate and one != ROWS)}
    keys = [_key_of(one, schema) for one in roles.group]
    tables = {schema.table_of(key) for key in keys if key is not None}
    return column in groups or (schema.is_title(column) and schema.table_of(column) in tables)


def _measures(said: list[tuple[int, str]], before: list[tuple[int, str]], message: str) -> list[tuple[int, str]]:
    """What is told of groups: what was told of the whole, in its order, and what a message asks anew."""
    told, known = ([one for one in of if one[1] or one[0] == ROWS] for of in (said, before))
    new = [one for one in told if one not in known and (one[0] != ROWS or not known or _COUNTS.search(message))]
    return new if new or not known else known


def _key_of(column: int, schema: Schema) -> int | None:
    """The key of the rows that a column stands for: itself, or one that a link makes equal to it."""
    if schema.fields[column].primary:
        return column
    return next((other for one, other in schema.links if one == column and schema.fields[other].primary), None)


def _title_of(column: int, schema: Schema) -> int:
    """The column that names the rows of a key's table, or the column itself."""
    key = _key_of(column, schema)
    if key is None:
        return column
    return next((at for at in schema.of(schema.table_of(key)) if schema.is_title(at)), column)
