"""Columns of which any value will do, or none: "no prerequisites", "no parking spaces", "that count for a breadth
requirement"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import replace

from agent.catalogue.tables import Kind
from agent.understanding.denials import DENYING
from agent.understanding.roles import ROWS, Literal, Roles
from agent.understanding.schema import NAMED, Schema, folded

LEAST = 4  # letters of a name that is meant wherever it is said
_NONE = r"(?:no|without(?: any| an?)?|zero|(?:do|does|has|have)n['’]?t (?:have |need |require )?(?:any |an? )?)"
_DENIES = re.compile(rf"\b{_NONE}", re.IGNORECASE)
_NUMBER_OF = re.compile(r"(?:the )?(?:number of|how many) ([^,.;(]+)", re.IGNORECASE)
_SOME = r"\b(?:fulfil|satisf|meet|count|cover|tick)\w*(?: [a-z]+){0,2} "


def with_filled(roles: Roles, schema: Schema, message: str) -> Roles:
    """Return the roles with the columns that the message wants empty, or filled, in place of what is said of them."""
    shown = {column for column, _ in roles.select} | {column for column, _, _ in roles.order} | set(roles.group)
    begun = {schema.fields[column].table for column, _ in roles.select if column != ROWS} | roles.tables[0] or {0}
    near = set().union(*(schema.reached(table) for table in begun))
    found: dict[int, str] = {}
    denied = 0
    rows = "|".join(_pattern(noun) for nouns in schema.nouns for noun in sorted(nouns))
    if re.search(rf"\b{_NONE} ?(?:{rows})\b", message, re.IGNORECASE):
        return roles  # "drivers without a school bus" are not those without a school
    roles = replace(roles, literals=[*roles.literals, *_zeros(roles, schema, message, near)])
    for column, one in enumerate(schema.fields):
        if one.column.kind not in NAMED or one.table not in near or one.primary:
            continue
        names = "|".join(
            map(_pattern, sorted((name for name in schema.names[column] if len(name) >= LEAST), key=len)[::-1])
        )
        none = re.search(rf"\b{_NONE} ?(?:{names})s?\b", message, re.IGNORECASE) if names else None
        if none and not _goes_on(message[none.end() :], column, schema):
            found[column] = "empty"
            denied += 1
        elif names and one.column.kind is Kind.ENUM and column not in shown and not schema.found(message).get(column):
            said = re.search(rf"{_SOME}(?:{names})s?\b", message, re.IGNORECASE)
            told = any(literal.column == column for literal in roles.literals)
            if said and not told and not re.search(rf"\b(?:what|which) (?:{names})s?\b", message, re.IGNORECASE):
                found[column] = "any"
    if not found:
        return roles
    kind = "none" if roles.kind in ("except", "not in") and len(DENYING.findall(message)) <= denied else roles.kind
    return replace(
        roles,
        kind=kind,
        filled=[*(one for one in roles.filled if one[0] not in found), *found.items()],
        literals=[one for one in roles.literals if found.get(one.column) != "empty"],
        where=[one for one in roles.where if one[0] not in found],
    )


def _zeros(roles: Roles, schema: Schema, message: str, near: Set[int]) -> Iterator[Literal]:
    """The numbers of things that the message wants none of: "no parking spaces"."""
    told = {one.column for one in roles.literals}
    for column, one in enumerate(schema.fields) if _DENIES.search(message) else ():
        if one.column.kind is not Kind.NUMBER or one.table not in near or one.primary or column in told:
            continue
        counted = _NUMBER_OF.match(one.column.description)
        names = [*schema.names[column], *([folded(counted[1])] if counted else [])]
        said = "|".join(map(_pattern, sorted((name for name in names if len(name) >= LEAST), key=len)[::-1]))
        none = re.search(rf"\b{_NONE} ?(?:{said})s?\b", message, re.IGNORECASE) if said else None
        if none:
            yield Literal("0", column, "=", False, *none.span())


def _goes_on(rest: str, column: int, schema: Schema) -> bool:
    """Whether what is denied is more than the column: "no calls <at Inishmoor>", but not "no calls in <spring>", which
    is the value of another column."""
    said = re.match(r" (?:from|of|in|as|like) (?:the )?(\w+)", rest)
    return said is not None and all(at == column for at, _ in schema.values.get(folded(said[1]), ()))


def _pattern(name: str) -> str:
    return r"\W+".join(name.split())
