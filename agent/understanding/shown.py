"""What a whole question shows: no more than it asks for, totals in the order in which it names them."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.catalogue.tables import Kind
from agent.text.figures import DISTANCE, FIGURES, NEARNESS
from agent.text.words import STOP, stem
from agent.understanding.roles import ROWS, Literal, Roles
from agent.understanding.schema import Schema, folded

_TOTALS = {
    "avg": "average averages avg mean",
    "min": "minimum min lowest smallest least",
    "max": "maximum max highest largest greatest",
    "sum": "total sum",
}
_TOTAL = {word: aggregate for aggregate, words in _TOTALS.items() for word in words.split()}
_ANY_TOTAL = rf"\b(?:{'|'.join(_TOTAL)})\b"
_LIST = re.compile(rf"{_ANY_TOTAL}(?:(?:,? and (?:the )?|, (?:the )?){_ANY_TOTAL})+", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)
_EVERYTHING = re.compile(
    r"\b(?:(?:all|every|full|complete|whole) (?:of )?(?:the )?(?:information|info|data|details?|records?|columns?)|"
    r"everything)\b",
    re.IGNORECASE,
)
CANNOT = (
    "I can't work out {figure} here. I can count, add up and average, and find the highest and the lowest: ask for one "
    "of those."
)
_LEADS = 2  # words, at most, between the name of a column and a value that it is said of: "with the name <Apple>"


def as_asked(roles: Roles, schema: Schema, message: str) -> Roles:
    """Return the roles of a question that stands alone with what it asks to be shown, and only that."""
    if roles.move != "new" or roles.kind != "none":
        return roles
    roles = _without_idle_tables(_without_constants(_with_all_totals(roles, message), schema, message), schema, message)
    plain = bool(roles.select) and not any(aggregate or at == ROWS for at, aggregate in roles.select)
    if _EVERYTHING.search(message) and plain and not (roles.group or roles.order_count):
        return replace(roles, everything=True, select=[])
    return roles


def uncomputed(schema: Schema, message: str) -> str:
    """Return what to say to a message that asks for a figure that no query here computes, unless a column has it: "the
    percentage of voters" of `percentage`; empty for another message."""
    for figure in (*FIGURES, DISTANCE):
        called = figure.told.split()[-1]
        if figure.pattern.search(message) and not any(called in one.words.split() for one in schema.fields):
            return CANNOT.format(figure=figure.told)
    placed = any(one.column.kind is Kind.LOCATION for one in schema.fields)
    return "" if placed or not NEARNESS.pattern.search(message) else CANNOT.format(figure=NEARNESS.told)


def _with_all_totals(roles: Roles, message: str) -> Roles:
    """The roles with each total of a list, "the average, maximum and total revenue", in the order of the list."""
    listed = _LIST.search(message)
    totals = [one for one in roles.select if one[1] in _TOTALS]
    if listed is None or not totals or len({column for column, _ in totals}) > 1:
        return roles
    said = dict.fromkeys(_TOTAL[word.lower()] for word in _WORD.findall(listed[0]) if word.lower() in _TOTAL)
    at = roles.select.index(totals[0])
    told = [(totals[0][0], aggregate) for aggregate in said]
    rest = [one for one in roles.select[at:] if one not in totals]
    return replace(roles, select=[*roles.select[:at], *told, *rest])


def _without_constants(roles: Roles, schema: Schema, message: str) -> Roles:
    """The roles without columns of which the question tells the only value, unless it asks for them: "the founder of
    Sony" shows no names."""
    if roles.either or any(aggregate or column == ROWS for column, aggregate in roles.select):
        return roles
    values: dict[int, list[Literal]] = {}
    for one in roles.literals:
        values.setdefault(one.column, []).append(one)
    single = {
        at: some[0] for at, some in values.items() if len(some) == 1 and some[0].operator == "=" and not some[0].inner
    }
    kept = [one for one in roles.select if one[0] not in single or _is_asked(single[one[0]], schema, message)]
    return replace(roles, select=kept) if kept and len(kept) < len(roles.select) else roles


def _is_asked(value: Literal, schema: Schema, message: str) -> bool:
    """Whether a message names the column of a value elsewhere than before the value: all of it, or "the name"."""
    before, after = folded(message[: value.start]).split(), folded(message[value.stop :]).split()
    for words in (before[: -_LEADS - 1], after):
        for at, word in enumerate(words):
            for name in schema.names[value.column]:
                first = name.split()[:-1]
                leads = words[:at][-len(first) :] if first else []
                if stem(word) == stem(name.split()[-1]) and (leads == first or {*words[:at][-1:]} <= STOP):
                    return True
    return False


def _without_idle_tables(roles: Roles, schema: Schema, message: str) -> Roles:
    """The roles without tables of which nothing is said: their rows are not named but as a part of what a column is
    called ("<document> types" of documents)."""
    columns = [*(at for at, _ in roles.select), *(one.column for one in roles.literals), *roles.group]
    columns += [*(at for at, *_ in roles.order), *(at for at, _ in [*roles.having, *roles.compare, *roles.where])]
    columns = [at for at in columns if at >= 0]
    used = {schema.table_of(at) for at in columns}
    counts = roles.order_count or roles.having_count or any(at == ROWS for at, _ in roles.select)
    if not used or counts or roles.filled or roles.marks:
        return roles
    called = {stem(word) for at in columns for name in schema.names[at] for word in name.split()}
    said = {stem(word) for word in folded(message).split()} - called
    idle = {
        table
        for table in roles.tables[0] - used
        if not any(said & {stem(word) for word in noun.split()} for noun in schema.nouns[table])
    }
    return replace(roles, tables=(roles.tables[0] - idle, roles.tables[1])) if idle else roles
