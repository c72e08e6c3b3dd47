"""Rows that were shown, where a later message speaks of them: they are known by their names, and not searched again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.understanding.context import Earlier
from agent.understanding.known_rows import asked_columns
from agent.understanding.roles import BY_WORDS, ROWS, Literal, Roles
from agent.understanding.schema import NAMED, Schema, folded
from agent.understanding.unused import is_light

#: Moves that ask something about rows, and those that search among them where the message points to them.
ASKING, SEARCHING = frozenset({"row", "show"}), frozenset({"refine", "sort", "aggregate", "row", "show"})
OTHERS = re.compile(r"\b(?:others?|else|elsewhere|rest|besides|except|outside|apart)\b", re.IGNORECASE)
_SHARED = re.compile(r"\b(?:that|this|those|these|the same|his|her|their) (?P<name>[a-z]+(?: [a-z]+)?)", re.IGNORECASE)
_THESE = re.compile(r"\b(?:these|those|them|they|their|theirs|both)\b", re.IGNORECASE)


def names_shown(before: Earlier, schema: Schema) -> list[Literal]:
    """Return the rows that a query named or showed, by their names; nothing where the names are not known."""
    told = [one for one in before.roles.literals if schema.is_title(one.column) and one.operator == "="]
    if told:
        return [one._replace(start=0, stop=0) for one in told if one.column == told[0].column]
    shown = [schema.table_of(column) for column, _ in before.roles.select if column != ROWS]
    for title in schema.titles:
        name = schema.fields[title].column.name
        named = [str(row[name]) for row in before.rows if row.get(name) is not None]
        if named and len(named) == len(before.rows) and schema.table_of(title) in (shown or {schema.table_of(title)}):
            return [Literal(text, title, "=", inner=False) for text in dict.fromkeys(named)]
    return []


def speaks_of_shown(roles: Roles, message: str, before: Earlier, schema: Schema) -> bool:
    """Return whether a message asks about the rows that a search in prose showed, or searches among them alone."""
    if any(schema.is_title(one.column) and one.stop for one in roles.literals):
        return roles.move in ASKING
    if any(mark.kind == "topic" for mark in roles.marks) and not _THESE.search(message):
        return False  # "the one about maps"
    pointed = roles.move in ASKING or (roles.move in SEARCHING and _THESE.search(message) is not None)
    return bool(before.wishes) and pointed and bool(names_shown(before, schema))


def asks_of_shown(roles: Roles, message: str, before: Earlier, schema: Schema) -> bool:
    """Return whether all that a message says is a question to prose: it is asked of the rows that were shown."""
    asked = [(mark.start, mark.stop) for mark in roles.marks if mark.kind == "question"]
    if not asked or any(one.column >= 0 for one in roles.literals) or not names_shown(before, schema):
        return False
    rest = "".join(" " if any(a <= at < b for a, b in asked) else one for at, one in enumerate(message))
    return all(map(is_light, folded(rest).split()))


def of_shown(roles: Roles, before: Earlier, schema: Schema) -> Roles:
    """Return the roles with the names of the rows that were shown, where the message means none of them."""
    if any(schema.is_title(one.column) and one.operator == "=" for one in roles.literals):
        return roles
    names = names_shown(before, schema)
    held = [one for one in roles.literals if one.column not in {name.column for name in names}]
    tables = (roles.tables[0] | {schema.table_of(one.column) for one in names}, roles.tables[1])
    shown = roles.select if roles.move not in ASKING or roles.guessed else [(names[0].column, ""), *roles.select]
    return replace(roles, literals=[*held, *names], tables=tables, select=list(dict.fromkeys(shown)))


def with_named_columns(roles: Roles, message: str, before: Earlier, schema: Schema) -> Roles:
    """Return the roles with the columns that a message about rows that were shown names, which are not asked of
    prose."""
    shown = [schema.table_of(column) for column, _ in before.roles.select if column != ROWS]
    totals = any(aggregate for _, aggregate in roles.select) or roles.group or (ROWS, "") in roles.select
    if roles.move not in ASKING or not shown or (totals and len(before.rows) != 1):
        return roles
    told = {one.column for one in roles.literals} | set(schema.titles)
    words = message
    for one in roles.literals:
        if one.operator in BY_WORDS:  # "still have <room>"
            words = words[: one.start] + " " * (one.stop - one.start) + words[one.stop :]
    said = [column for column in asked_columns(schema, words, shown[0]) if column not in told]
    if not said:
        return roles
    twins = {schema.fields[column].words for column in said}
    chosen = [one for one in roles.select if one[0] != ROWS and schema.fields[one[0]].words not in twins]
    chosen = [one for one in chosen if not (roles.guessed or schema.is_title(one[0]))]
    named = [(column, "") for column in said]
    marks = [
        mark
        for mark in roles.marks
        if not {*asked_columns(schema, message[mark.start : mark.stop], shown[0])} & {*said}
    ]
    return replace(roles, select=list(dict.fromkeys([*chosen, *named])), guessed=False, marks=marks)


def shares(message: str, past: Sequence[Earlier], schema: Schema) -> int | None:
    """Return the column that other rows share with those that were shown: "what else does that <skipper> sail?"."""
    said = [folded(one["name"]) for one in _SHARED.finditer(message)] if OTHERS.search(message) else []
    shown = names_shown(past[0], schema) if said else []
    near = schema.reached(schema.table_of(shown[0].column)) if shown else set()
    for name in (part for text in said for part in (text, text.split(" ")[0])):
        for at, one in enumerate(schema.fields):
            if one.table in near and one.column.kind in NAMED and name in schema.names[at] and not schema.is_title(at):
                return at
    return None
