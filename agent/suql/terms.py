"""The small words of conditions: signs, amounts with their units, values, and what a term is called."""

from __future__ import annotations

import re
from datetime import date

from sqlglot import exp

from agent.catalogue.tables import Column, Kind
from agent.suql.kinds.comparisons import Comparison
from agent.suql.phrases import spoken
from agent.suql.tree import inner
from agent.text.english import listed

_CLOCK = re.compile(r"\b(?P<hour>[01]\d|2[0-4]):(?P<minute>[0-5]\d)(?::00)?\b(?! ?[ap]\.?m)")
_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")
SIGNS: dict[type[exp.Expr], str] = {
    exp.GT: "more than",
    exp.GTE: "at least",
    exp.LT: "less than",
    exp.LTE: "at most",
    exp.EQ: "exactly",
    exp.NEQ: "other than",
}
TIMES: dict[type[exp.Expr], str] = {
    exp.GT: "after",
    exp.GTE: "from",
    exp.LT: "before",
    exp.LTE: "until",
    exp.EQ: "on",
    exp.NEQ: "not on",
}
MIRROR: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.GT: exp.LT, exp.GTE: exp.LTE, exp.LT: exp.GT, exp.LTE: exp.GTE, exp.EQ: exp.EQ, exp.NEQ: exp.NEQ,
}  # fmt: skip


def ordered_words(found: Comparison) -> str:
    """Return a comparison with a vocabulary that has an order: "at most moderate"."""
    if found.column.kind in (Kind.DATE, Kind.TIME):
        sign = {">": "after", ">=": "from", "<": "before", "<=": "until"}[found.op]
    else:
        sign = {">": "above", ">=": "at least", "<": "below", "<=": "at most"}[found.op]
    return f"{sign} {day_words(listed(list(found.words), 'or'))}"


def amount(column: Column, kind: type[exp.Expr], value: str, unit: str) -> str:
    """Return a column compared with a value: "a rating of at least 4 stars"."""
    if column.kind in (Kind.DATE, Kind.TIME):
        return f"{spoken(column.name)} {TIMES[kind]} {day_words(value)}"
    sign = SIGNS[kind] + " " if kind is not exp.EQ else ""
    if column.name.startswith("num_"):
        return f"{SIGNS[kind]} {value} {spoken(column.name)}"
    side, _, name = column.name.partition("_")
    if name and side in ("max", "min") and kind not in (exp.EQ, exp.NEQ):
        return f"{SIGNS[kind]} {value} {spoken(name)}"  # a bound of a range, said as one would ask for it
    return f"{article(column)} of {sign}{value}{unit}"


def day_words(text: str) -> str:
    """Return a text with its dates as people write them: 2025-08-31 is August 31, 2025."""
    return _DAY.sub(_day, text)


def _day(found: re.Match[str]) -> str:
    try:
        day = date.fromisoformat(found[0])
    except ValueError:
        return found[0]
    return f"{day:%B} {day.day}, {day.year}"


def article(column: Column) -> str:
    """Return a column with its article."""
    name = spoken(column.name)
    return name if name.endswith("s") else ("an " if name[:1] in "aeiou" else "a ") + name


def unit_of(column: Column) -> str:
    """Return the column's unit, with the space before it."""
    return f" {column.unit}" if column.unit and column.unit not in column.name else ""


def unit_filled(taken: Column, all_: Column) -> str:
    """Return what a column counts the taken ones of, where another counts all of them: "seats"; else ""."""
    saying = taken.saying
    return all_.unit if saying is not None and saying.fills and saying.other == all_.name else ""


OPPOSITE: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.GT: exp.LTE, exp.GTE: exp.LT, exp.LT: exp.GTE, exp.LTE: exp.GT, exp.EQ: exp.NEQ, exp.NEQ: exp.EQ,
}  # fmt: skip


def value_of(node: exp.Expr) -> str:
    """Return a value as it is read."""
    node = inner(node)
    while isinstance(node, exp.Cast):
        node = inner(node.this)
    if isinstance(node, exp.Array):
        return listed([item.name for item in node.expressions])
    if isinstance(node, exp.Literal):
        return f"“{node.name}”" if node.is_string and not node.name[:1].isdigit() else clock_words(node.name)
    return node.sql(dialect="postgres", normalize_functions=False)


def clock_words(text: str) -> str:
    """Return a text with its times as people say them: 18:00 is "6 pm", 11:45 "11:45 am", 24:00 "midnight"."""
    return _CLOCK.sub(_clock, text)


def _clock(found: re.Match[str]) -> str:
    hour, minute = int(found["hour"]), found["minute"]
    if minute == "00" and hour % 12 == 0:
        return "noon" if hour == 12 else "midnight"
    return f"{hour % 12 or 12}{'' if minute == '00' else f':{minute}'} {'pm' if 12 <= hour < 24 else 'am'}"


def shared_start(texts: list[str]) -> str:
    """The words that all texts begin with, with the space after them; what stands in quotation marks stays whole."""
    words = [text.split(" ") for text in texts]
    count = 0
    while all(len(each) > count + 1 and each[count] == words[0][count] for each in words):
        if words[0][count].count("“") != words[0][count].count("”"):
            break
        count += 1
    return " ".join(words[0][:count]) + " " if count else ""


def presence(node: exp.Expr) -> tuple[exp.Expr, bool] | None:
    """What a condition finds to be there (True) or absent (False): `x IS NULL`, `cardinality(x) = 0` and the like."""
    if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
        return node.this, False
    counted = inner(node.this) if isinstance(node, exp.EQ | exp.NEQ | exp.GT) else None
    if isinstance(counted, exp.Anonymous) and str(counted.this).lower() == "cardinality" and counted.expressions:
        number = inner(node.expression)
        if isinstance(number, exp.Literal) and number.name == "0":
            return inner(counted.expressions[0]), not isinstance(node, exp.EQ)
    return None


AGGREGATES: dict[type[exp.Expr], str] = {
    exp.Avg: "the average", exp.Sum: "the total", exp.Min: "the lowest", exp.Max: "the highest", exp.ArrayAgg: "all",
}  # fmt: skip


def aggregated(node: exp.Expr) -> str:
    """ "the highest price"; of a column that is an average already, "the average rating"."""
    return re.sub(r"\baverage average\b", "average", f"{AGGREGATES[type(node)]} {spoken_term(node.this)}")


def spoken_term(node: exp.Expr) -> str:
    """Return a value's name: a column's, "answer to …", "average rating"."""
    node = inner(node)
    while isinstance(node, exp.Cast | exp.Lower | exp.Upper | exp.Explode | exp.Round):
        node = inner(node.this)
    if isinstance(node, exp.Column):
        return spoken(node.name)
    if isinstance(node, exp.Anonymous) and node.meta.get("ask"):
        return f"answer to “{node.meta['ask'].question}”"
    if isinstance(node, exp.Count):
        return "count"
    if type(node) in AGGREGATES:
        return aggregated(node).removeprefix("the ")
    return "value"
