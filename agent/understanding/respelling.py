"""Values as the columns that they are said of can take them: times of day, known places, both ends of a range."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from agent.catalogue.tables import Kind
from agent.understanding.moments import clock
from agent.understanding.roles import Literal
from agent.understanding.schema import Schema, folded

Spot = Callable[[int, str], re.Match[str] | None]  # where the question says a value of a column

LEADS_TO_PLACE = re.compile(r"\b(?:in|near|around|at|by|from|to|of)(?: the)? $", re.IGNORECASE)
_HALF_DAY = re.compile(r"\s?[ap]\.?m\b\.?", re.IGNORECASE)
_BY = re.compile(r"\b(?:by|before|until|till|no later than)\s+$", re.IGNORECASE)
_TO = re.compile(r"\s*(?:to|or|-|–|and)\s*", re.IGNORECASE)


def respelled(literals: Sequence[Literal], schema: Schema, question: str, spot: Spot) -> list[Literal]:
    """Return the values with times, places and ranges put right."""
    timed = [_timed(one, schema, question) for one in literals]
    return _in_range(_placed(timed, schema, question, spot), schema, question)


def _timed(one: Literal, schema: Schema, question: str) -> Literal:
    """A time of day that is said of a column of numbers, as said of one of times: of the last for "by"."""
    if one.column < 0 or schema.fields[one.column].column.kind is not Kind.NUMBER or one.start == one.stop:
        return one
    after = _HALF_DAY.match(question, one.stop)
    text = (one.text + (after[0] if after else "")).strip()
    if not (_HALF_DAY.search(text) or ":" in text) or clock(text) is None:
        return one
    near = schema.reached(schema.fields[one.column].table)
    times = [at for at, field in enumerate(schema.fields) if field.column.kind is Kind.TIME and field.table in near]
    if not times:
        return one
    stop = after.end() if after else one.stop
    if _BY.search(question[: one.start]):
        return one._replace(text=text, column=times[-1], operator="<=", stop=stop)
    return one._replace(text=text, column=times[0], stop=stop)


def _placed(literals: Sequence[Literal], schema: Schema, question: str, spot: Spot) -> list[Literal]:
    """Places as the gazetteer knows them; a name that it does not know is none where it knows another one, or where no
    word leads to a place."""
    found = [one for one in literals if one.column < 0 or schema.fields[one.column].column.kind is not Kind.LOCATION]
    for one in (literal for literal in literals if literal not in found):
        said = (spot(one.column, value) for value in schema.found(question).get(one.column, ()))
        known = [place for place in said if place is not None]
        met = next((place for place in known if place.start() < one.stop and one.start < place.end()), None)
        if met is not None:
            found.append(one._replace(text=met[0], start=met.start(), stop=met.end()))
        elif (
            one.start == one.stop
            or folded(one.text) in schema.stored[one.column]
            or (not known and LEADS_TO_PLACE.search(question[: one.start]))
        ):
            found.append(one)
    return list(dict.fromkeys(found))


def _in_range(literals: Sequence[Literal], schema: Schema, question: str) -> list[Literal]:
    """Two numbers of a pair of columns as its ends: "3 to 4 units"."""
    found: list[Literal] = []
    for one in sorted(literals, key=lambda literal: literal.start):
        last = found[-1] if found else one
        pair = schema.ends_of(one.column) if one.column >= 0 else None
        between = last is not one and _TO.fullmatch(question[last.stop : one.start])
        if pair and last.column in pair and between and last.operator == one.operator == "=":
            found[-1], one = last._replace(operator=">="), one._replace(operator="<=")
        found.append(one)
    return found
