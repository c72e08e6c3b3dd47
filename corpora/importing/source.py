"""A table as it stands in a file: its columns, and its rows as cells, or what is wrong with a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from corpora.importing.specification import ColumnKind, identifier

MOST_HEADERS = 5000  # columns of a file; of these, `specification.MOST_COLUMNS` can be imported
SHOWN = 40  # characters of a cell in a message


@dataclass(frozen=True, slots=True)
class Misread:
    """What is wrong with a record as a whole, so that it is no row: what was found, and what is expected."""

    found: str
    expected: str


Row = tuple[int, dict[str, Any] | Misread]  # the line (or row of the sheet, or number of the object); cells by header


@dataclass(frozen=True, slots=True)
class Source:
    """A table as it stands in a file. `part` is the sheet, or the table, where a file has several of them.

    `rows()` reads it from its beginning, a few rows at a time. Raises Unreadable.
    """

    file: str
    part: str
    columns: tuple[str, ...]
    rows: Callable[[], Iterator[Row]]
    notes: tuple[str, ...] = ()  # what was recognised: the encoding, the delimiter
    keys: tuple[str, ...] = ()  # the columns that a database declares as the key
    links: tuple[tuple[str, str, str], ...] = ()  # a column, and the table and column it is declared to refer to
    kinds: Mapping[str, ColumnKind] = field(default_factory=dict)  # of columns, where the source says so beyond doubt
    called: str = ""  # what its table is best called, where the name of the file does not say it well
    description: str = ""

    def __str__(self) -> str:
        return f"{self.file} ({self.part})" if self.part else self.file


def filled(cell: Any) -> bool:
    """Whether there is anything in a cell."""
    return cell is not None and not (isinstance(cell, str) and not cell.strip())


def printable(text: str) -> str:
    """Return a text that any database and any file can hold: broken characters as their code."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "␀")


def headers(cells: Sequence[Any]) -> list[str]:
    """Return the names of the columns: "" where there is none; one that would be called as another gets a number."""
    taken: set[str] = set()
    names = []
    for cell in cells:
        name = " ".join(printable(str(cell)).split()) if filled(cell) else ""
        if name:
            name = next(one for one in _numbered(name) if identifier(one) not in taken)
            taken.add(identifier(name))
        names.append(name)
    while names and not names[-1]:
        names.pop()
    return names


def _numbered(name: str) -> Iterator[str]:
    yield name
    for number in range(2, MOST_HEADERS + 2):
        yield f"{name[:30]} {number}"


def row(line: int, columns: Sequence[str], record: Sequence[Any]) -> Row:
    """Return the cells of a record by the headers; what stands in a column without one is not left unread."""
    beside = [cell for name, cell in zip(columns, record, strict=False) if not name and filled(cell)]
    beside += [cell for cell in record[len(columns) :] if filled(cell)]
    if beside:
        shown = printable(str(beside[0]))
        shown = shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}…"
        return line, Misread(shown, f"no cell where the header has none (it names {len(columns)} columns)")
    return line, {name: cell for name, cell in zip(columns, record, strict=False) if name}
