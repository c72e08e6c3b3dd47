"""What is asked of a row that the message names by its title or code: "who teaches CS 161", "the fee of Hedgerow"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from agent.catalogue.tables import Kind
from agent.text.words import stem
from agent.understanding.roles import OF_COLUMNS, ROWS, Literal, Roles
from agent.understanding.schema import Schema, folded, forms

LEAST = 4  # letters of a name that is meant wherever it is said
_PEOPLE_SAY = re.compile(r"\b(?:say|says|said|think|recommend\w*|complain\w*|according to)\b", re.IGNORECASE)
_ASKS = re.compile(r"\b(?:who|whose|what|whats|when|whens|where|how|does|do|is|are|called|named)\b", re.IGNORECASE)
_SEEKS = re.compile(r"\b(?:is|are)n?['’]?t? there\b|\b(?:any|an?|some|find|looking|want|need)\b", re.IGNORECASE)
_OF_ROW = re.compile(  # "are lectures recorded in Compilers?", "whats the Compilers class about"
    r"\W*(?:is|are|was|were|do|does|did|has|have|can|what|whats|what's|how|when|where)\b(?! (?:kind|sort|type)s?\b)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(  # before whoever is asked about: "is Professor <Ruiz> strict", "what do people say about <Ruiz>"
    r"(?:\W*(?:is|are|was|were|do|does|did|has|have|can)|.*\b(?:say|says|said|think|thinks|thought) (?:about|of))"
    r"(?: [\w.]+)? $",
    re.IGNORECASE,
)
_OF = re.compile(r"\b(of|for|at|about)(?: the)? $", re.IGNORECASE)
_CALLED = re.compile(r"\b(?:called|named|titled|entitled) [\"“]?$", re.IGNORECASE)
_COMPARED = re.compile(
    r"(?:how (?:do|does) )?(?:(?:in )?compar(?:e|es|ed|ison)|versus|vs\.?)(?: (?:to|with))?", re.IGNORECASE
)
_AMOUNT_OF = re.compile(r"\b(?:more|fewer|most|fewest|how many) ([a-z]+)", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow many ([a-z]+)", re.IGNORECASE)
_UNTOLD = frozenset({Kind.FREE_TEXT, Kind.LOCATION})  # asked, or said by words that lead to anything


def with_asked(roles: Roles, schema: Schema, message: str) -> Roles:
    """Return the roles with the columns that a message about a named row asks of it, beside its title."""
    roles = _of_remarks(_with_title(roles, schema, message), schema, message)
    known = [
        one for one in roles.literals if one.operator == "=" and not one.inner and _is_name(one, roles, schema, message)
    ]
    if not known or _PEOPLE_SAY.search(message) or roles.kind != "none" or roles.order or roles.order_count:
        return roles
    roles = replace(roles, select=[_plain(one, schema) for one in roles.select])
    table = schema.table_of(known[0].column)
    title = schema.title_of(table)
    title = known[0].column if title is None else title
    told = {one.column for one in roles.literals}
    said = [column for column in asked_columns(schema, message, table) if column not in told | {title}]
    said += [column for column in _counted(schema, message, table) if column not in said]
    shown = [one for one in roles.select if one[0] != ROWS and schema.table_of(one[0]) in schema.reached(table)]
    if any(aggregate for _, aggregate in roles.select) or roles.group:
        return roles
    if (ROWS, "") in roles.select and not _counts(schema, message, said):
        return roles  # "how many calls does the Lady Moyna make?"
    bare = all(column in {title, known[0].column, ROWS} for column, _ in roles.select) or not shown or roles.guessed
    if not said and (shown or not bare):
        return roles
    chosen = [] if bare else [one for one in shown if one[0] != title]
    columns = [(title, ""), *dict.fromkeys([*chosen, *((column, "") for column in said)])]
    prose = [
        mark
        for mark in roles.marks
        if not {*asked_columns(schema, message[mark.start : mark.stop], table)} & {*said}
        and not _COMPARED.fullmatch(message, mark.start, mark.stop)
    ]
    guessed = not said and not chosen
    return replace(roles, select=columns, guessed=guessed, tables=({table}, set()), group=[], marks=prose)


def asks_about(literal: Literal, schema: Schema, message: str) -> bool:
    """Return whether a message asks something about a name that is no row's, such as that of a person."""
    if literal.column < 0 or literal.inner or schema.names_rows(literal.column):
        return False
    text = schema.fields[literal.column].column.kind is Kind.TEXT and literal.operator in ("=", "like")
    return text and _SUBJECT.fullmatch(message[: literal.start]) is not None


def _of_remarks(roles: Roles, schema: Schema, message: str) -> Roles:
    """The roles with a name that is asked about as one of the rows that people remark on."""
    tables = {table for at in range(len(schema.tables)) for table in schema.remarks_on(at)}
    twins = {schema.fields[at].column.name: at for table in sorted(tables) for at in schema.of(table)}
    found = [
        one._replace(column=twins.get(schema.fields[one.column].column.name, one.column))
        if asks_about(one, schema, message)
        else one
        for one in roles.literals
    ]
    return roles if found == roles.literals else replace(roles, literals=found)


