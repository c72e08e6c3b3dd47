"""Roles that a catalogue bears out: within tables that links connect, of columns that hold what is said of them."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.catalogue.tables import Kind
from agent.understanding.mentions import LISTED, is_topic
from agent.understanding.moments import asks_when
from agent.understanding.roles import ROWS, WISHES, Literal, Roles
from agent.understanding.schema import NAMED, Schema, folded, forms

_ASKED = re.compile(
    r"\W*(?:which|what|show me|list|find) (?:all )?(?:(?:of )?the )?(?:(?:kind|type|sort)s? of )?([a-z]+)\b",
    re.IGNORECASE,
)


def settled(roles: Roles, schema: Schema, message: str) -> Roles:
    """Return the roles without values in prose, which is asked, not looked up. Where nobody says what to show, it is no
    column of another table than the one whose rows people write about; of who asks when it opens, it is the hours."""
    prose = {at for at, one in enumerate(schema.fields) if one.column.kind is Kind.FREE_TEXT}
    owners = sorted({schema.fields[at].table for at in prose})
    if roles.guessed and owners:
        needed = roles.tables[0] or {schema.fields[one.column].table for one in roles.literals if one.column >= 0}
        owner = next((at for at in owners if at in needed), owners[0])
        title = schema.title_of(owner)
        elsewhere = all(column == ROWS or schema.fields[column].table != owner for column, _ in roles.select)
        roles = replace(roles, select=[(title, "")]) if title is not None and elsewhere else roles
    roles = connected(_of_asked(_of_named(roles, schema, message), schema, message), schema)
    hours = [at for at in _main(roles, schema) if schema.fields[at].column.kind is Kind.OPENING_HOURS]
    if hours and asks_when(message):
        shown = [one for one in roles.select if one[0] != hours[0]]
        roles = replace(roles, select=[*shown, (hours[0], "")], guessed=False)
    roles = _without_places(roles, schema, message)
    return replace(
        roles,
        literals=[
            one._replace(column=schema.place_of(one.column)) if one.column >= 0 else one
            for one in roles.literals
            if one.column not in prose and not _is_noun(one, schema) and not _is_elsewhere(one, schema)
            if one.column < 0
            or schema.fields[one.column].column.kind is not Kind.ENUM
            or not is_topic((one.start, one.stop), one.column, roles, schema, message)
        ],
        where=[one for one in roles.where if one[0] not in prose],
        order=[one for one in roles.order if one[0] not in prose],
        group=[one for one in roles.group if one not in prose],
    )


def _without_places(roles: Roles, schema: Schema, message: str) -> Roles:
    """The roles of a search without where its rows are, unless the message names that: "where do people complain" asks
    which rows. Of a row that is named, the place is asked."""
    if any(schema.names_rows(one.column) for one in roles.literals if one.column >= 0):
        return roles
    asked = f" {folded(message)} "
    shown = [
        one
        for one in roles.select
        if one[0] == ROWS
        or schema.kind_of(one[0]) is not Kind.LOCATION
        or any(f" {name} " in asked for name in schema.names[one[0]])
    ]
    if shown or not roles.select:
        return replace(roles, select=shown)
    title = schema.title_of(schema.table_of(roles.select[0][0]))
    return replace(roles, select=[(title, "")], guessed=True) if title is not None else roles


def _of_asked(roles: Roles, schema: Schema, message: str) -> Roles:
    """The roles with the rows shown that a question begins with: "which <villages> have a campsite in the forest"."""
    if roles.move != "new" or roles.group or any(aggregate or column == ROWS for column, aggregate in roles.select):
        return roles
    said = _ASKED.match(message)
    words = said[1].lower() if said else ""
    table = next((at for at, nouns in enumerate(schema.nouns) if words in nouns), None)
    shown = {schema.fields[column].table for column, _ in roles.select}
    rest = folded(message[said.end() :]).split()[:1] if said else []
    if table is None:  # "which degree <programs>"
        table = next((at for at, nouns in enumerate(schema.nouns) if rest and rest[0] in nouns), None)
    column = _named_column(words, roles, schema) if table is None and words else None
    if column is not None and (roles.guessed or all(schema.is_title(one) for one, _ in roles.select)):
        return replace(roles, select=[(column, "")], guessed=False, distinct=True)
    title = schema.title_of(table) if table is not None else None
    if table in shown and roles.guessed and title is not None:
        return replace(roles, select=[(title, "")])
    if table is None or title is None or table in shown or not shown & schema.reached(table):
        return roles
    return replace(roles, select=[(title, "")], guessed=False, tables=(roles.tables[0] | {table}, roles.tables[1]))


def _named_column(word: str, roles: Roles, schema: Schema) -> int | None:
    """The column of values that a question begins with: "which <skippers> sail to Inishmoor"."""
    near = schema.reached(_begun(roles, schema))
    named = [
        at
        for at, one in enumerate(schema.fields)
        if one.table in near and one.column.kind in NAMED and not schema.is_title(at) and not one.primary
        if word in {form for name in schema.names[at] for form in forms(name)}
    ]
    told = {one.column for one in roles.literals}
    return named[0] if named and not told & {*named} else None


def _main(roles: Roles, schema: Schema) -> list[int]:
    return schema.of(_begun(roles, schema))


def _is_noun(literal: Literal, schema: Schema) -> bool:
    """Whether a value is only what rows are called, in some spelling."""
    known = literal.column < 0 or folded(literal.text) in schema.stored[literal.column]
    return not known and schema.is_noun(literal.text)


def _is_elsewhere(literal: Literal, schema: Schema) -> bool:
    """Whether a value said of a column of yes and no is one of a vocabulary: it is read where that stands."""
    if literal.column < 0 or schema.fields[literal.column].column.kind is not Kind.BOOLEAN:
        return False
    known = (at for form in forms(folded(literal.text)) for at, _ in schema.values.get(form, ()))
    return any(schema.fields[at].column.kind in LISTED for at in known)


def _of_named(roles: Roles, schema: Schema, message: str) -> Roles:
    """The roles with the rows that the message names by their noun, where they begin with tables that no link connects
    with those, and that nobody names."""
    words = set(folded(message).split())
    nouns = [{folded(noun) for noun in (schema.words[at], *one.noun)} for at, one in enumerate(schema.tables)]
    near = schema.reached(_begun(roles, schema))
    called = [nouns[at] | {folded(other) for other in schema.tables[at].synonyms} for at in near]
    named = next((at for at in range(len(nouns)) if at not in near and nouns[at] & words), None)
    if named is None or roles.move != "new" or any(names & words for names in called):
        return roles
    title = next((at for at in schema.titles if schema.fields[at].table == named), ROWS)
    shown = ROWS if (ROWS, "") in roles.select or "how many" in message.lower() else title
    return replace(
        roles,
        select=[(shown, "")],
        guessed=True,
        literals=[one for one in roles.literals if one.column < 0 or schema.fields[one.column].table not in near],
        tables=({named}, set()),
    )


def connected(roles: Roles, schema: Schema) -> Roles:
    """Return the roles of the tables that links connect with what is shown; what is said of others is not looked up."""
    near = schema.reached(_begun(roles, schema))
    if len(near) == len(schema.tables):
        return roles

    def inside(column: int) -> bool:
        return column < 0 or schema.fields[column].table in near

    told = [at for at, one in enumerate(schema.fields) if one.column.kind is Kind.FREE_TEXT and inside(at)]
    return replace(
        roles,
        select=[one for one in roles.select if inside(one[0])],
        where=[one for one in roles.where if inside(one[0])],
        order=[one for one in roles.order if inside(one[0])],
        group=[one for one in roles.group if inside(one)],
        having=[one for one in roles.having if inside(one[0])],
        compare=[one for one in roles.compare if inside(one[0])],
        filled=[one for one in roles.filled if inside(one[0])],
        tables=(roles.tables[0] & near, roles.tables[1] & near),
        literals=[one for one in roles.literals if inside(one.column)],
        marks=[
            one if inside(one.column) else one._replace(column=told[0])
            for one in roles.marks
            if inside(one.column) or (told and one.kind in WISHES and one.kind != "topic")
        ],
    )


def _begun(roles: Roles, schema: Schema) -> int:
    """The table that is surest to be needed: one that is shown, or whose value is told, else one that plays a role."""
    shown = [schema.fields[column].table for column, _ in roles.select if column != ROWS]
    known = [one for one in roles.literals if one.column >= 0]
    sure = [one for one in known if any(form in schema.stored[one.column] for form in forms(folded(one.text)))]
    told = [[schema.fields[one.column].table for one in some] for some in (sure, known)]
    first = [*told[0], *shown] if roles.guessed else [*shown, *told[0]]
    return next(iter([*first, *sorted(roles.tables[0]), *told[1]]), 0)
