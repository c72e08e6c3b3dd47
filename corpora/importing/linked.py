"""A table whose cells lead to passages: one JSON file for each table, and passages by their address in others.

The form is HybridQA's, as its paper describes it: `header` and `data`, each cell of which is a text with the addresses
that it links to. What a cell links to becomes a column of texts beside its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from corpora.importing.source import Misread, Row, Source, headers
from corpora.importing.specification import ColumnKind
from corpora.loading.sources import Unreadable, read_text

LARGEST = 300_000_000  # bytes
BESIDE = "info"  # what the column of the passages that a column links to is called, after the column's own name


def linked_tables(paths: Sequence[Path]) -> tuple[list[Source], set[Path]]:
    """Return the tables of this form among some files, and all files that they are made of. Raises Unreadable."""
    objects = {path: said for path in paths if path.suffix.lower() == ".json" and (said := _whole_object(path))}
    tables = [path for path, said in objects.items() if _is_table(said)]
    if not tables:
        return [], set()
    passages = [path for path, said in objects.items() if all(isinstance(text, str) for text in said.values())]
    sources = [_source(path, objects[path], _passages_of(path, passages)) for path in tables]
    return sources, {*tables, *passages}


def _whole_object(path: Path) -> dict[str, Any] | None:
    """The object that a file is, if it is one and no more."""
    if not path.is_file() or path.stat().st_size > LARGEST:
        return None
    with path.open("rb") as file:
        if not file.read(100).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
            return None
        file.seek(0)
        first = file.readline(LARGEST)
        if file.read(1) and _is_object(first):
            return None  # an object a line
    try:
        found = json.loads(read_text(path))
    except (ValueError, RecursionError, Unreadable):
        return None  # said where the file is read as what it is
    return found if isinstance(found, dict) else None


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _is_table(said: dict[str, Any]) -> bool:
    header, data = said.get("header"), said.get("data")
    return (
        isinstance(header, list) and bool(header) and isinstance(data, list)
        and all(_cell(one) is not None for one in header) and all(isinstance(one, list) for one in data)
    )  # fmt: skip


def _cell(cell: Any) -> tuple[Any, list[str]] | None:
    """A cell's value, and the addresses it links to; None for what is no cell."""
    if isinstance(cell, list):
        if len(cell) == 2 and not isinstance(cell[0], list | dict) and isinstance(cell[1], list):
            return cell[0], [one for one in cell[1] if isinstance(one, str)]
        return None
    return None if isinstance(cell, dict) else (cell, [])


def _passages_of(table: Path, passages: Sequence[Path]) -> list[Path]:
    """Those of the table's own name, where there are some."""
    return [path for path in passages if path.name == table.name] or list(passages)


def _source(path: Path, said: dict[str, Any], passages: list[Path]) -> Source:
    named = [_cell(one) or ("", []) for one in said["header"]]
    names = headers([name or f"column {place}" for place, (name, _) in enumerate(named, start=1)])
    cells = [list(map(_cell, row)) for row in said["data"]]
    leading = [
        name for place, name in enumerate(names)
        if any(place < len(row) and (found := row[place]) and found[1] for row in cells)
    ]  # fmt: skip
    beside = {name: f"{name} {BESIDE}" for name in leading}
    about = " – ".join(str(said[one]) for one in ("title", "section_title") if said.get(one))
    return Source(
        path.name, "", (*names, *beside.values()), partial(_rows, path, names, beside, passages),
        notes=(f"cells of {', '.join(leading)} link to passages",) if leading else (),
        kinds=dict.fromkeys(beside.values(), ColumnKind.FREE_TEXTS), description=about[:300],
    )  # fmt: skip


def _rows(path: Path, names: Sequence[str], beside: dict[str, str], passages: Sequence[Path]) -> Iterator[Row]:
    said = _whole_object(path) or {"data": []}
    texts: dict[str, str] = {}
    for one in passages:
        texts |= _whole_object(one) or {}
    for number, row in enumerate(said["data"], start=1):
        cells = list(map(_cell, row))
        if len(cells) != len(names) or None in cells:
            yield number, Misread(json.dumps(row, ensure_ascii=False)[:40], f"{len(names)} cells, each with its links")
            continue
        found: dict[str, Any] = {}
        for name, (value, links) in zip(names, filter(None, cells), strict=True):
            found[name] = value
            if name in beside:
                found[beside[name]] = [texts[link] for link in dict.fromkeys(links) if texts.get(link)] or None
        yield number, found
