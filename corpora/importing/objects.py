"""JSON of any layout: objects as rows, with what is nested in them."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from corpora.importing.source import SHOWN, Misread, Row, Source
from corpora.loading.sources import Unreadable, Value, read_text, values

LARGEST = 300_000_000  # bytes of what is no line of its own
LONGEST_LINE = 20_000_000  # bytes
DAY = re.compile(r"(?i)(mon|tue|wed|thu|fri|sat|sun)")


def _rows(path: Path) -> Iterator[Row]:
    try:
        for value in _values(path):
            if value.problem or not isinstance(value.data, dict):
                shown = value.problem or json.dumps(value.data, ensure_ascii=False)[:SHOWN]
                yield value.line, Misread(shown, "an object, with each of its names once")
            else:
                yield value.line, flat(value.data)
    except Unreadable as error:
        where = f", line {error.line}," if error.line else ""
        raise Unreadable(f"{path.name}{where} {error}", error.line) from error


def _values(path: Path) -> Iterator[Value]:
    """The values in a file: those of lines as the lines are read, others with the whole file in memory."""
    if not _one_a_line(path):
        if path.stat().st_size > LARGEST:
            raise Unreadable(f"has more than {LARGEST:,} bytes of one JSON value: save it as one object a line")
        yield from values(read_text(path))
        return
    with path.open("rb") as file:
        number = 0
        while line := file.readline(LONGEST_LINE):
            number += 1
            if len(line) == LONGEST_LINE:
                raise Unreadable(f"has more than {LONGEST_LINE:,} bytes: an object a line is expected", number)
            try:
                yield from _of_line(number, line.decode("utf-8-sig" if number == 1 else "utf-8"))
            except UnicodeDecodeError as error:
                raise Unreadable(f"is not UTF-8 ({error.reason}): save it as UTF-8", number) from error


def _one_a_line(path: Path) -> bool:
    """Whether a file begins with an object that is a line of its own, in UTF-8."""
    with path.open("rb") as file:
        first = file.readline(LONGEST_LINE).removeprefix(codecs.BOM_UTF8).strip()
    try:
        return isinstance(json.loads(first.decode()), dict)
    except (ValueError, RecursionError):
        return False


def _of_line(number: int, line: str) -> Iterator[Value]:
    try:
        for value in values(line):
            yield replace(value, line=number)
    except Unreadable:
        yield Value(number, None, f"not a JSON object ({line.strip()[:SHOWN]})")


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
    columns: dict[str, None] = {}
    for _, row in _rows(path):
        if isinstance(row, dict):
            columns |= dict.fromkeys(row)
    if not columns:
        raise Unreadable(f"{path.name} holds no JSON object")
    return Source(path.name, "", tuple(columns), partial(_rows, path))
