"""Reading a file of JSON lines into records, with every problem of every line."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from corpora.loading.records import Line

Record = TypeVar("Record", bound=Line)

LONGEST_VALUE = 60  # characters of a bad value that are shown


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a line (1-based; 0 for the file as a whole)."""

    file: str
    line: int
    field: str
    expected: str

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{place}, {self.field}: {self.expected}" if self.field else f"{place}: {self.expected}"


@dataclass(slots=True)
class Contents(Generic[Record]):
    """The records of a file. Where there are problems, the records are not to be used."""

    file: str
    records: list[Record] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read(path: Path, form: type[Record], key: Callable[[Record], Hashable]) -> Contents[Record]:
    """All lines of a file (blank ones are skipped). `key` is what no two lines may share."""
    contents: Contents[Record] = Contents(str(path))
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        contents.problems.append(Problem(contents.file, 0, "", f"cannot be read ({error.strerror})"))
        return contents
    except UnicodeDecodeError as error:
        contents.problems.append(Problem(contents.file, 0, "", f"is not UTF-8 ({error.reason} at byte {error.start})"))
        return contents
    seen: dict[Hashable, int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = form.model_validate_json(line)
        except ValidationError as error:
            contents.problems += [_problem(contents.file, number, detail) for detail in error.errors()]
            continue
        first = seen.setdefault(key(record), number)
        if first != number:
            contents.problems.append(Problem(contents.file, number, "", f"{key(record)!r} is already on line {first}"))
        contents.records.append(record)
    return contents


def _problem(file: str, line: int, detail: ErrorDetails) -> Problem:
    place = ""
    for part in detail["loc"]:
        place += f"[{part}]" if isinstance(part, int) else f".{part}" if place else part
    if detail["type"] == "json_invalid":
        return Problem(file, line, "", f"not a JSON object ({detail['msg'].removeprefix('Invalid JSON: ')})")
    if detail["type"] == "missing":
        return Problem(file, line, place, "is missing")
    if detail["type"] == "extra_forbidden":
        return Problem(file, line, place, "is not a field of this kind of file")
    value = repr(detail["input"])
    shown = value if len(value) <= LONGEST_VALUE else f"{value[:LONGEST_VALUE]}…"
    expected = detail["msg"].removeprefix("Value error, ").removeprefix("Input ")
    return Problem(file, line, place, f"{expected}, got {shown}")
