"""What is so of one thing, in a sentence: "**Alder** is offered in autumn and winter."."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from typing import Any

from agent.backends.builtin.wording import OnDays, listed, readable, said_plainly
from agent.catalogue.tables import Saying
from agent.worksheets.wording import time_words

Sayings = Mapping[str, Saying]
_DAYS = {"Mon": "Monday", "Tue": "Tuesday", "Wed": "Wednesday", "Thu": "Thursday", "Fri": "Friday", "Sat": "Saturday",
         "Sun": "Sunday"}  # fmt: skip
_ONE = re.compile(r"(?<![\d.,])1 ([a-z]+)(?<!s)s\b")
_CLOCK = re.compile(r"\d\d:\d\d(?::\d\d)?")
NONE: Saying = Saying()


def fact(title: str, rows: Sequence[dict[str, Any]], columns: Sequence[str], sayings: Sayings) -> str:
    """Return what rows tell of one thing, the values of several rows of a column together."""
    values = {name: _distinct([row.get(name) for row in rows]) for name in columns}
    seconds = {sayings[name].other for name in columns if name in sayings}
    clauses: list[str] = []
    for name in columns:
        saying = sayings.get(name, NONE)
        clause = _pair(name, saying, rows) or ("" if name in seconds else _clause(name, values[name], saying))
        clauses += [clause] if clause and clause not in clauses else []
    plain = [one for one in clauses if not one.startswith("the ")]
    rest = [one for one in clauses if one.startswith("the ")]
    sentences = [f"**{title}** {listed(plain)}."] if plain else []
    for one in rest:
        of = "" if sentences else f" of **{title}**"
        sentences.append(re.sub(r"^the (.*?) (is|are) ", rf"The \1{of} \2 ", one) + ".")
    return " ".join(sentences)


def has_words(name: str, sayings: Sayings) -> bool:
    """Return whether there is a way of saying a column other than "the ... of it is ..."."""
    return bool(sayings.get(name, NONE).whole)


def brief(name: str, shown: str, sayings: Sayings) -> str:
    """Return a value among other facts: "7.8 hours a week", "rated 4.2", or after the name of its column."""
    return _one((sayings.get(name, NONE).brief or f"{said_plainly(name, end='').lower()} {{}}").format(shown))


def is_known(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> bool:
    """Return whether rows tell anything in any of some columns; an empty list tells that there is nothing."""
    return any(row.get(name) is not None for row in rows for name in columns)


def _clause(name: str, values: list[Any], saying: Saying) -> str:
    if not values:
        return saying.none
    if isinstance(values[0], OnDays):
        return f"is {listed(values)}"
    if isinstance(values[0], bool):
        return saying.whole if values[0] else saying.none
    values = [_DAYS.get(value, value) if isinstance(value, str) else value for value in values]
    if saying.several and len(values) > 1:
        values = [saying.several.format(readable(min(values)), readable(max(values)))]
    if saying.whole:
        return _one(saying.whole.format(listed([readable(value) for value in values])))
    called = said_plainly(name, end="").lower()
    are = called.endswith("s") and not called.endswith("ss") and not isinstance(values[0], int | float)
    return f"the {called} {'are' if are else 'is'} {listed([readable(value) for value in values])}"


def _pair(name: str, saying: Saying, rows: Sequence[dict[str, Any]]) -> str:
    """Two columns that are one thing: from when to when, from how many to how many, how many of how many."""
    told = _distinct([both(row, name, saying) for row in rows])
    return _one(saying.whole.format(listed(told))) if told else ""


def both(row: dict[str, Any], name: str, saying: Saying) -> str | None:
    """Return what a column and the one that belongs to it tell of a row: "30 of 36 seats taken"; None without both."""
    values = (row.get(name), row.get(saying.other)) if saying.other else (None, None)
    if None in values or any(isinstance(value, list) for value in values):
        return None
    first, second = (moment(value) for value in values)
    return first if first == second and saying.both == NONE.both else saying.both.format(first, second)


def moment(value: Any) -> str:
    """Return a value in words; a time may come as the text of one."""
    if isinstance(value, datetime.time) or (isinstance(value, str) and _CLOCK.fullmatch(value)):
        return time_words(value)
    return readable(value)


def _one(text: str) -> str:
    """One of a thing is no plural: "is worth 1 unit"."""
    return _ONE.sub(r"1 \1", text)


def is_pair(columns: Sequence[str], sayings: Sayings) -> bool:
    """Return whether two columns, and no others, are one thing: how many of how many seats."""
    return len(columns) == 2 and any(sayings.get(name, NONE).other in columns for name in columns)


def _distinct(values: Sequence[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        for item in value if isinstance(value, list) else [value]:
            if item is not None and item not in found:
                found.append(item)
    return found
