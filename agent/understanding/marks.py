"""What a message wishes for that no column holds, as the tagger marks it, beside what the linker says of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.catalogue.tables import Kind
from agent.networks.tagger import Marks
from agent.understanding.roles import OF_COLUMNS, WISHES, Literal, Mark, Roles
from agent.understanding.schema import Schema, folded, forms

LIKELY, SURE = 0.3, 0.5  # from which a wish, and a value that no column may have, is one
WHOLE = 0.6  # the share of a mark that a value fills that is all of it


def marked(roles: Roles, schema: Schema, marks: Marks) -> Roles:
    """Return the roles with the tagger's marks. A value inside a longer wish is part of it: "authentic <poke>"."""
    prose = [at for at, one in enumerate(schema.fields) if one.column.kind is Kind.FREE_TEXT]
    if not prose:
        return roles

    def pointed(start: int, stop: int) -> int:
        return next((one.column for one in roles.marks if one.start < stop and start < one.stop), prose[0])

    found = [
        Mark(one.kind, pointed(one.start, one.stop), one.start, one.stop)
        for one in marks.marks
        if one.probability > (LIKELY if one.kind in WISHES else SURE) and one.kind in (*WISHES, *OF_COLUMNS)
    ]
    sure = {(one.start, one.stop) for one in marks.marks if one.kind in WISHES}
    wished = [one for one in found if (one.start, one.stop) in sure]
    return replace(roles, marks=found, literals=[one for one in roles.literals if not _is_part(one, schema, wished)])


def _is_part(literal: Literal, schema: Schema, marks: Sequence[Mark]) -> bool:
    """Whether a value of a list only says part of what is wished for."""
    column = schema.fields[literal.column].column if literal.column >= 0 else None
    if column is None:
        return False
    part = any(inside(literal.start, literal.stop, mark) for mark in marks)
    if column.kind is Kind.NUMBER or (column.many and column.kind is Kind.ENUM):
        return part  # "room for <12>", "authentic <poke>"
    unknown = column.kind is Kind.TEXT and not any(
        form in schema.stored[literal.column] for form in forms(folded(literal.text))
    )
    whole = any(mark.start <= literal.start and literal.stop <= mark.stop for mark in marks)
    topic = any(mark.kind == "topic" and mark.start <= literal.start and literal.stop <= mark.stop for mark in marks)
    return (unknown and whole) or (column.kind is Kind.TEXT and topic and literal.text.islower())


def inside(start: int, stop: int, mark: Mark) -> bool:
    """Return whether a stretch is part of a mark, and not the whole of it."""
    return mark.start <= start and stop <= mark.stop and stop - start < WHOLE * (mark.stop - mark.start)