def _plain(shown: tuple[int, str], schema: Schema) -> tuple[int, str]:
    """What is shown of a row whose column holds an average already: "the average hours of CS 161"."""
    column, aggregate = shown
    own = column != ROWS and aggregate == "avg" and schema.fields[column].words.split()[:1] in (["average"], ["mean"])
    return (column, "") if own else shown


def _counts(schema: Schema, message: str, said: list[int]) -> bool:
    """Whether "how many" asks for a number that a column has: "how many <hours> does CS 161 take?"."""
    asked = _HOW_MANY.search(message)
    words = folded(asked[1]).split()[:1] if asked else []
    return any(
        {stem(word) for word in words} & {stem(word) for name in schema.names[column] for word in name.split()}
        for column in said
        if schema.fields[column].column.kind is Kind.NUMBER
    )


def _counted(schema: Schema, message: str, table: int) -> list[int]:
    """The columns of numbers that a message names by what they count: "which has more <reviews>?"."""
    words = {folded(said[1]) for said in _AMOUNT_OF.finditer(message)}
    units = {at: forms(folded(schema.fields[at].column.unit)) for at in schema.of(table) if schema.fields[at].number}
    return [at for at, unit in units.items() if words & {*unit} - {""}]


def _with_title(roles: Roles, schema: Schema, message: str) -> Roles:
    """The roles with the row whose title is all that a mark says, where the message asks for columns of it: "who
    teaches <Compilers>?"."""
    for mark in roles.marks if _ASKS.search(message) and not _SEEKS.search(message) else ():
        said = message[mark.start : mark.stop]
        kinds = ("topic", "wish", "column") if _is_asked_of(message[: mark.start], schema) else ("topic", "wish")
        homes = [at for at in schema.titles if folded(said) in schema.stored[at] and mark.kind in kinds]
        if len(homes) == 1 and (_OF_ROW.match(message) or asked_columns(schema, message, schema.table_of(homes[0]))):
            name = Literal(said, homes[0], "=", False, mark.start, mark.stop)
            others = [one for one in roles.literals if not one.touches(mark.start, mark.stop)]
            return replace(roles, literals=[*others, name], marks=[one for one in roles.marks if one != mark])
    return roles


def _is_asked_of(before: str, schema: Schema) -> bool:
    """Whether words ask something of what follows: "the phone number of", "what do people say about the service at"."""
    led = _OF.search(before)
    tables = range(len(schema.tables))
    return led is not None and bool(
        _PEOPLE_SAY.search(before) or (led[1] != "at" and any(asked_columns(schema, before, at) for at in tables))
    )


def _is_name(literal: Literal, roles: Roles, schema: Schema, message: str) -> bool:
    """Whether a value names a row: a code, or a title as it is stored, or that a row is called by, that is no wish."""
    if schema.names_rows(literal.column) and not schema.is_title(literal.column):
        return True
    wishes = [mark for mark in roles.marks if mark.kind not in OF_COLUMNS]
    wished = any(mark.start < literal.stop and literal.start < mark.stop for mark in wishes)
    called = _CALLED.search(message[: literal.start]) is not None
    stored = literal.column in schema.titles and (called or folded(literal.text) in schema.stored[literal.column])
    return stored and not wished


def asked_columns(schema: Schema, message: str, table: int) -> list[int]:
    """Return the columns of a table and of those that belong to it which a message names, in the order named; of two
    that share a word those of the nearer table."""
    words = [stem(word) for word in folded(message).split()]
    tables = [table, *sorted(schema.reached(table) - {table})]
    free: list[int | None] = [None] * len(words)  # the table whose column a word names
    found: dict[int, int] = {}
    by_length = sorted(_names(schema, tables), key=lambda one: (-one[0], tables.index(schema.table_of(one[1]))))
    for size, column, name in by_length:
        home = schema.table_of(column)
        for at in range(len(words) - size + 1) if column not in found else ():
            near = free[at : at + size]
            shared = near == [None] * size or any(
                place == at and schema.table_of(other) == home for other, place in found.items()
            )
            if words[at : at + size] == name and shared:
                free[at : at + size] = [home] * size
                found[column] = at
                break
    return sorted(found, key=lambda column: (found[column], column))


def _names(schema: Schema, tables: list[int]) -> Iterator[tuple[int, int, list[str]]]:
    """Columns by what they are called: how many words, the column, the words."""
    for column, one in enumerate(schema.fields):
        if one.table not in tables or one.primary or one.link is not None or one.column.kind in _UNTOLD:
            continue
        for name in schema.names[column]:
            if len(name) >= LEAST:
                yield len(name.split()), column, [stem(word) for word in name.split()]
