"""Values as a person reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, time
from typing import Any

from django.utils.formats import date_format

from agent.backends.builtin.wording import identifier_in_words
from agent.catalogue.tables import Column, Kind
from agent.suql.phrases import capitalised
from agent.text.english import listed
from agent.worksheets.wording import time_words
from corpora.catalogue.drafted import label

SHOWN_LENGTH = 400
CURRENCIES = frozenset("$€£¥₹")


def written(value: Any) -> str:
    """Return a value as a person reads it: no Python, no trailing zeros, an em dash where there is none."""
    if value is None or value == "":
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.2f}".rstrip("0").rstrip(".")
    if isinstance(value, list | tuple):
        return ", ".join(written(item) for item in value)
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {written(item)}" for key, item in value.items())
    if isinstance(value, date):
        return date_format(value, "F j, Y")
    if isinstance(value, time):
        return time_words(value)
    text = identifier_in_words(str(value))
    return text if len(text) <= SHOWN_LENGTH else text[: SHOWN_LENGTH - 1].rstrip() + "…"


def in_words(column: Column, value: Any) -> str:
    """Return a value of a column with its unit: "3 units", "€80", "Thai, Lao"."""
    if isinstance(value, list | tuple):
        return ", ".join(in_words(column, item) for item in value)
    if column.kind is Kind.ENUM:
        return capitalised(written(value))
    if column.unit in CURRENCIES:
        return f"{column.unit}{written(value)}"
    return f"{written(value)} {_unit(column.unit, value)}".rstrip()


def saying_itself(column: Column, value: Any) -> str:
    """Return a value that stands alone, named where it would say nothing: "Thai", "Heated deck", "length 45 m"."""
    if isinstance(value, bool):
        return label(column.name) if value else f"no {label(column.name)}"
    says_itself = column.kind in (Kind.ENUM, Kind.LOCATION, Kind.TEXT) or " " in column.unit
    return in_words(column, value) if says_itself else f"{label(column.name)} {in_words(column, value)}"


def in_a_row(columns: Sequence[Column], values: Sequence[Any]) -> str:
    """Return values of one row in a line; two numbers, dates or times that follow each other are a range."""
    found: list[str] = []
    filled = [(c, v) for c, v in zip(columns, values, strict=True) if v not in (None, "", [])]
    at = 0
    while at < len(filled):
        column, value = filled[at]
        after = filled[at + 1] if at + 1 < len(filled) else None
        if after is not None and column.kind is after[0].kind and column.kind in (Kind.NUMBER, Kind.DATE, Kind.TIME):
            found.append(_range(column, value, after[1]))
            at += 1
        elif isinstance(value, list | tuple):
            found.append(listed([in_words(column, item) for item in value]))
        else:
            found.append(in_words(column, value))
        at += 1
    return ", ".join(found)


def _range(column: Column, low: Any, high: Any) -> str:
    if low == high:
        return in_words(column, low)
    sign = "–" if column.kind is Kind.NUMBER else " to "
    return f"{written(low)}{sign}{in_words(column, high)}"


def _unit(unit: str, value: Any) -> str:
    """A unit after a value: "units", but "1 unit"; "hours a week", but "1 hour a week"."""
    first, space, rest = unit.partition(" ")
    return f"{first.removesuffix('s')}{space}{rest}" if value == 1 else unit
