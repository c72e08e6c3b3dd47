"""Codes such as "CS 161" or "B-12": what a column of them holds is told by its letters, in any spacing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from agent.catalogue.tables import Kind
from agent.understanding.roles import Literal, Roles
from agent.understanding.schema import Schema

_CODE = re.compile(r"([a-z]{1,6}) ?(\d{1,5}[a-z]?)")
MOSTLY = 0.8  # the share of a column's values that are codes where it is a column of codes
LOOKED_AT = 200  # values


def with_codes(roles: Roles, schema: Schema, message: str) -> Roles:
    """Return the roles with the codes that the message names, in place of what the linker made of their parts."""
    for column, prefixes in _coded(schema):
        found = [one for one in _named(column, prefixes, message) if not _told(one, roles, schema)]
        if not found:
            continue
        pointed = [one for one in roles.literals if any(_meet(one, code) for code in found)]
        kept = [one for one in roles.literals if one not in pointed]
        denied = [one for one in pointed if one.operator == "!="]
        found = [one._replace(operator="!=") if any(_meet(one, no) for no in denied) else one for one in found]
        roles = replace(roles, literals=[*kept, *found])
    return roles


def _coded(schema: Schema) -> Iterator[tuple[int, list[str]]]:
    """The first column of codes of each table, with the letters they begin with."""
    for table in range(len(schema.tables)):
        for column in schema.of(table):
            values = list(schema.stored[column])[:LOOKED_AT]
            codes = [match for value in values if (match := _CODE.fullmatch(value))]
            if schema.fields[column].column.kind is Kind.TEXT and codes and len(codes) >= MOSTLY * len(values):
                every = (_CODE.fullmatch(value) for value in schema.stored[column])
                yield column, sorted({match[1] for match in every if match}, key=len, reverse=True)
                break


def _named(column: int, prefixes: list[str], message: str) -> list[Literal]:
    form = re.compile(rf"\b({'|'.join(prefixes)})[ -]?(\d{{1,5}}[a-z]?)\b", re.IGNORECASE)
    return [
        Literal(f"{match[1].upper()} {match[2].upper()}", column, "=", False, *match.span())
        for match in form.finditer(message)
    ]


def _told(code: Literal, roles: Roles, schema: Schema) -> bool:
    """Whether the linker says a code whole of another column of codes: what comes before a thing, say."""
    whole = (one for one in roles.literals if one.start == code.start and one.stop == code.stop and one.column >= 0)
    return any(schema.fields[one.column].column.kind is Kind.TEXT for one in whole)


def _meet(one: Literal, other: Literal) -> bool:
    return one.start < other.stop and other.start < one.stop
