"""Spreadsheets: each sheet is a table, from its first row that is not empty."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import openpyxl

from corpora.importing.archives import check_sizes
from corpora.importing.source import SHOWN, Misread, Row, Source, filled, headers, row
from corpora.loading.sources import Unreadable

MOST_UNPACKED = 2**30  # bytes; the texts of a workbook are held in memory
OLD = "save it as .xlsx in a spreadsheet program, or each sheet as CSV"


def workbook(path: Path) -> list[Source]:
    """Return the sheets of a workbook that hold anything. Raises Unreadable."""
    try:
        with zipfile.ZipFile(path) as archive:
            check_sizes(path, archive.infolist(), MOST_UNPACKED)
        with closing(openpyxl.load_workbook(path, read_only=True, data_only=True)) as book:
            sheets = [(sheet.title, _head(sheet)) for sheet in book.worksheets]
    except (KeyError, ValueError, TypeError, OSError, zipfile.BadZipFile) as error:
        raise Unreadable(f"{path.name} is no spreadsheet that can be read ({_short(error)}): {OLD}") from error
    except openpyxl.utils.exceptions.InvalidFileException as error:
        raise Unreadable(f"{path.name} is no spreadsheet that can be read: {OLD}") from error
    return [
        Source(path.name, title, tuple(filter(None, columns)), partial(_rows, path, title, first, columns))
        for title, (first, columns) in sheets
        if any(columns)
    ]


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:100] or type(error).__name__


def _head(sheet: Any) -> tuple[int, list[str]]:
    """The first row that is not empty, and its number."""
    for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
        if any(map(filled, cells)):
            return number, headers(cells)
    return 1, []


def _rows(path: Path, title: str, first: int, columns: list[str]) -> Iterator[Row]:
    with (
        closing(openpyxl.load_workbook(path, read_only=True, data_only=True)) as book,
        closing(openpyxl.load_workbook(path, read_only=True)) as written,
    ):
        both = zip(
            book[title].iter_rows(min_row=first + 1, values_only=True),
            written[title].iter_rows(min_row=first + 1, values_only=True),
            strict=True,
        )
        for line, (cells, formulas) in enumerate(both, start=first + 1):
            three = zip(columns, formulas, cells, strict=False)
            unknown = next(((name, one) for name, one, cell in three if _uncomputed(one, cell)), None)
            if unknown is not None:
                said = "the value of a formula (open the file in a spreadsheet program and save it)"
                yield line, Misread(f"{unknown[0]}: {unknown[1][:SHOWN]}", said)
            elif any(map(filled, cells)):
                yield row(line, columns, cells)


def _uncomputed(formula: Any, cell: Any) -> bool:
    return cell is None and isinstance(formula, str) and formula.startswith("=")
