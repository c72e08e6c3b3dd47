"""What is so of one thing, in a sentence: "**Alder** is offered in autumn and winter."."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from agent.backends.builtin.wording import OnDays, listed, readable, said_plainly
from agent.worksheets.wording import time_words

# How one speaks of a column, with a value and with an empty list; any other is "the ... of it is ...".
_SAID = {
    "season": ("is offered in {}", "is not offered"),
    "days": ("meets on {}", "meets on no fixed day"),
    "instructor_names": ("is taught by {}", "has no instructor yet"),
    "prerequisite_course_codes": ("requires {} first", "has no prerequisites"),
    "general_requirements": ("counts for {}", "counts for no general requirement"),
    "average_hours_spent": ("takes {} hours a week", ""),
    "average_rating": ("is rated {}", ""),
    "rating": ("is rated {}", ""),
    "room": ("meets in {}", ""),
    "city": ("is in {}", ""),
    "location": ("is in {}", ""),
    "num_reviews": ("has {} reviews", ""),
    "num_ratings": ("has {} ratings", ""),
    "price": ("has {} prices", ""),
    "updated": ("was last updated on {}", ""),
}
# The same in a list of facts; some values say themselves what they are.
_BRIEF = {
    **dict.fromkeys(("season", "days", "about", "cuisines"), "{}"),
    "instructor_names": "taught by {}",
    "average_hours_spent": "{} hours a week",
    "average_rating": "rated {}",
    "rating": "rated {}",
    "location": "in {}",
    "num_reviews": "{} reviews",
    "num_ratings": "{} ratings",
    "price": "{} prices",
    "updated": "updated on {}",
}
SEATS = ("enrolled", "capacity")
_DAYS = {"Mon": "Monday", "Tue": "Tuesday", "Wed": "Wednesday", "Thu": "Thursday", "Fri": "Friday", "Sat": "Saturday",
         "Sun": "Sunday"}  # fmt: skip


def fact(title: str, rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> str:
    """Return what rows tell of one thing, the values of several rows of a column together."""
    values = {name: _distinct([row.get(name) for row in rows]) for name in columns}
    clauses: list[str] = []
    for name in columns:
        clause = _pair(name, rows) or (_clause(name, values[name]) if not _paired(name, columns) else "")
        clauses += [clause] if clause and clause not in clauses else []
    plain = [one for one in clauses if not one.startswith("the ")]
    rest = [one for one in clauses if one.startswith("the ")]
    sentences = [f"**{title}** {listed(plain)}."] if plain else []
    for one in rest:
        of = "" if sentences else f" of **{title}**"
        sentences.append(re.sub(r"^the (.*?) (is|are) ", rf"The \1{of} \2 ", one) + ".")
    return " ".join(sentences)


def has_words(name: str) -> bool:
    """Return whether there is a way of saying a column other than "the ... of it is ..."."""
    return name in _SAID


def brief(name: str, shown: str) -> str:
    """Return a value among other facts: "7.8 hours a week", "rated 4.2", or after the name of its column."""
    return _BRIEF.get(name, f"{said_plainly(name, end='').lower()} {{}}").format(shown)


def is_known(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> bool:
    """Return whether rows tell anything in any of some columns; an empty list tells that there is nothing."""
    return any(row.get(name) is not None for row in rows for name in columns)


def _clause(name: str, values: list[Any]) -> str:
    affirmed, denied = _SAID.get(name, ("", ""))
    if not values:
        return denied
    if isinstance(values[0], OnDays):
        return f"is {listed(values)}"
    if name == "days":
        values = [_DAYS.get(value, value) for value in values]
    if name.endswith("rating") and len(values) > 1:
        values = [f"{readable(min(values))} to {readable(max(values))} in different quarters"]
    if affirmed:
        return affirmed.format(listed([readable(value) for value in values]))
    called = said_plainly(name, end="").lower()
    if isinstance(values[0], bool):
        return f"{'counts' if values[0] else 'does not count'} for the {called}" if "requirement" in name else ""
    are = called.endswith("s") and not called.endswith("ss") and not isinstance(values[0], int | float)
    return f"the {called} {'are' if are else 'is'} {listed([readable(value) for value in values])}"


def _pair(name: str, rows: Sequence[dict[str, Any]]) -> str:
    """Two columns that are one thing: from when to when, from how many units to how many, how many of the seats."""
    row = rows[0]
    if name == "start_time" and row.get("end_time"):
        return f"meets from {listed(_distinct([' to '.join(map(time_words, (r[name], r['end_time']))) for r in rows]))}"
    if name == "min_units" and row.get("max_units") is not None:
        low, high = row[name], row["max_units"]
        return f"is worth {low} unit{'s' * (low != 1)}" if low == high else f"is worth {low} to {high} units"
    if name == "enrolled" and row.get("capacity") is not None:
        return f"has {listed(_distinct([seats_taken(one) for one in rows]))}"
    return ""


def seats_taken(row: dict[str, Any]) -> str:
    """Return how many of how many seats are taken: "30 of 36 seats taken"."""
    taken, fit = (row[name] for name in SEATS)
    return f"{taken} of {fit} seats taken"


def is_pair(columns: Sequence[str]) -> bool:
    """Return whether two columns, and no others, are one thing: how many of how many seats."""
    return len(columns) == 2 and any(_paired(name, columns) for name in columns)


def _paired(name: str, columns: Sequence[str]) -> bool:
    other = {"end_time": "start_time", "max_units": "min_units", "capacity": "enrolled"}.get(name)
    return other in columns


def _distinct(values: Sequence[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        for item in value if isinstance(value, list) else [value]:
            if item is not None and item not in found:
                found.append(item)
    return found
