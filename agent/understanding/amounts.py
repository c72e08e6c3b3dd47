"""Amounts with a unit that bound a column: "under 25 euros", "40 to 50 quid", where the linker points at no number."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.catalogue.tables import Kind
from agent.text.words import stem
from agent.understanding.denials import compared
from agent.understanding.ends import compared_by
from agent.understanding.measures import unit_of, unit_of_column
from agent.understanding.moments import days_in
from agent.understanding.roles import OPPOSITE, ROWS, Literal, Roles
from agent.understanding.schema import Schema, folded, forms
from agent.understanding.values import CARDINALS

_FIGURE = r"\d[\d,]*(?:\.\d+)?"
_AMOUNT = re.compile(
    rf"(?P<sign>[£€$])?\b(?P<first>{_FIGURE}|an?|one)(?: ?(?:to|-|–|and) ?[£€$]?(?P<last>{_FIGURE}))?"
    r" ?(?P<unit>[£€$%]|[a-z]+)?",
    re.IGNORECASE,
)
_UNIT_AFTER = re.compile(r"[\s-]*([£€%]|(?!in\b)[a-z]{2,})", re.IGNORECASE)
_COUNT = rf"\b(?P<first>\d+|{'|'.join(CARDINALS[1:])})"
_EACH = re.compile(r"\s*(?:an?|per|each|every|the|/)\s*([a-z]+)", re.IGNORECASE)
_THAN = re.compile(
    rf"\b(?P<denied>(?:no|not) )?(?P<said>(?:(?:more|less) )?[a-z]+) than [£€$]?(?P<figure>{_FIGURE})", re.IGNORECASE
)


def with_amounts(roles: Roles, schema: Schema, message: str) -> Roles:
    """Return the roles with the bounds that amounts set on the one column that has their unit."""
    begun = {schema.fields[column].table for column, _ in roles.select if column != ROWS} | roles.tables[0]
    roles = replace(roles, literals=[one for one in roles.literals if not _is_of_another_unit(one, schema, message)])
    found: list[Literal] = []
    for match in _AMOUNT.finditer(message):
        unit = unit_of(match["sign"] or match["unit"] or "")
        counted = folded(match["unit"] or "") if match["first"][0].isdigit() else ""  # "min 50 <reviews>"
        read = [one for one in roles.literals if one.touches(*match.span())]
        if not (unit or counted) or (read and not (unit and match["last"])):
            continue
        columns = [at for at, one in enumerate(schema.fields) if one.column.kind is Kind.NUMBER]
        columns = [
            at
            for at in columns
            if (unit_of_column(schema, at) == unit if unit else counted in forms(folded(schema.fields[at].column.unit)))
        ]
        here = [at for at in columns if schema.fields[at].table in begun] or columns
        column = here[0] if len(here) == 1 else _rated(here, message[match.end() :], schema)
        bounds = _bounds(match, column, message) if column is not None else []
        if bounds:  # of a range the linker may give each end to a column of its own
            found += bounds
            roles = replace(roles, literals=[one for one in roles.literals if one not in read])
    found += _within_seasons(roles, schema, message, begun)
    roles, ranged = _of_ranges(roles, schema, message)
    found = [*(one for one in found if not any(one.touches(told.start, told.stop) for told in ranged)), *ranged]
    roles, compared_with = _by_ends(roles, schema, message, begun)
    found += compared_with
    return replace(roles, literals=[*roles.literals, *found]) if found else roles


def _is_of_another_unit(literal: Literal, schema: Schema, message: str) -> bool:
    """Whether an amount has a unit that its column cannot have, nor any other column: "2 miles" of a price."""
    match = _UNIT_AFTER.match(message, literal.stop)
    unit = unit_of(match[1]) if match else ""
    if match is None or not unit or literal.column < 0 or schema.fields[literal.column].column.kind is not Kind.NUMBER:
        return False
    own = schema.fields[literal.column].column.unit
    return bool(own) and match[1].lower() not in forms(folded(own)) and unit not in _units(schema)


def _units(schema: Schema) -> set[str]:
    """The dimensions and currencies of the numbers of all columns."""
    return {unit_of_column(schema, at) for at in range(len(schema.fields))}


def _rated(columns: list[int], after: str, schema: Schema) -> int | None:
    """The first of some columns with one unit; where an amount is told for each of something ("20 euros an hour"), the
    one whose name or description has that."""
    each = _EACH.match(after)
    if each is not None:
        thing = stem(each[1].lower())
        named = [(at, folded(f"{schema.fields[at].words} {schema.fields[at].described}").split()) for at in columns]
        return next((at for at, words in named if thing in map(stem, words)), None)
    return columns[0] if columns else None


def _by_ends(roles: Roles, schema: Schema, message: str, begun: set[int]) -> tuple[Roles, list[Literal]]:
    """The bounds that comparatives set on the column whose end they name, whatever column the linker points at: "no
    older than 2022", "lighter than 12 kg"."""
    found = []
    for match in _THAN.finditer(message):
        meant = (compared_by(schema, table, match["said"]) for table in sorted(begun))
        if column_and_operator := next(filter(None, meant), None):
            column, operator = column_and_operator
            if schema.fields[column].column.kind is Kind.NUMBER:
                operator = OPPOSITE[operator] if match["denied"] else operator
                found.append(Literal(match["figure"], column, operator, False, *match.span("figure")))
    free = [one for one in roles.literals if not any(one.touches(bound.start, bound.stop) for bound in found)]
    return (replace(roles, literals=free), found) if found else (roles, [])


