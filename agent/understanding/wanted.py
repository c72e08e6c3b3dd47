"""What a question wants of rows: conditions on columns, and how the values of a list are wanted together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from agent.catalogue.tables import Kind
from agent.suql.tree import literal as quoted
from agent.understanding.defaults import are_days
from agent.understanding.joins import column_name
from agent.understanding.roles import ALL, ONLY, WITHIN, Literal
from agent.understanding.schema import Schema, folded

#: Before and after the one value of a list: "that <only meet on> Fridays", "Fridays <only>".
_ONLY_BEFORE = re.compile(
    r"\b(?:(?:only|just) (?!(?:on|in|at|by|for|the|an?)\b)[a-z]+|[a-z]+ (?:only|just))(?: (?:on|in|at|by|for))? $",
    re.IGNORECASE,
)
_ONLY_AFTER = re.compile(r" (?:only|alone|exclusively)\b", re.IGNORECASE)
_OR = re.compile(r"\b(?:or|either)\b|/", re.IGNORECASE)
_AND = re.compile(r"\band\b|&", re.IGNORECASE)
_BOTH = re.compile(r"\b(?:both|all (?:of|three))\b", re.IGNORECASE)
_TOGETHER = re.compile(r"\s*(?:[/&+-]|\band\b)?\s*", re.IGNORECASE)
_SEVERAL_DAYS = re.compile(r"(?:days|weekdays?|weekends?)$", re.IGNORECASE)  # any of them: "Tuesdays and Thursdays"


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a column, as SQL."""

    column: int
    sql: str


@dataclass(slots=True)
class Conditions:
    """What a question asks of rows (`outer`) and of those that they are held against (`inner`), what of groups in
    either, and how many rows it wants. `literals` has the values as they were read, `found` what the question says that
    no role tells."""

    outer: list[Condition] = field(default_factory=list)
    inner: list[Condition] = field(default_factory=list)
    having: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    literals: list[Literal] = field(default_factory=list)
    found: list[Literal] = field(default_factory=list)
    limit: int = 1

    @property
    def sides(self) -> tuple[list[Condition], list[Condition]]:
        """The conditions of the outer and of the inner query."""
        return self.outer, self.inner


def in_lists(read: Conditions, schema: Schema, question: str, *, anew: bool) -> None:
    """Write what is wanted of the values of a list as one condition, where they are no alternatives: no other values
    than these, or all of them at once. `anew` says that the question goes on from no other."""
    _within(read, schema)
    lists = (at for at, one in enumerate(schema.fields) if one.column.many and one.column.kind is Kind.ENUM)
    for column in lists:
        values = schema.fields[column].column.values or tuple(dict.fromkeys(schema.stored[column].values()))
        told = [one for one in (*read.literals, *read.found) if one.column == column and not one.inner]
        how, name = _how(told, question, schema, days=are_days(values), anew=anew), column_name(schema, column)
        held = list(dict.fromkeys(one for one in read.outer if one.column == column))
        known = [value for value in values if any(one.sql == f"{quoted(value)} = ANY({name})" for one in held)]
        if not how or len(known) < len(held):
            continue
        whole = " AND ".join(one.sql for one in held)
        if how == ONLY:
            whole = f"{name} = ARRAY[{', '.join(map(quoted, known))}]"
        read.outer[:] = [one for one in read.outer if one not in held]
        read.outer.append(Condition(column, f"({whole})" if how == ALL and len(held) > 1 else whole))
        for some in (read.literals, read.found):
            some[:] = [one._replace(operator=how) if one in told else one for one in some]


def in_places(read: Conditions, schema: Schema) -> None:
    """Leave out a city beside what lies in it, since it only says where that is: "California Ave in Palo Alto"."""
    said = [one for one in (*read.literals, *read.found) if one.operator == "=" and one.column >= 0]
    said = [one for one in said if schema.kind_of(one.column) is Kind.LOCATION]
    held = {schema.stored[one.column].get(folded(one.text), one.text): one.column for one in said}
    around = {schema.cities[place] for place in held if schema.cities.get(place, place) != place} & held.keys()
    told = {f"{column_name(schema, held[city])} = {quoted(city)}" for city in around}
    read.outer[:] = [one for one in read.outer if one.sql not in told]


def _within(read: Conditions, schema: Schema) -> None:
    """Write the values that a list may hold, and no others, as one condition; what they name is no row wanted."""
    for column in dict.fromkeys(one.column for one in read.literals if one.operator == WITHIN):
        values = [one.text for one in read.literals if (one.column, one.operator) == (column, WITHIN)]
        stored = [schema.stored[column].get(folded(value), value) for value in values]
        array = f"ARRAY[{', '.join(map(quoted, stored))}]"
        read.outer[:] = [one for one in read.outer if one.column != column]
        read.outer.append(Condition(column, f"{column_name(schema, column)} <@ {array}"))
        for own in (columns[0] for columns, _ in schema.codes if column in columns[1:] and schema.is_list(columns[0])):
            name = column_name(schema, own)
            read.outer += [Condition(own, f"NOT {quoted(value)} = ANY({name})") for value in stored]


def _how(told: Sequence[Literal], question: str, schema: Schema, *, days: bool, anew: bool) -> str:
    """Return how the values of a list are wanted: ONLY these, ALL at once ("a stage and a piano", "tue/thu", "MWF"), or
    "" for any of them: of alternatives, of rows of several kinds ("Thai and Greek inns", but not "both Thai and
    Greek"). Where a message goes on from another, "only on Fridays" is no more than "on Fridays"."""
    if before := next((one.operator for one in told if one.operator in (ONLY, ALL)), ""):
        return before
    said = sorted((one for one in told if one.operator == "=" and one.start < one.stop), key=lambda one: one.start)
    kept = len([one for one in told if one.operator == "="]) - len(said)
    if not said or kept > 1 or (kept and days):
        return ""
    if (
        anew
        and not kept
        and (_ONLY_BEFORE.search(question[: said[0].start]) or _ONLY_AFTER.match(question, said[-1].stop))
    ):
        return ONLY
    spans = list(dict.fromkeys((one.start, one.stop) for one in said))
    if not days:
        joined = question[0 if kept else spans[0][0] : spans[-1][1]]
        single = len(said) == len(spans) and len(spans) + kept > 1
        return ALL if single and not _OR.search(joined) and not _are_kinds(spans, question, schema) else ""
    if len(said) < 2 or any(_SEVERAL_DAYS.search(question[start:stop]) for start, stop in spans):
        return ""
    between = (question[one[1] : other[0]] for one, other in pairwise(spans))
    return ALL if all(map(_TOGETHER.fullmatch, between)) else ""


def _are_kinds(spans: Sequence[tuple[int, int]], question: str, schema: Schema) -> bool:
    """Whether values joined by "and" stand before the rows that they are kinds of."""
    after = folded(question[spans[-1][1] :]).split()[:1]
    kinds = bool(after) and after[0].endswith("s") and any(after[0] in nouns for nouns in schema.nouns)
    anded = _AND.search(question[spans[0][0] : spans[-1][1]]) is not None
    return kinds and anded and not _BOTH.search(question[: spans[0][0]])
