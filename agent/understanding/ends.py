"""Words for the two ends of a scale, which a curator tells of a column: "the cheapest", "an older one", "cheap"."""

from __future__ import annotations

from dataclasses import replace

from agent.text import grammar
from agent.text.wordlists import words as listed
from agent.understanding.roles import LIMIT, Roles
from agent.understanding.schema import Field, Schema, folded

#: Words that end many scales: which one is meant, only the name of its column beside them tells.
_OF_ANY = frozenset(listed("most least first last more less fewest lowest highest smallest largest biggest top bottom"))


def ordered_by_ends(roles: Roles, schema: Schema, message: str) -> Roles:
    """Return the roles with the order that a word for one end of a scale asks for, where they have none: rows from
    that end on, only the first one for a superlative of one thing. Where several scales have the word, none is meant.
    """
    if roles.order or roles.order_count or roles.kind != "none" or any(aggregate for _, aggregate in roles.select):
        return roles
    words = folded(message).split()
    told = {one.column for one in roles.literals}
    found = [
        (column, direction, at)
        for column, one in enumerate(schema.fields)
        for direction, ends in (("asc", one.column.low_words), ("desc", one.column.high_words))
        for at, word in enumerate(words)
        if column not in told and any(_is_end(word, end) for end in ends)
        if word not in _OF_ANY or _named(one, words)
    ]
    if len({column for column, _, _ in found}) != 1 or len({direction for _, direction, _ in found}) != 1:
        return roles
    column, direction, at = found[0]
    several = "NNS" in grammar.tags(tuple(words))[at + 1 : at + 3] or "ones" in words[at + 1 : at + 3]
    alone = grammar.is_superlative(words[at]) and not several
    counted = any(one.column == LIMIT for one in roles.literals)
    return replace(roles, order=[(column, "", direction)], limit=2 if counted else 1 if alone else roles.limit)


def _is_end(word: str, end: str) -> bool:
    return word == end or (bool(grammar.adjective(word)) and grammar.adjective(word) == grammar.adjective(end))


def _named(one: Field, words: list[str]) -> bool:
    return bool({*one.words.split(), *folded(" ".join(one.column.synonyms)).split()} & set(words))
