"""Two columns that bound a range, said as one: `max_units >= 3 AND min_units <= 4` is "3 to 4 units".

Such columns are named alike but for `min_` and `max_`. A range meets another where its upper bound is not below the
other's lower one and its lower bound not above the other's upper one, which is what a person asks for with "3 or 4
units" and would not recognise in two conditions.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from agent.suql.conditions import Phrasing
from agent.suql.phrases import singular, spoken
from agent.suql.tree import inner
from agent.suql.voices import Phrase

_BOUNDS: dict[type[exp.Expr], tuple[str, ...]] = {exp.GTE: ("max_",), exp.LTE: ("min_",), exp.EQ: ("max_", "min_")}


def told(conditions: Sequence[exp.Expr], phrasing: Phrasing) -> list[tuple[tuple[int, ...], Phrase]]:
    """Return the phrases of conditions, each with the places of those it tells.

    The two that say that a range is met are one phrase, where the first stood.
    """
    found: list[tuple[tuple[int, ...], Phrase]] = []
    open_ended: dict[tuple[str, str], tuple[int, str]] = {}  # by source and range: place in `found`, side
    for place, condition in enumerate(conditions):
        said = bound(condition)
        if said is None:
            found.append(((place,), phrasing.phrase(condition)))
            continue
        key, side, _ = said
        if key in open_ended and open_ended[key][1] != side:
            first, _ = open_ended.pop(key)
            places, phrase = found[first]
            if not (text := met([conditions[places[0]], condition])):
                found.append(((place,), phrasing.phrase(condition)))
                continue
            found[first] = ((*places, place), Phrase("with", text, text, phrase.table))
            continue
        open_ended[key] = (len(found), side)
        found.append(((place,), phrasing.phrase(condition)))
    return found


def met(conditions: Sequence[exp.Expr]) -> str:
    """Two conditions as the range they say together, "3 to 4 units", "1 unit", or "exactly 1 unit" where the range is
    that number; empty where they bound no one range."""
    said = [one for condition in conditions if (one := bound(condition)) is not None]
    if len(said) != 2 or len(conditions) != 2 or said[0][0] != said[1][0] or said[0][1] == said[1][1]:
        return ""
    equal = [isinstance(inner(condition), exp.EQ) for condition in conditions]
    if any(equal) and not (all(equal) and said[0][2] == said[1][2]):
        return ""
    values = {side: value for _, side, value in said}
    low, high, name = values["max_"], values["min_"], spoken(said[0][0][1])
    amount = low if low == high else f"{low} to {high}"
    return f"{'exactly ' if all(equal) else ''}{amount} {singular(name) if amount == '1' else name}"


def bound(condition: exp.Expr) -> tuple[tuple[str, str], str, str] | None:
    """(source, range), the side that is bounded, and the value, of `max_x >= n` or `min_x <= n` (or of `=`)."""
    node = inner(condition)
    prefixes = _BOUNDS.get(type(node))
    if prefixes is None:
        return None
    column, value = inner(node.this), inner(node.expression)
    if not isinstance(column, exp.Column) or not isinstance(value, exp.Literal) or value.is_string:
        return None
    prefix = next((one for one in prefixes if column.name.startswith(one)), None)
    if prefix is None:
        return None
    return (column.table, column.name.removeprefix(prefix)), prefix, value.name
