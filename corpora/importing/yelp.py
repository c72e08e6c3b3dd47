"""The files of the Yelp Open Dataset, known by their columns (https://business.yelp.com/data/resources/open-dataset/).

Its documentation gives hours on a clock of 24 hours and attributes as objects; the files that are handed out write some
values as Python does ("u'free'", "{'garage': False}", "10:0-21:0"), which is read as well.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from corpora.importing.objects import flat
from corpora.importing.source import Misread, Row, Source
from corpora.importing.specification import ColumnKind

ATTRIBUTES = "attributes"
_STRETCH = re.compile(r"(\d{1,2}):(\d{1,2})-(\d{1,2}):(\d{1,2})")


@dataclass(frozen=True, slots=True)
class _Shape:
    """A file of the dataset: what it is called here, the columns that only it has, and their kinds."""

    called: str
    columns: frozenset[str]
    description: str
    kinds: dict[str, ColumnKind] = field(default_factory=dict)


_SHAPES = (
    _Shape(
        "businesses", frozenset(("business_id", "categories", "is_open", "review_count")), "Places that people rate.",
        {"is_open": ColumnKind.BOOLEAN, "postal_code": ColumnKind.TEXT, "categories": ColumnKind.ENUMS,
         "hours": ColumnKind.OPENING_HOURS},
    ),
    _Shape(
        "reviews", frozenset(("review_id", "user_id", "business_id", "stars", "text")), "What people wrote of places.",
        {"text": ColumnKind.FREE_TEXT, "date": ColumnKind.DATE},
    ),
    _Shape(
        "tips", frozenset(("user_id", "business_id", "text", "compliment_count")), "Short advice on places.",
        {"text": ColumnKind.FREE_TEXT, "date": ColumnKind.DATE},
    ),
    _Shape(
        "users", frozenset(("user_id", "yelping_since", "review_count")), "People who write reviews.",
        {"yelping_since": ColumnKind.DATE, "friends": ColumnKind.ENUMS, "elite": ColumnKind.ENUMS},
    ),
    _Shape(
        "photos", frozenset(("photo_id", "business_id", "label")), "Pictures of places.",
        {"caption": ColumnKind.FREE_TEXT, "label": ColumnKind.ENUM},
    ),
    _Shape(
        "checkins", frozenset(("business_id", "date")), "When people were there.", {"date": ColumnKind.ENUMS}
    ),
)  # fmt: skip


def as_yelp(source: Source) -> Source:
    """Return a file of the dataset with what is known of it; any other file as it is."""
    columns = set(source.columns)
    shape = next((one for one in _SHAPES if one.columns <= columns), None)
    if shape is None or (shape.called == "checkins" and columns != shape.columns):
        return source
    rows = source.rows
    if shape.called == "businesses":
        rows = partial(_plain_rows, source.rows)
        names = dict.fromkeys(name for _, cells in rows() if isinstance(cells, dict) for name in cells)
        source = replace(source, columns=tuple(names))
    kinds = {name: kind for name, kind in shape.kinds.items() if name in source.columns}
    return replace(source, rows=rows, called=shape.called, description=shape.description, kinds=kinds)


def _plain_rows(rows: Callable[[], Iterator[Row]]) -> Iterator[Row]:
    for line, cells in rows():
        yield line, cells if isinstance(cells, Misread) else _plain(cells)


def _plain(cells: dict[str, Any]) -> dict[str, Any]:
    """A business with its attributes as columns that are called in words, and its hours as stretches."""
    found = {}
    for name, cell in cells.items():
        outer, _, inner = name.partition(".")
        if outer != ATTRIBUTES:
            found[name] = _week(cell) if name == "hours" else cell
        elif inner:
            value = _value(cell)
            parts = flat(value, f"{inner}.") if isinstance(value, dict) else {inner: value}
            found |= {_in_words(one): _value(part) for one, part in parts.items()}
    return found


def _value(cell: Any) -> Any:
    """What a cell says that Python wrote."""
    if not isinstance(cell, str) or not re.match(r"u?['\"]|\{|(True|False|None)$", cell):
        return cell
    try:
        return ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return cell


def _in_words(name: str) -> str:
    """RestaurantsTakeOut is "Restaurants Take Out"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[._]", " ", name)


def _week(cell: Any) -> Any:
    """The hours of each day as stretches; what is none is left for the reader of hours to refuse."""
    if not isinstance(cell, dict):
        return cell
    return {day: _stretches(said) for day, said in cell.items()}


def _stretches(said: Any) -> Any:
    match = _STRETCH.fullmatch(said) if isinstance(said, str) else None
    if match is None:
        return said
    opens, closes = (f"{int(match[hour]):02}:{int(match[hour + 1]):02}" for hour in (1, 3))
    return [[opens, "24:00" if closes == "00:00" else closes]]
