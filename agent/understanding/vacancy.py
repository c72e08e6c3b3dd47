"""Places left: how many are taken, beside how many there are: "which still have room", "is it full?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.catalogue.tables import Kind
from agent.understanding.context import Earlier
from agent.understanding.roles import FULL, OPEN, ROWS, Literal, Roles
from agent.understanding.schema import Schema, folded

_TAKEN = frozenset({"taken", "booked", "enrolled", "sold", "filled", "registered", "occupied"})
_PLACES = frozenset({"capacity", "places", "seats", "spots", "slots", "berths"})
_ROOM = r"(?:seats?|spots?|places?|spaces?|slots?|room|openings?)"
_FREE = r"(?:left|available|open|free|remaining)"
_OUT = r"(?:full|filled up|sold out|maxed out|booked (?:out|up))(?![ -]?(?:time|of)\b)(?: yet)?"
_LEFT = re.compile(
    rf"\b(?:(?:still )?(?:ha(?:s|ve|d)|having|with|got|is there|are there|any)"
    rf"(?: (?:it|still|got|some|any|a few|enough|much|more))* )?"
    rf"(?:(?:open|free|available|empty|remaining) {_ROOM}\b(?: left)?|"
    rf"{_ROOM} (?:(?:that|which|are|is|there|still) )*{_FREE}\b)|"
    rf"\b(?:(?:still|got|ha(?:s|ve)|is there|are there|any)(?: (?:it|still|got|any|some|enough|much))*) {_ROOM}\b"
    rf"(?= (?:in|on)\b|\s*(?:[?!.,;&]|and\b|$))|"
    rf"\bstill (?:get (?:a {_ROOM} )?in(?:to)?|be let in(?:to)?|available|open)\b|"
    rf"\b(?:can|could|may) (?:i|we) (?:get|be let) in(?:to)? (?:it|that|there|any|one)\b|"
    rf"\b(?:not|isn['’]?t|aren['’]?t)(?: (?:yet|already|completely|quite|so))* {_OUT}|\bhow full\b",
    re.IGNORECASE,
)
_GONE = re.compile(
    rf"\b(?:(?:is|are|it|already|completely|that|which)(?: [^\s,.;?!]+){{0,5}}? {_OUT}|{_OUT} ones?\b)", re.IGNORECASE
)
_MANY = re.compile(r"\bhow (?:many|full|much)\b", re.IGNORECASE)
_ONE = re.compile(
    r"\b(?:it|that|this|(?:this|that) one|there|her|his|in)\b(?=\W*(?:$|[?!.,]|still|full|yet|and|in\b|got))", re.I
)
_SEVERAL = re.compile(r"\b(?:which|what|those|these|them|any of|ones|only|just)\b", re.IGNORECASE)


def places(schema: Schema, table: int) -> tuple[int, int] | None:
    """Return the columns of the places that are taken and of all places, of a table or of one that refers to it."""
    near = [table, *(other for other in range(len(schema.tables)) if table in schema.referred(other))]
    for here in near:
        numbers = [at for at in schema.of(here) if schema.fields[at].column.kind is Kind.NUMBER]
        named = {schema.fields[at].column.name: at for at in numbers}
        for at in numbers:
            saying = schema.fields[at].column.saying
            if saying is not None and saying.fills and saying.other in named:
                return at, named[saying.other]
        words = {at: {*schema.fields[at].words.split(), folded(schema.fields[at].column.unit)} for at in numbers}
        taken = [at for at in numbers if words[at] & _TAKEN]
        every = [at for at in numbers if words[at] & _PLACES and at not in taken]
        if len(taken) == 1 and len(every) == 1:
            return taken[0], every[0]
    return None


def with_vacancy(roles: Roles, schema: Schema, message: str, past: Sequence[Earlier]) -> Roles:
    """Return the roles with the rows that have places left, or none, where a message searches for those; of a row that
    it names or that was shown, with the number of places."""
    said = _LEFT.search(message) or _GONE.search(message)
    if said is None:
        return roles
    shown = [schema.table_of(column) for column, _ in roles.select if column != ROWS]
    pair = places(schema, schema.owner([*shown, *sorted(roles.tables[0]), 0][0]))
    if pair is None:
        return roles
    literals = [one for one in roles.literals if one.column not in pair or not one.touches(*said.span())]
    marks = [one for one in roles.marks if one.stop <= said.start() or said.end() <= one.start]
    roles = replace(roles, marks=marks, where=[one for one in roles.where if one[0] not in pair])
    named = any(schema.names_rows(one.column) for one in literals if one.column >= 0)
    one_row = bool(past) and len(past[0].rows) == 1 and not _SEVERAL.search(message)
    pointed = bool(past) and _ONE.search(message) is not None and not _SEVERAL.search(message)
    if named or one_row or pointed or _MANY.search(message):
        select = [one for one in roles.select if one[0] != ROWS and not schema.is_title(one[0])]
        told = list(dict.fromkeys([*(select if not roles.guessed else []), *((at, "") for at in pair)]))
        title = schema.title_of(schema.owner(schema.table_of(pair[0])))
        name = [(title, "")] if title is not None and not past else []
        move = "row" if past and roles.move != "new" and not named else roles.move
        return replace(roles, literals=literals, select=[*name, *told], guessed=False, move=move)
    how = OPEN if _LEFT.search(message) else FULL
    vacancy = Literal(said[0], pair[0], how, False, *said.span())
    return replace(roles, literals=[*literals, vacancy])
