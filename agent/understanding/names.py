"""Names that belong to a column: "Prof. Ruiz", "those Ruiz teaches", "the one called Early Birds", "those that start
with S"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from agent.catalogue.tables import Kind
from agent.text.words import stem
from agent.understanding.roles import Literal, Roles
from agent.understanding.schema import Schema, folded

_NAME = r"(?-i:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*)"
_CALLED = re.compile(
    rf"\b(?:called|named|titled|entitled) [\"“]?(?P<name>{_NAME}(?: (?:and|of|the|in|to|for) {_NAME})*)"
)
_INITIALS = re.compile(
    r"\b(?:start|begin)(?:s|ning|ing)? with (?:the |an? )?(?:letters? )?[\"'“]?(?P<name>[a-z]{1,3})\b", re.IGNORECASE
)
_VERB = re.compile(r"['’]?s? ([a-z]+)", re.IGNORECASE)


def with_names(roles: Roles, schema: Schema, message: str) -> Roles:
    """Return the roles with names as values of the columns that the words beside them call, and no wishes."""
    literals = _joined([_of_verb(one, schema, message) for one in roles.literals], message)
    found = [*_led(schema, message), *_called(roles, schema, message)]
    told = [one for one in literals if not any(one.touches(name.start, name.stop) for name in found)]
    if not found and told == roles.literals:
        return roles
    marks = [one for one in roles.marks if not any(name.touches(one.start, one.stop) for name in found)]
    return replace(roles, literals=[*told, *found], marks=marks)


def _led(schema: Schema, message: str) -> list[Literal]:
    """The names that what a column is called by leads to: "<Prof.> Ruiz"."""
    found: dict[tuple[int, int], Literal] = {}
    for column in _texts(schema):
        called = "|".join(re.escape(name) for name in schema.names[column] if " " not in name)
        for said in re.finditer(rf"\b(?i:{called})\.? (?P<name>{_NAME})", message) if called else ():
            span = said.span("name")
            found.setdefault(span, Literal(said["name"].removesuffix("'s"), column, "=", False, *span))
    return list(found.values())


def _called(roles: Roles, schema: Schema, message: str) -> list[Literal]:
    """The titles that a message says something is called by, or the letters that they begin with."""
    titles = (schema.title_of(table) for table in sorted(roles.tables[0]))
    title = next((column for column in titles if column is not None), None)
    if title is None:
        return []
    name, letters = _CALLED.search(message), _INITIALS.search(message)
    found = [Literal(name["name"], title, "=", False, *name.span("name"))] if name else []
    return found + ([Literal(letters["name"], title, "like", False, *letters.span())] if letters else [])


def _of_verb(one: Literal, schema: Schema, message: str) -> Literal:
    """A name that nobody has stored for its column, as one of the column that the verb after it is a word for: "those
    that <Ruiz teaches>"."""
    verb = _VERB.match(message, one.stop)
    if verb is None or one.column < 0 or not one.text[:1].isupper() or folded(one.text) in schema.stored[one.column]:
        return one
    said = stem(verb[1].lower())
    named = [at for at in _texts(schema) if said in map(stem, schema.names[at])]
    return one._replace(column=named[0]) if named and one.column not in named else one


def _texts(schema: Schema) -> Iterator[int]:
    """The columns of text that neither name a row nor lead to one."""
    for at, one in enumerate(schema.fields):
        if one.column.kind is Kind.TEXT and not (schema.names_rows(at) or one.primary or one.link is not None):
            yield at


def _joined(literals: list[Literal], message: str) -> list[Literal]:
    """The values with the two parts of a double name as one: "knuth-ishikawa"."""
    found: list[Literal] = []
    for one in sorted(literals, key=lambda literal: literal.start):
        last = found[-1] if found else one
        if last.column == one.column >= 0 and last.stop > 0 and message[last.stop : one.start] == "-":
            found[-1] = last._replace(text=message[last.start : one.stop], stop=one.stop)
        else:
            found.append(one)
    return found if len(found) < len(literals) else literals
