"""How many different values a column has, and how many rows for each: "how many home ports are there?" counts ports,
not ferries, "how many ferries per home port" those of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import replace

from agent.understanding.roles import LIMIT, ROWS, Literal, Roles
from agent.understanding.schema import NAMED, Schema, folded, forms
from agent.understanding.values import CARDINALS

_HOW_MANY = re.compile(
    r"\bhow many (?:(?:different|distinct|separate|kinds of|types of|sorts of) )*(?P<name>[a-z]+(?: [a-z]+){0,2})",
    re.IGNORECASE,
)
_PER = re.compile(r"\b(?:per|(?:(?:for|in|of|on) )?(?:each|every)|by) (?P<name>[a-z]+(?: [a-z]+){0,2})", re.IGNORECASE)
_SO_MANY = re.compile(
    r"\b(?:pick|choose|name|suggest|recommend|give|show|find|list|tell)(?: (?:me|us|just|only))* "
    rf"(?P<number>\d{{1,2}}|{'|'.join(CARDINALS[1:])}) (?P<thing>[a-z]+(?: [a-z]+){{0,3}})",
    re.IGNORECASE,
)
_NEAREST = re.compile(r"\b(?P<number>nearest|closest) (?P<thing>[a-z]+(?: [a-z]+){0,2}?) (?:to|from)\b", re.IGNORECASE)


def counted_for_each(roles: Roles, schema: Schema, message: str) -> Roles:
    """Return the roles with the groups that a message names by their column, of which it wants totals."""
    total = bool(roles.select) and all(aggregate or column == ROWS for column, aggregate in roles.select)
    if not total or roles.group or roles.order or roles.kind != "none":
        return roles
    near = {schema.table_of(one.column) for one in roles.literals if one.column >= 0} | roles.tables[0]
    for said in _PER.finditer(message):
        for _, _, here in _called(said["name"], schema, near):
            if here:
                return replace(roles, select=[(here[0], ""), *roles.select], group=here[:1], guessed=False)
    return roles


def counting_values(roles: Roles, schema: Schema, message: str) -> Roles:
    """Return the roles with a count of the different values of the column that the message counts, where it counts no
    rows of a table."""
    said = _HOW_MANY.search(message)
    if said is None or roles.select != [(ROWS, "")] or roles.group or roles.kind != "none":
        return roles
    for name, after, here in _called(said["name"], schema, roles.tables[0]):
        if any(name in nouns for nouns in schema.nouns):
            return roles
        if here and any(after in nouns for nouns in schema.nouns):  # "how many <breadth> courses"
            return replace(roles, filled=[*roles.filled, (here[0], "any")])
        if len(here) == 1 and all(one.column != here[0] for one in roles.literals):
            return replace(roles, select=[(here[0], "count distinct")], guessed=False)
    return roles


def limited(roles: Roles, schema: Schema, message: str) -> Roles:
    """Return the roles with the number of rows that a message asks for: "pick one restaurant with a garden"."""
    said = _NEAREST.search(message) or _SO_MANY.search(message)
    words = folded(said["thing"]).split() if said else []
    if said and said.re is _NEAREST and words[-1].endswith("s"):
        return roles
    if said is None or not any(word in nouns for nouns in schema.nouns for word in words):
        return roles
    units = {form for one in schema.fields for form in forms(folded(one.column.unit))}
    if any(one.column == LIMIT for one in roles.literals) or words[0] in units:
        return roles
    text = "1" if said.re is _NEAREST else said["number"]
    number = Literal(text, LIMIT, "=", False, *said.span("number"))
    others = [one for one in roles.literals if not one.touches(number.start, number.stop)]
    return replace(roles, literals=[*others, number], limit=roles.limit or 2)


def _called(text: str, schema: Schema, near: Set[int]) -> Iterator[tuple[str, str, list[int]]]:
    """What a text may begin with the name of, the longest first: the name, the word after it, and the columns of values
    that it calls, those of tables that are near where there are any."""
    words = folded(text).split()
    for size in range(len(words), 0, -1):
        name = " ".join(words[:size])
        named = [
            at
            for at, one in enumerate(schema.fields)
            if one.column.kind in NAMED and not one.primary and any(name in forms(other) for other in schema.names[at])
        ]
        yield name, "".join(words[size : size + 1]), [at for at in named if schema.table_of(at) in near] or named