def _of_ranges(roles: Roles, schema: Schema, message: str) -> tuple[Roles, list[Literal]]:
    """The amounts of what rows have from a least to a most of, by its unit, whatever column the linker points at: "3 or
    4 units" of `min_units` and `max_units`."""
    found = []
    for low in range(len(schema.fields)):
        ends, unit = schema.ends_of(low), folded(schema.fields[low].column.unit)
        if ends is None or ends[0] != low or not unit or schema.fields[low].column.kind is not Kind.NUMBER:
            continue
        units = rf"(?:[ -]?(?:{'|'.join(forms(unit))})|(?<=\d){unit[0]})"  # "3-4 units", "3-4u"
        said = rf"{_COUNT}(?: ?(?:to|or|and|-|–) ?{_COUNT.replace('first', 'last')})?{units}\b"
        for match in re.finditer(said, message, re.IGNORECASE):
            if any(one.touches(*match.span()) and schema.is_code(one.column, one.text) for one in roles.literals):
                continue
            first = Literal(match["first"], low, "=", False, *match.span("first"))
            last = match["last"] and Literal(match["last"], low, "<=", False, *match.span("last"))
            found += [first._replace(operator=">="), last] if last else [compared(first, message)]
    free = [one for one in roles.literals if not any(one.touches(told.start, told.stop) for told in found)]
    return (replace(roles, literals=free) if found else roles), found


def _within_seasons(roles: Roles, schema: Schema, message: str, begun: set[int]) -> list[Literal]:
    """The days that are named beside rows with a first and a last day: "still open on the 1st of November"."""
    seasons = [ends for at in range(len(schema.fields)) if (ends := schema.ends_of(at)) and ends[0] == at]
    dated = [low for low, _ in seasons if schema.fields[low].column.kind is Kind.DATE]
    here = [at for at in dated if schema.fields[at].table in begun] or dated
    free = [span for span in days_in(message) if not any(one.touches(*span) for one in roles.literals)]
    return [Literal(message[start:stop], here[0], "=", False, start, stop) for start, stop in free if len(here) == 1]


def _bounds(match: re.Match[str], column: int, message: str) -> list[Literal]:
    first = Literal(match["first"], column, "=", False, *match.span("first"))
    if match["last"]:
        last = Literal(match["last"], column, "<=", False, *match.span("last"))
        return [first._replace(operator=">="), last]
    bound = compared(first, message)
    return [bound] if bound.operator not in ("=", "!=") else []
