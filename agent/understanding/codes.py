"""Codes such as "CS 161" or "B-12": what a column of them holds is told by its letters, in any spacing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.catalogue.tables import Kind
from agent.understanding.roles import Literal, Roles
from agent.understanding.schema import Schema, folded

NEAR = 5  # words beside a code that may name its column
_CLAUSE = re.compile(r"[,;.!?]\s")


def with_codes(roles: Roles, schema: Schema, message: str) -> Roles:
    """Return the roles with the codes that the message names, in place of what the linker made of their parts, and
    without codes that are none."""
    for columns, form in schema.codes:
        found = [one for one in _named(columns, form, schema, message) if not _told(one, roles, schema)]
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
    told = [one for one in roles.literals if all(_may_be_code(one, *codes, schema) for codes in schema.codes)]
    return roles if told == roles.literals else replace(roles, literals=told)


def _may_be_code(literal: Literal, columns: Sequence[int], form: re.Pattern[str], schema: Schema) -> bool:
    """Whether a value may be what it is said to be, where that is a code."""
    known = literal.column not in columns or folded(literal.text) in schema.stored[literal.column]
    return known or literal.operator not in ("=", "!=") or form.search(literal.text) is not None


def _named(columns: Sequence[int], form: re.Pattern[str], schema: Schema, message: str) -> list[Literal]:
    return [
        Literal(
            f"{match[1].upper()} {match[2].upper()}", _meant(columns, match, schema, message), "=", False, *match.span()
        )
        for match in form.finditer(message)
    ]


def _meant(columns: Sequence[int], code: re.Match[str], schema: Schema, message: str) -> int:
    """The column that the words beside a code name: "with <B-12> as its spare", else the first."""
    before, after = _CLAUSE.split(message[: code.start()])[-1], _CLAUSE.split(message[code.end() :])[0]
    near = " ".join(folded(before).split()[-NEAR:]) + " "

    def named(column: int) -> bool:
        one = schema.fields[column]
        names = "|".join(map(re.escape, filter(None, map(folded, (one.words, *one.column.synonyms)))))
        led = re.search(rf"\b(?:{names})s? (?!(?:for|of|to|is|are|does|do) )", near)
        return bool(led or re.match(rf"as (?:an? |its |the )?(?:{names})s?\b", folded(after)))

    return next((column for column in columns[1:] if named(column)), columns[0])


def _told(code: Literal, roles: Roles, schema: Schema) -> bool:
    """Whether the linker says a code whole of another column of texts: what comes before a thing, say."""
    homes = {columns[0] for columns, _ in schema.codes}
    whole = (one for one in roles.literals if one.start == code.start and one.stop == code.stop and one.column >= 0)
    whole = (one for one in whole if one.column not in homes)
    return any(schema.fields[one.column].column.kind is Kind.TEXT for one in whole)
