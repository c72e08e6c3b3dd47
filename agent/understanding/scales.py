"""Vocabularies whose values have an order, from the least to the most: "not too dear", "moderate or cheaper".

A column has one where its values are listed and a curator told words for its ends.
"""

from __future__ import annotations

import re
from dataclasses import replace

from agent.catalogue.tables import Column, Kind
from agent.text import grammar
from agent.understanding.roles import Roles
from agent.understanding.schema import Schema, folded

_DEGREE = re.compile(r"\b(most|least)\s+$", re.IGNORECASE)


def is_scale(column: Column) -> bool:
    """Return whether the values of a column have an order."""
    ends = column.low_words or column.high_words
    return column.kind is Kind.ENUM and not column.many and len(column.values) > 1 and bool(ends)


def on_scale(column: Column, operator: str, value: str) -> tuple[str, ...]:
    """Return the values of a scale that a comparison with one of them leaves. What is not one of the higher half is
    below it, and what is not one of the lower half above it."""
    values = column.values
    at = values.index(value)
    if operator == "!=":
        return values[:at] if _is_high(column, value) else values[at + 1 :]
    return {"<": values[:at], "<=": values[: at + 1], ">": values[at + 1 :], ">=": values[at:]}.get(operator, (value,))


def ordered_by_values(roles: Roles, schema: Schema, message: str) -> Roles:
    """Return the roles with the order that a value of a scale asks for where it is said of the most or the least:
    "the most expensive", "the cheapest", "from cheapest to most expensive"."""
    order, told = [*roles.order, *_said(schema, message)], []
    for one in roles.literals:
        column = schema.fields[one.column].column if one.column >= 0 else None
        value = schema.stored[one.column].get(_base(one.text)) if column and is_scale(column) else None
        degree = _DEGREE.search(message[: one.start])
        if column is None or value not in column.values or not (degree or grammar.is_superlative(folded(one.text))):
            told.append(one)
        elif all(at != one.column for at, _, _ in order):
            high = _is_high(column, value) != (degree is not None and degree[1].lower() == "least")
            order.append((one.column, "", "desc" if high else "asc"))
    if len(order) == len(roles.order):
        return roles
    new = {column for column, _, _ in order[len(roles.order) :]}
    where = [one for one in roles.where if one[0] not in new]
    told = [one for one in told if one.column not in new or folded(one.text) not in schema.stored[one.column]]
    order = [one for one in order if one[0] in new][:1]  # what is said outright orders, not what is likely
    return replace(roles, literals=told, order=order, where=where, limit=roles.limit or int(_alone(message)))


def _said(schema: Schema, message: str) -> list[tuple[int, str, str]]:
    """The orders that a message says with a value: the most or the least of it."""
    words, found = folded(message).split(), []
    for column, one in enumerate(schema.fields):
        if not is_scale(one.column):
            continue
        for at, word in enumerate(words):
            degree = words[at - 1] if at and words[at - 1] in ("most", "least") else ""
            value = schema.stored[column].get(_base(word))
            if value in one.column.values and (degree or (grammar.is_superlative(word) and word != _base(word))):
                found.append((column, "", "desc" if _is_high(one.column, value) != (degree == "least") else "asc"))
    return found


def _alone(message: str) -> bool:
    """Whether the first of the order is wanted, and not all: "from the cheapest", "the cheapest places"."""
    words = folded(message).split()
    at = next((at for at, word in enumerate(words) if grammar.is_superlative(word) or word in ("most", "least")), 0)
    several = "NNS" in grammar.tags(tuple(words))[at + 1 : at + 4] or "ones" in words[at + 1 : at + 4]
    return not several and words[max(0, at - 2) : at][:1] != ["from"] and words[max(0, at - 1) : at] != ["from"]


def _is_high(column: Column, value: str) -> bool:
    return column.values.index(value) >= len(column.values) / 2


def _base(text: str) -> str:
    plain = folded(text)
    return grammar.adjective(plain) or plain
