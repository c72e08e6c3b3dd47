"""Codes such as "CS 161" or "B-12": what a column of them holds is told by its letters, in any spacing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.catalogue.tables import Kind
from agent.understanding.roles import WITHIN, Literal, Roles
from agent.understanding.schema import Schema, folded

_PAIR = 2  # columns of codes: a row's own, and of what it needs
NEAR = 5  # words beside a code that may name its column
_CLAUSE = re.compile(r"[,;.!?]\s")
#: Before codes that somebody has behind them, and what makes these all they have: "with just B-12", "only done B-12".
_HAVING = re.compile(
    r"\b(?:(?:have|has|had|having|ive|i|only|just)(?:['’]ve)?(?: (?:only|just|already|so far))* "
    r"(?:done|taken|took|finished|completed|passed|had)|with (?:only|just)|(?:right|straight|directly) after)"
    r"(?: (?:only|just))? $",
    re.IGNORECASE,
)
_NOT_YET = re.compile(r"\b(?:not|never|without|n['’]t)\b", re.IGNORECASE)
_ONLY = re.compile(r"\b(?:only|just|nothing but)\b", re.IGNORECASE)
_NO_MORE = re.compile(r" (?:so far|only|and nothing else|and no other\w*)\b", re.IGNORECASE)


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
        found = [_behind(one, columns, schema, message) for one in found]
        where = [one for one in roles.where if one[0] in {code.column for code in found} or one[0] not in columns]
        roles = replace(roles, literals=[*kept, *found], where=where)
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


def _behind(code: Literal, columns: Sequence[int], schema: Schema, message: str) -> Literal:
    """A code that somebody has behind them as what rows need first: this, or no more than this where it is all."""
    said = _HAVING.search(message[: code.start])
    if said is None or code.operator != "=" or code.column != columns[0] or len(columns) != _PAIR:
        return code
    if not schema.is_list(columns[1]):
        return code
    if _NOT_YET.search(_CLAUSE.split(message[: said.start()])[-1]):
        return code
    alone = _ONLY.search(said[0]) or _NO_MORE.match(message, code.stop)
    return code._replace(column=columns[1], operator=WITHIN if alone else "=")


def _told(code: Literal, roles: Roles, schema: Schema) -> bool:
    """Whether the linker says a code whole of another column of texts: what comes before a thing, say."""
    homes = {columns[0] for columns, _ in schema.codes}
    whole = (one for one in roles.literals if one.start == code.start and one.stop == code.stop and one.column >= 0)
    whole = (one for one in whole if one.column not in homes)
    return any(schema.fields[one.column].column.kind is Kind.TEXT for one in whole)
