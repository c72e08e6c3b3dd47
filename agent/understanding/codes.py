"""Codes such as "CS 161" or "B-12": what a column of them holds is told by its letters, in any spacing."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.catalogue.tables import Kind
from agent.understanding.roles import Literal, Roles
from agent.understanding.schema import Schema


def with_codes(roles: Roles, schema: Schema, message: str) -> Roles:
    """Return the roles with the codes that the message names, in place of what the linker made of their parts."""
    for column, form in schema.codes:
        found = [one for one in _named(column, form, message) if not _told(one, roles, schema)]
        if not found:
            continue
        pointed = [one for one in roles.literals if any(one.touches(code.start, code.stop) for code in found)]
        kept = [one for one in roles.literals if one not in pointed]
        denied = [one for one in pointed if one.operator == "!="]
        found = [
            one._replace(operator="!=") if any(one.touches(no.start, no.stop) for no in denied) else one
            for one in found
        ]
        roles = replace(roles, literals=[*kept, *found])
    return roles


def _named(column: int, form: re.Pattern[str], message: str) -> list[Literal]:
    return [
        Literal(f"{match[1].upper()} {match[2].upper()}", column, "=", False, *match.span())
        for match in form.finditer(message)
    ]


def _told(code: Literal, roles: Roles, schema: Schema) -> bool:
    """Whether the linker says a code whole of another column of codes: what comes before a thing, say."""
    whole = (one for one in roles.literals if one.start == code.start and one.stop == code.stop and one.column >= 0)
    return any(schema.fields[one.column].column.kind is Kind.TEXT for one in whole)
