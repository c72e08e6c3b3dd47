"""Numbers with what they measure: "under 3 euros" is said of the column whose numbers are euros."""

from __future__ import annotations

import re

from agent.catalogue.tables import Kind
from agent.text.wordlists import words as listed
from agent.understanding.roles import Literal
from agent.understanding.schema import Schema, folded, forms
from agent.understanding.values import number_in

#: Ways to say a unit, by the one that they stand for, with how many of the base unit of its dimension one of it is.
UNITS: dict[str, tuple[str, float, tuple[str, ...]]] = {
    "eur": ("eur", 1, ("€", "euro", "euros")),
    "gbp": ("gbp", 1, ("£", "pound", "pounds", "quid")),
    "usd": ("usd", 1, ("$", "dollar", "dollars", "bucks")),
    "mm": ("length", 0.001, ("millimetre", "millimetres", "millimeter", "millimeters")),
    "cm": ("length", 0.01, ("centimetre", "centimetres", "centimeter", "centimeters")),
    "m": ("length", 1, ("metre", "metres", "meter", "meters")),
    "km": ("length", 1000, ("kilometre", "kilometres", "kilometer", "kilometers", "kms")),
    "in": ("length", 0.0254, ("inch", "inches")),
    "ft": ("length", 0.3048, ("foot", "feet")),
    "mi": ("length", 1609.344, ("mile", "miles")),
    "hh": ("length", 0.1016, ("hand", "hands")),
    "g": ("weight", 0.001, ("gram", "grams", "gramme", "grammes")),
    "kg": ("weight", 1, ("kilo", "kilos", "kilogram", "kilograms", "kgs")),
    "t": ("weight", 1000, ("ton", "tons", "tonne", "tonnes")),
    "lb": ("weight", 0.45359237, ("lbs",)),
    "s": ("time", 1, ("sec", "secs", "second", "seconds")),
    "min": ("time", 60, ("mins", "minute", "minutes")),
    "h": ("time", 3600, ("hr", "hrs", "hour", "hours")),
    "d": ("time", 86400, ("day", "days")),
    "wk": ("time", 604800, ("week", "weeks")),
    "l": ("volume", 1, ("litre", "litres", "liter", "liters")),
    "°c": ("temperature", 1, ("°", "c", "degrees", "celsius", "degrees celsius")),
    "%": ("share", 1, ("percent", "per cent")),
}
_KNOWN = {word: unit for unit, (_, _, words) in UNITS.items() for word in (unit, *words)}
_AMOUNT = re.compile(r"([€£$]?)\s*(\d[\d,]*(?:\.\d+)?|[a-z]+\b)\s*([a-z€£$%°]*)", re.IGNORECASE)  # "€30", "a km"
_BEFORE, _AFTER = re.compile(r"([€£$])\s*$"), re.compile(r"[\s-]*([€£$%°]c?|[a-z]+)", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;.:!?]\s|\b(?:and|or|but|with|that|which|who|where)\b", re.IGNORECASE)
_OUT_OF = re.compile(r"out of (\d+)", re.IGNORECASE)
_STEM = 5  # letters by which words are alike
_NO_THING = frozenset(listed("a an the or and to of in on at for per more less than is are with"))


def is_unit(word: str) -> bool:
    """Return whether a word is a unit that numbers are told in."""
    return word in _KNOWN


def unit_of(word: str) -> str:
    """Return the dimension, or the currency, that a word for a unit measures; "" for another word."""
    unit = _KNOWN.get(word.lower())
    return UNITS[unit][0] if unit else ""


def unit_of_column(schema: Schema, column: int) -> str:
    """Return the dimension, or the currency, of the numbers of a column."""
    return unit_of(_first(schema.fields[column].column.unit))


