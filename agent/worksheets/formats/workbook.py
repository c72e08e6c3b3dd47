"""Tables as spreadsheets (XLSX), through openpyxl."""

from __future__ import annotations

import datetime
import io
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

import openpyxl
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.utils.exceptions import IllegalCharacterError, InvalidFileException
from openpyxl.worksheet.worksheet import Worksheet as Sheet

from agent.protocols.errors import SpecificationError

MOST_BYTES = 30_000_000  # unpacked: a spreadsheet of worksheets has a few hundred thousand
WIDEST = 60  # characters of a column

_SHADE = PatternFill("solid", fgColor="E8EEF7")


def rows(data: bytes, wanted: Callable[[Sequence[Sequence[str]]], bool]) -> list[list[str]]:
    """Return the cells of the first sheet that is `wanted`, else of the first. Raises SpecificationError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
                raise SpecificationError("This spreadsheet is too large to be a specification.")
        book = openpyxl.load_workbook(io.BytesIO(data))
    except (zipfile.BadZipFile, InvalidFileException, KeyError, ValueError) as error:
        raise SpecificationError("This is not an XLSX spreadsheet.", str(error)) from None
    sheets = [_cells(sheet) for sheet in book.worksheets]
    if not sheets:
        raise SpecificationError("This spreadsheet has no sheets.")
    return next((cells for cells in sheets if wanted(cells)), sheets[0])


def data(rows: Sequence[Sequence[str]], title: str) -> bytes:
    """A spreadsheet with one sheet. Headings are bold and stay in sight, rows that begin a worksheet are shaded."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "".join(char for char in title if char not in r"[]:*?/\'")[:31] or "Worksheets"
    for number, row in enumerate(rows, 1):
        _write(sheet, number, row)
    begins = list(rows[0]).index("WS Name") if "WS Name" in rows[0] else 1
    for number, row in enumerate(rows, 1):
        for cell in sheet[number]:
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            if number == 1:
                cell.font = Font(bold=True)
            elif row[begins]:
                cell.fill = _SHADE
    for index, column in enumerate(zip(*rows, strict=True), 1):
        longest = max(len(line) for text in column for line in text.split("\n"))
        sheet.column_dimensions[get_column_letter(index)].width = min(longest, WIDEST) + 2
    sheet.freeze_panes = "A2"
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def _write(sheet: Sheet, number: int, row: Sequence[str]) -> None:
    for index, text in enumerate(row, 1):
        if not text:
            continue
        try:
            cell = sheet.cell(number, index, text)
        except IllegalCharacterError:
            raise SpecificationError(f"A spreadsheet cannot hold the control characters of {text[:40]!r}.") from None
        cell.data_type = "s"  # a text, also where it begins with "="


def _cells(sheet: Sheet) -> list[list[str]]:
    return [[_text(value) for value in row] for row in sheet.iter_rows(values_only=True)]


def _text(value: Any) -> str:
    """A value of a cell as it would be typed."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value)
