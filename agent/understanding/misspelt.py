"""Values that a message marks as such and that no column stores so: misspelt ones, the parts of a name, half of one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rapidfuzz.distance import OSA

from agent.catalogue.tables import Kind
from agent.text import grammar
from agent.understanding.roles import OF_COLUMNS, Literal, Mark, Roles
from agent.understanding.schema import NAMED, Schema, folded

LEAST = 5  # letters of a value that may be misspelt
LONGEST = 40  # characters of one
LETTERS = 7  # of a value, for each letter that may be wrong


def with_misspelt(roles: Roles, schema: Schema, message: str) -> Roles:
    """Return the roles with the values that are meant by marks of columns, in place of those marks."""
    marks = [one for one in roles.marks if one.kind in OF_COLUMNS and not schema.found(message[one.start : one.stop])]
    literals = list(roles.literals)
    for start, stop, mark in _stretches(marks, message):
        if any(one.touches(start, stop) and folded(one.text) in schema.values for one in literals):
            continue  # a part of a longer value
        if meant := _meant(message[start:stop], schema):
            column, value = meant
            literals = [one for one in literals if not one.touches(start, stop)]
            operator = "!=" if mark.kind == "not column" else "="
            literals.append(Literal(value, column, operator, False, start, stop))
    return replace(roles, literals=sorted(literals, key=lambda one: one.start))


def _stretches(marks: list[Mark], message: str) -> Iterator[tuple[int, int, Mark]]:
    """Each mark, and before it those that stand together as one."""
    for at, one in enumerate(marks):
        if at + 1 < len(marks) and not message[one.stop : marks[at + 1].start].strip():
            yield one.start, marks[at + 1].stop, one
        yield one.start, one.stop, one


def _meant(text: str, schema: Schema) -> tuple[int, str] | None:
    """The column and the value that a text means, None where that is none, or not one alone."""
    said = folded(text)
    if not said or len(said) > LONGEST:
        return None
    words = said.split()
    halves = {
        (at, value)
        for at, one in enumerate(schema.fields)
        if one.column.kind is Kind.ENUM
        for value in schema.stored[at].values()
        if "&" in value and said in map(folded, value.split("&"))
    }
    if len(halves) == 1:
        return halves.pop()
    if len(said) < LEAST or (len(words) == 1 and grammar.is_word(said)):
        return None
    plain, best, found = said.replace(" ", ""), 1 + len(said) // LETTERS, set()
    for at, one in enumerate(schema.fields):
        if one.column.kind not in NAMED or (len(words) > 1 and all(map(grammar.is_word, words))):
            continue
        for form, value in schema.spellings(at):
            other = form.replace(" ", "")
            near = best if form.count(" ") + 1 == len(words) else min(best, 1)  # "soto voce"
            far = OSA.distance(plain, other, score_cutoff=near) if other[:1] == plain[:1] else best + 1
            if far > near:
                continue
            if far < best:
                best, found = far, {(at, value)}
            elif far == best:
                found.add((at, value))
    return found.pop() if len(found) == 1 else None