def measured(literal: Literal, schema: Schema, question: str) -> Literal:
    """Return a number as said of a column that has its unit, or that the word after it names, in that column's unit."""
    digits = _AMOUNT.fullmatch(literal.text.strip())
    number = number_in(digits[2]) if digits else None
    digits = digits if number else None
    if literal.column < 0 or literal.start == literal.stop or literal.operator == "like":
        return literal
    told, after = schema.fields[literal.column].column, _AFTER.match(question[literal.stop :])
    if told.kind is not Kind.NUMBER:
        vague = digits and told.kind is Kind.ENUM and folded(literal.text) not in schema.stored[literal.column]
        column = _called(literal.column, after[1].lower() if after else "", schema) if vague else literal.column
        named = _named_beside(column, literal, schema, question) if vague and column == literal.column else column
        return literal._replace(column=named)
    before = _BEFORE.search(question[: literal.start])
    word = (digits and (digits[1] or digits[3])) or (before and before[1]) or (after and after[1]) or ""
    column = _called(literal.column, word.lower(), schema)
    counted = bool(word) and word.lower() in forms(folded(schema.fields[column].column.unit))
    if column == literal.column and word.lower() not in _KNOWN and not counted:
        column = _named_beside(column, literal, schema, question)
    column = _of_fractions(column, number, schema)
    scale = _scale(word.lower(), schema.fields[column].column.unit.lower())
    text = f"{float(number) * scale:g}" if number and scale != 1 else literal.text
    return literal._replace(column=column, text=text)


def _called(column: int, word: str, schema: Schema) -> int:
    """The column that a word after a number tells: that of its unit, or whose name has it; else the one pointed to."""
    if not word or word in _NO_THING:
        return column
    table, unit = schema.fields[column].table, _KNOWN.get(word)
    numbers = [at for at, one in enumerate(schema.fields) if one.column.kind is Kind.NUMBER]
    counted = [at for at in numbers if word in forms(folded(schema.fields[at].column.unit))]
    if counted:
        alike = counted
    elif unit:
        alike = [at for at in numbers if UNITS.get(_unit(schema, at), ("",))[0] == UNITS[unit][0]]
    else:
        alike = [
            at for at in numbers if word[:_STEM] in {name[:_STEM] for name in _names(schema, at)} and len(word) > 3
        ]
    if column in alike or not alike:
        return column
    here = [at for at in alike if schema.fields[at].table == table] or alike
    return here[0] if len(here) == 1 else column


def _named_beside(column: int, literal: Literal, schema: Schema, question: str) -> int:
    """The one column of numbers that the words around a number name, where they do not name the one pointed to."""
    before = _CLAUSE.split(question[: literal.start])[-1]
    words = set(folded(before + " " + _CLAUSE.split(question[literal.stop :])[0]).split())
    stems = {word[:_STEM] for word in words}
    table = schema.fields[column].table
    near = schema.reached(table)
    named = [
        at
        for at, one in enumerate(schema.fields)
        if one.table in near
        and one.column.kind is Kind.NUMBER
        and not schema.fields[at].primary
        and schema.fields[at].link is None
        and any(len(name) > 3 and name[:_STEM] in stems for name in _names(schema, at))
    ]
    here = [at for at in named if schema.table_of(at) == table] or named
    here = [at for at in here if words & {*_names(schema, at)}] or here
    return here[0] if len(here) == 1 else column


def _of_fractions(column: int, number: str | None, schema: Schema) -> int:
    """The column of marks out of a highest one that a fraction is among, where the one pointed to has whole numbers:
    "4.3 and up"."""
    if not number or "." not in number or not schema.fields[column].column.integer:
        return column
    near = schema.reached(schema.table_of(column))
    marks = ((at, _OUT_OF.fullmatch(one.column.unit)) for at, one in enumerate(schema.fields) if one.table in near)
    fitting = [at for at, highest in marks if highest and float(number) <= float(highest[1])]
    return fitting[0] if len(fitting) == 1 else column


def _unit(schema: Schema, column: int) -> str:
    """The unit of a column; that of "hours a week" is hours."""
    return _KNOWN.get(_first(schema.fields[column].column.unit), "")


def _first(unit: str) -> str:
    return unit.lower().split(maxsplit=1)[0] if unit.strip() else ""


def _names(schema: Schema, column: int) -> list[str]:
    one = schema.fields[column]
    return folded(" ".join((one.words, one.described, one.column.unit, *one.column.synonyms))).split()


def _scale(said: str, unit: str) -> float:
    """By what a number in one unit is to be multiplied to be one in another of its dimension."""
    mine, other = UNITS.get(_KNOWN.get(said, "")), UNITS.get(_KNOWN.get(_first(unit), ""))
    return mine[1] / other[1] if mine and other and mine[0] == other[0] else 1
