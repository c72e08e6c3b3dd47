"""Words for the two ends of a scale, which a curator tells of a column: "the cheapest", "an older one", "cheap"."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice, takewhile

from agent.catalogue.tables import Kind
from agent.text import grammar
from agent.text.grammar import AUXILIARY
from agent.text.wordlists import words as listed
from agent.text.words import STOP
from agent.understanding.roles import LIMIT, OF_COLUMNS, ROWS, Roles
from agent.understanding.schema import Field, Schema, folded

#: Words that end many scales: which one is meant, only the name of its column beside them tells.
_OF_ANY = frozenset(listed("most least first last more less fewest lowest highest top bottom"))
_IRREGULAR = frozenset({"best", "worst"})  # "I am bad at maths" wants no worst
_SORTED = re.compile(
    r"\b(?:sort|order|rank)(?:ed|ing)?\b[^,.;]*? by (?:the )?(?P<by>[^,.;]+?)(?=$|[,.;]| and )", re.IGNORECASE
)
_RANKED = re.compile(r"\brank(?:ed|ing)?\b", re.IGNORECASE)
_AVERAGE = re.compile(
    r"\b(?:average|avg|mean)\s+(?P<of>[^,.;?]+?)(?=\s+(?:of|for|in|at|on|across)\b|[,.;?]|$)", re.IGNORECASE
)
_DOWN = frozenset(listed("highest descending decreasing largest newest latest longest most best"))
_UP = frozenset(listed("lowest ascending increasing smallest oldest earliest shortest fewest least cheapest"))
ORDERED = frozenset({Kind.NUMBER, Kind.DATE, Kind.TIME, Kind.ENUM})
_MOST, _LEAST = (
    frozenset(listed("most highest largest biggest greatest")),
    frozenset(listed("fewest least lowest smallest")),
)
#: After a superlative that orders all rows: "cheapest first", "lowest to highest", "best rated on top".
_FROM_END = re.compile(r"(?:to|first|(?:\w+ )?(?:at the|on|on the) top)\b")
_NEAR = 4  # words after a superlative in which the thing stands that it is of
_TOP = frozenset({"top", "best"})  # the first rows of the order that a curator gave


def ordered_by_ends(roles: Roles, schema: Schema, message: str) -> Roles:
    """Return the roles with the order that a word for one end of a scale asks for, where they have none: rows from
    that end on, only the first one for a superlative of one thing. Where several scales have the word, none is meant.
    """
    if sorted_by := _SORTED.search(message):
        table = _table(roles, schema)
        column = schema.asked_of(sorted_by["by"], table, *sorted(schema.reached(table) - {table}))
        if column is not None and schema.fields[column].column.kind in ORDERED:
            return replace(roles, order=[(column, "", _direction(roles, schema.fields[column], column, message))])
    if (named := _most_of(roles, schema, message)) is not None:
        column, direction, at = named
        return replace(roles, order=[(column, "", direction)], order_count="", limit=_limit(roles, message, at + 1))
    if roles.order or roles.order_count or roles.kind != "none" or any(aggregate for _, aggregate in roles.select):
        return replace(roles, limit=roles.limit or _first(roles, message))
    if roles.select == [(ROWS, "")] and not roles.group:
        return roles  # one number
    words = folded(message).split()
    told = {one.column for one in roles.literals}
    wishes = (mark for mark in roles.marks if mark.kind not in OF_COLUMNS)
    wished = {word for mark in wishes for word in folded(message[mark.start : mark.stop]).split()}
    found = [
        (column, direction, at)
        for column, one in enumerate(schema.fields)
        for direction, ends in (("asc", one.column.low_words), ("desc", one.column.high_words))
        for at, word in enumerate(words)
        if words[at + 1 : at + 2] != ["than"]
        and (word not in wished or grammar.is_superlative(word))
        and column not in told
        and any(_is_end(word, end) for end in ends)
        and word not in schema.stored[column]
        if word not in _OF_ANY or (_named(one, words) and words[at - 1 : at] != ["at"])
    ]
    if not found and _TOP & set(words) and (default := _default(roles, schema)):
        found = [(*default, next(at for at, word in enumerate(words) if word in _TOP))]
    table = _table(roles, schema)
    here = [one for one in found if schema.fields[one[0]].table == table]
    found = here or found
    if len({column for column, _, _ in found}) > 1:
        found = [one for one in found if _named(schema.fields[one[0]], words)] or _of_first_with_unit(found, schema)
    if len({column for column, _, _ in found}) != 1 or len({direction for _, direction, _ in found}) != 1:
        return roles
    column, direction, at = found[0]
    limit = _limit(roles, message, at) if grammar.is_superlative(words[at]) or words[at] in _TOP else roles.limit
    counted = any(one.column == LIMIT for one in roles.literals)
    return replace(roles, order=[(column, "", direction)], limit=2 if counted else limit)


def _of_first_with_unit(found: list[tuple[int, str, int]], schema: Schema) -> list[tuple[int, str, int]]:
    """Of columns that have one unit ("the cheapest", of a price and a deposit) the first, which tables begin with."""
    units = {schema.fields[column].column.unit.lower() for column, *_ in found}
    first = min(column for column, *_ in found)
    return [one for one in found if one[0] == first] if len(units) == 1 and "" not in units else []


def _limit(roles: Roles, message: str, at: int) -> int:
    """How many rows a superlative wants: the first, but where a number or a plural says that they are several."""
    if any(one.column == LIMIT for one in roles.literals):
        return 2
    words = folded(message).split()
    if ordered := _FROM_END.match(" ".join(words[at + 1 :])):
        return 0 if ordered[0].endswith("top") else roles.limit
    tagged = zip(words[at + 1 :], grammar.tags(tuple(words))[at + 1 :], strict=True)
    thing = takewhile(lambda one: one[1] not in ("IN", "WDT", "WP", "WRB") and one[0] not in AUXILIARY, tagged)
    several = any((tag == "NNS" and after.endswith("s")) or after == "ones" for after, tag in islice(thing, _NEAR))
    return roles.limit if several else 1


def _first(roles: Roles, message: str) -> int:
    """1 where one thing is meant, the first of an order that is known: "the best rated café with a garden"."""
    words = folded(message).split()
    meant = (at for at, word in enumerate(words) if word in _TOP or grammar.is_superlative(word))
    at = next((at for at in meant if words[at - 1 : at] == ["the"]), None)
    alone = at is not None and roles.order and not roles.order_count and roles.kind == "none"
    return _limit(roles, message, at) if at is not None and alone else 0


def _most_of(roles: Roles, schema: Schema, message: str) -> tuple[int, str, int] | None:
    """The column of numbers of which a message wants the most or the least: "most singers", "the highest toll". None
    where an order is known, or what is named is rows of a table, which are counted."""
    words = folded(message).split()
    begun, nouns = _table(roles, schema), frozenset().union(*schema.nouns)
    near = schema.reached(begun)
    named: dict[str, list[int]] = {}
    for column, one in enumerate(schema.fields):
        for name in (_names(schema, column) - nouns) | _counted(one) if one.table in near else ():
            named.setdefault(name, []).append(column)
    for at, word in enumerate(words[:-1]):
        if roles.order or word not in _MOST | _LEAST or words[at - 1 : at] == ["at"]:
            continue
        for name in (" ".join(words[at + 1 : at + 1 + size]) for size in (3, 2, 1)):
            columns = named.get(name) or named.get(f"{word} {name}", [])
            here = [column for column in columns if schema.fields[column].table == begun] or columns
            if len(here) == 2 and (pair := schema.ends_of(here[0])) and {*pair} == {*here}:
                here = [pair[word in _MOST]]  # the most of the most
            if len(here) == 1:
                return here[0], "desc" if word in _MOST else "asc", at
    return None


def _names(schema: Schema, column: int) -> set[str]:
    """What a column of numbers is called, and what its numbers count."""
    one = schema.fields[column]
    if one.column.kind is not Kind.NUMBER or one.primary or one.link is not None:
        return set()
    return {*schema.names[column], folded(one.column.unit)} - {""}


def _counted(one: Field) -> set[str]:
    """What the numbers of a column count."""
    return {folded(one.column.unit)} - {""} if one.column.kind is Kind.NUMBER else set()


def compared_by(schema: Schema, table: int, said: str) -> tuple[int, str] | None:
    """Return the column of a table, and the operator, that a comparative means: "dearer", "more cars", "less heavy"."""
    words = folded(said).split()
    degree = words[0] if words[:1] and words[0] in ("more", "less", "fewer") else ""
    name = " ".join(words[1:] if degree else words)
    named = [column for column in schema.of(table) if name in _names(schema, column)] if degree else []
    if len(named) == 1:
        return named[0], ">" if degree == "more" else "<"
    found = {
        (column, operator)
        for column in schema.of(table)
        for operator, ends in (
            ("<", schema.fields[column].column.low_words),
            (">", schema.fields[column].column.high_words),
        )
        if name and any((grammar.adjective(name) or name) == (grammar.adjective(end) or end) for end in ends)
    }
    if len(found) != 1:
        return None
    column, operator = found.pop()
    return column, operator if degree != "less" else {"<": ">", ">": "<"}[operator]


def averaged(roles: Roles, schema: Schema, message: str) -> Roles:
    """Return the roles with the average that a message names with its column: "the average rating of"."""
    said = _AVERAGE.search(message)
    if said is None or any(aggregate for _, aggregate in roles.select) or roles.order:
        return roles
    table = _table(roles, schema)
    named = [schema.asked_of(said["of"], at) for at in (table, *sorted(schema.reached(table) - {table}))]
    column = next((at for at in named if at is not None and schema.fields[at].number), None)
    return replace(roles, select=[(column, "avg")], guessed=False) if column is not None else roles


def _direction(roles: Roles, one: Field, column: int, message: str) -> str:
    """The direction of an order by a column: as the message says, else from what a curator calls the best on."""
    words = folded(message).split()
    for before, word in zip(["", *words], words, strict=False):
        if before != "at" and (word in _DOWN or word in _UP):
            return "desc" if word in _DOWN else "asc"
    if one.number and _RANKED.search(message):
        return "desc"
    likely = next((direction for at, _, direction in roles.order if at == column), "")
    return "desc" if _TOP & {*one.column.high_words} else likely or "asc"


def _table(roles: Roles, schema: Schema) -> int:
    shown = [schema.fields[column].table for column, _ in roles.select if column != ROWS]
    return [*shown, *sorted(roles.tables[0]), 0][0]


def _default(roles: Roles, schema: Schema) -> tuple[int, str] | None:
    """The column that orders the rows of what is shown where nobody says how, and its direction."""
    table = _table(roles, schema)
    name, _, direction = schema.tables[table].order.partition(",")[0].partition(" ")
    column = next((at for at in schema.of(table) if schema.fields[at].column.name == name), None)
    return (column, "desc" if direction.startswith("DESC") else "asc") if column is not None else None


def _is_end(word: str, end: str) -> bool:
    if {word, end} & (_OF_ANY | _IRREGULAR):
        return word == end
    if word != end and grammar.is_superlative(end) and not grammar.is_superlative(word):
        return False  # "fewer than 50" is not "the fewest"
    return word == end or (bool(grammar.adjective(word)) and grammar.adjective(word) == grammar.adjective(end))


def _named(one: Field, words: list[str]) -> bool:
    named = {*one.words.split(), *folded(" ".join(one.column.synonyms)).split()}
    return bool({word for word in named if len(word) > 2 and word not in _OF_ANY | STOP} & set(words))
