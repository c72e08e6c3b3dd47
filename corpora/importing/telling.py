"""What an import did or would do, in the words of both the command and the admin; refused cells as a CSV file."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import IO

from corpora.importing.reading import RefusedCell
from corpora.importing.storing import Imported
from corpora.spreadsheets import neutral

COUNTED = ("read", "stored", "added", "changed", "removed", "kept as edited")
COLUMNS = ("file", "line", "column", "found", "expected", "left out")


def counts_in_words(counts: dict[str, int]) -> str:
    """Return "12 read, 11 stored, 2 added" of the counts of a table."""
    return ", ".join(f"{counts[what]:,} {what}" for what in COUNTED if what in counts)


def notes_of(done: Imported) -> list[str]:
    """Return what else a curator should know, a sentence each."""
    return list(done.dangling)


def refusal(cell: RefusedCell) -> str:
    """Return a refused cell in words, with what becomes of it."""
    return f"{cell}; {'the row is left out' if cell.whole_row else 'the cell is left empty'}"


def write_refused(file: IO[str], refused: Iterable[RefusedCell]) -> None:
    """Write refused cells as CSV that no spreadsheet program takes for formulas."""
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    for one in refused:
        left = "row" if one.whole_row else "cell"
        cells = (one.file, one.line, one.column, one.found, one.expected, left)
        writer.writerow(neutral(cell) if isinstance(cell, str) else cell for cell in cells)
