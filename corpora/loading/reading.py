"""Reading a file of JSON values into records, with every problem of every line."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from corpora.loading.records import Line
from corpora.loading.sources import Unreadable, read_text, values

Record = TypeVar("Record", bound=Line)

LONGEST_VALUE = 60  # characters of a bad value that are shown
SHOWN = 3  # lines with the same problem that are shown, before they are only counted


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a line (1-based; 0 for the file as a whole)."""

    file: str
    line: int
    field: str
    expected: str
    found: str = ""

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" if self.line else self.file
        said = f"{self.expected}, got {self.found}" if self.found else self.expected
        return f"{place}, {self.field}: {said}" if self.field else f"{place}: {said}"


@dataclass(slots=True)
class Contents(Generic[Record]):
    """The records of a file, and where each stands. Where there are problems, the records are not to be used."""

    file: str
    records: list[Record] = field(default_factory=list)
    places: list[tuple[str, int]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read(path: Path, form: type[Record], key: Callable[[Record], Hashable]) -> Contents[Record]:
    """Return all values of a file. `key` is what no two of them may share."""
    contents: Contents[Record] = Contents(str(path))
    try:
        _read(contents, read_text(path), form, key)
    except OSError as error:
        contents.problems.append(Problem(contents.file, 0, "", f"cannot be read ({error.strerror})"))
    except Unreadable as error:
        contents.problems.append(Problem(contents.file, error.line, "", str(error)))
    return contents


def _read(contents: Contents[Record], text: str, form: type[Record], key: Callable[[Record], Hashable]) -> None:
    seen: dict[Hashable, int] = {}
    for value in values(text):
        if value.problem:
            contents.problems.append(Problem(contents.file, value.line, "", value.problem))
            continue
        try:
            record = form.read(value.data)
        except ValidationError as error:
            contents.problems += [_problem(contents.file, value.line, detail) for detail in error.errors()]
            continue
        first = seen.setdefault(key(record), value.line)
        if first != value.line:
            said = f"{key(record)!r} is already on line {first}"
            contents.problems.append(Problem(contents.file, value.line, "", said))
        contents.records.append(record)
        contents.places.append((contents.file, value.line))
    if not (contents.records or contents.problems):
        contents.problems.append(Problem(contents.file, 0, "", "holds no rows"))


def summed_up(problems: Iterable[Problem]) -> Iterator[str]:
    """The problems as lines of text; of those that are the same on many lines, the first few and how many follow."""
    groups: dict[tuple[str, str, str], list[Problem]] = {}
    for problem in problems:
        kind = (problem.file, re.sub(r"\[\d+\]", "[]", problem.field), re.sub(r"\d+|'[^']*'", "", problem.expected))
        groups.setdefault(kind, []).append(problem)
    for group in groups.values():
        yield from map(str, group[:SHOWN])
        if len(group) > SHOWN:
            more = len({problem.line for problem in group[SHOWN:]})
            yield f"…and {more:,} more line{'s' if more > 1 else ''} with the same problem"


def _problem(file: str, line: int, detail: ErrorDetails) -> Problem:
    place = ""
    for part in detail["loc"]:
        place += f"[{part}]" if isinstance(part, int) else f".{part}" if place else part
    if detail["type"] == "json_invalid":
        reason = re.sub(r" at line \d+", " at", detail["msg"].removeprefix("Invalid JSON: "))
        return Problem(file, line, "", f"not a JSON object ({reason})")
    if detail["type"] == "missing":
        return Problem(file, line, place, "is missing")
    if detail["type"] == "extra_forbidden":
        return Problem(file, line, place, "is not a field of this kind of file")
    value = repr(detail["input"])
    shown = value if len(value) <= LONGEST_VALUE else f"{value[:LONGEST_VALUE]}…"
    return Problem(file, line, place, detail["msg"].removeprefix("Value error, ").removeprefix("Input "), shown)
