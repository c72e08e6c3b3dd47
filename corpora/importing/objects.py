"""JSON of any layout: objects as rows, with what is nested in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from corpora.importing.source import SHOWN, Misread, Row, Source
from corpora.loading.sources import Unreadable, read_text, values

LARGEST = 300_000_000  # bytes
DAY = re.compile(r"(?i)(mon|tue|wed|thu|fri|sat|sun)")


def _rows(path: Path) -> Iterator[Row]:
    try:
        for value in values(read_text(path)):
            if value.problem or not isinstance(value.data, dict):
                shown = value.problem or json.dumps(value.data, ensure_ascii=False)[:SHOWN]
                yield value.line, Misread(shown, "an object, with each of its names once")
            else:
                yield value.line, flat(value.data)
    except Unreadable as error:
        where = f", line {error.line}," if error.line else ""
        raise Unreadable(f"{path.name}{where} {error}", error.line) from error


def flat(data: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Objects inside an object as columns of their own: {"a": {"b": 1}} has "a.b". A place stays whole."""
    found: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, dict) and not is_place(value) and not is_week(value):
            found |= flat(value, f"{before}{name}.")
        else:
            found[before + name] = value
    return found


def is_place(value: Any) -> bool:
    """Whether an object is a latitude and a longitude."""
    return isinstance(value, dict) and set(value) in ({"lat", "lon"}, {"lat", "lng"}, {"latitude", "longitude"})


def is_week(value: Any) -> bool:
    """Whether an object maps days of the week."""
    return isinstance(value, dict) and bool(value) and all(DAY.match(name) for name in value)


def objects(path: Path) -> Source:
    """Return the table in a file of JSON objects, whose names are its columns. Raises Unreadable."""
    if path.stat().st_size > LARGEST:
        raise Unreadable(f"{path.name} has more than {LARGEST:,} bytes of JSON, which are held in memory: split it")
    columns: dict[str, None] = {}
    for _, row in _rows(path):
        if isinstance(row, dict):
            columns |= dict.fromkeys(row)
    if not columns:
        raise Unreadable(f"{path.name} holds no JSON object")
    return Source(path.name, "", tuple(columns), partial(_rows, path))
