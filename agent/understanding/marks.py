"""What a message wishes for that no column holds, as the tagger marks it, beside what the linker says of columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.catalogue.tables import Kind
from agent.networks.tagger import Marks
from agent.text import grammar
from agent.understanding.denials import compared
from agent.understanding.mentions import homed, is_told
from agent.understanding.roles import OF_COLUMNS, WISHES, Literal, Mark, Roles
from agent.understanding.schema import Schema, folded, forms

LONGEST_WORD = 40  # characters
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_RELATIVE = re.compile(
    r" (?:that|which|who)(?: (?:is|are|was|were|do|does|did|has|have|will|would|can)(?:n['’]?t| not)?)?(?: never)? ",
    re.IGNORECASE,
)
_SMALL = frozenset({"a", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"})
TOLD = 0.2  # below which a word is part of what somebody tells around their wishes
LIKELY, UNKNOWN, SURE = 0.3, 0.35, 0.5  # from which a wish, and a value that no column may have, is one

#: After a wish, what it may be met by: "makes a fuss, <like a card or a free dessert>".
_EXAMPLES = re.compile(r",? (?:like|such as|for example,?|for instance,?) (?:an?|the|some) [^.,;:!?()]+", re.IGNORECASE)


def marked(roles: Roles, schema: Schema, marks: Marks, message: str) -> Roles:
    """Return the roles with the tagger's marks. A value inside a longer wish is part of it: "authentic <poke>"."""
    prose = [at for at, one in enumerate(schema.fields) if one.column.kind is Kind.FREE_TEXT]
    if not prose:
        return roles

    def pointed(start: int, stop: int) -> int:
        return next((one.column for one in roles.marks if one.start < stop and start < one.stop), prose[0])

    found = [
        Mark(one.kind, pointed(one.start, one.stop), one.start, one.stop)
        for one in marks.marks
        if one.kind in (*WISHES, *OF_COLUMNS)
        and one.probability > _least(one.kind, message[one.start : one.stop], schema)
        and not schema.is_noun(message[one.start : one.stop])
    ]
    found = _whole(found, message, schema)
    sure = {(one.start, one.stop) for one in marks.marks if one.kind in WISHES}
    wished = [one for one in found if one.kind in WISHES and any(one.start <= at < one.stop for at, _ in sure)]
    story = [one.span() for one in _WORD.finditer(message) if marks.likely(*one.span()) < TOLD]
    roles = replace(roles, marks=found, story=story, tagged=True)

    def is_value(literal: Literal) -> bool:
        one = homed(literal, schema)
        told = one.column >= 0 and is_told((one.start, one.stop), one.column, roles, schema)
        return not (told or _is_part(one, schema, wished, message))

    return replace(roles, literals=list(filter(is_value, roles.literals)))


def _whole(marks: Sequence[Mark], message: str, schema: Schema) -> list[Mark]:
    """The marks, those of one kind that nothing stands between as one, and a wish with the examples given of it."""
    found: list[Mark] = []
    for mark in marks:
        last = found[-1] if found else None
        if last is not None and mark.stop <= last.stop:
            continue  # an example
        if last is not None and (_goes_on(last, mark, message, schema) or _is_said_of(last, mark, message)):
            found[-1] = last._replace(stop=mark.stop)
            continue
        examples = _EXAMPLES.match(message, mark.stop) if mark.kind == "wish" else None
        found.append(mark._replace(stop=examples.end()) if examples else mark)
    return found


def _least(kind: str, text: str, schema: Schema) -> float:
    """How likely a mark has to be. What no column has and is no name is a wish before it is sure to be a value."""
    if kind in WISHES:
        return LIKELY
    leads = grammar.tags(tuple(text.lower().split()))[:1] == ("IN",)  # "before a game"
    return UNKNOWN if kind == "column" and text.islower() and not (leads or schema.found(text)) else SURE


def _goes_on(mark: Mark, other: Mark, message: str, schema: Schema) -> bool:
    """Whether nothing stands between two marks of one kind, or a wish and what no column has: "business" "lunch"."""
    text = message[other.start : other.stop]
    thing = mark.kind == "wish" and other.kind == "column" and text.islower() and not schema.found(text)
    return (mark.kind == other.kind in WISHES or thing) and not message[mark.stop : other.start].strip()


def _is_said_of(wish: Mark, other: Mark, message: str) -> bool:
    """Whether a mark says how the thing is that a wish ends with: "<staff> that doesn't <sneer>"."""
    thing = grammar.tags(tuple(message[wish.start : wish.stop].lower().split()))[-1:]
    kinds = wish.kind == "wish" and other.kind in ("wish", "unwanted")
    return kinds and thing in (("NN",), ("NNS",)) and _RELATIVE.fullmatch(message[wish.stop : other.start]) is not None


def _is_part(literal: Literal, schema: Schema, marks: Sequence[Mark], message: str) -> bool:
    """Whether a value of a list only says part of what is wished for."""
    column = schema.fields[literal.column].column if literal.column >= 0 else None
    if column is None:
        return any(mark.start <= literal.start and literal.stop <= mark.stop for mark in marks)  # "<eight> people"
    counted = folded(message[literal.stop :][:LONGEST_WORD]).split(" ")[0]
    if column.kind is Kind.NUMBER and column.unit and counted in forms(folded(column.unit)):
        return False  # "at least <100> reviews"
    if column.kind is Kind.NUMBER and compared(literal._replace(operator="="), message).operator not in ("=", "!="):
        return False  # "fewer than <40> people enrolled"
    part = any(mark.has_part(literal.start, literal.stop) for mark in marks)
    if column.kind is Kind.NUMBER or (column.many and column.kind is Kind.ENUM):
        return part  # "room for <12>", "authentic <poke>"
    unknown = column.kind is Kind.TEXT and not any(
        form in schema.stored[literal.column] for form in forms(folded(literal.text))
    )
    if unknown and schema.is_title(literal.column) and literal.operator == "=":
        return any(word[:1].islower() and word not in _SMALL for word in literal.text.split())  # "Peking <duck>"
    whole = any(mark.start <= literal.start and literal.stop <= mark.stop for mark in marks)
    topic = any(mark.kind == "topic" and mark.start <= literal.start and literal.stop <= mark.stop for mark in marks)
    return (unknown and whole) or (column.kind is Kind.TEXT and topic and literal.text.islower())
