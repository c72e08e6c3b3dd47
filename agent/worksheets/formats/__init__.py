"""Reading and writing specifications: CSV, XLSX and JSON, in the paper's words and in those of the published code.

imported = read(data, Format.XLSX, name="restaurants")
imported.specification, imported.findings            # None if there are errors; each says row and column
write(specification, Format.CSV)                     # reads back as the same worksheets
"""

from __future__ import annotations

from enum import StrEnum

from agent.protocols.errors import SpecificationError
from agent.worksheets.findings import Finding, Level
from agent.worksheets.formats import delimited, document, table, workbook
from agent.worksheets.formats.records import Imported
from agent.worksheets.formats.vocabulary import Vocabulary
from agent.worksheets.specification import Specification

__all__ = ["Finding", "Format", "Imported", "Level", "Vocabulary", "format_of", "read", "write"]

MOST_BYTES = 5_000_000


class Format(StrEnum):
    """The kinds of files, by their endings."""

    CSV = "csv"
    XLSX = "xlsx"
    JSON = "json"

    @property
    def content_type(self) -> str:
        return {
            Format.CSV: "text/csv; charset=utf-8",
            Format.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Format.JSON: "application/json",
        }[self]


def format_of(filename: str) -> Format | None:
    """Return the format that a file's ending stands for; None if there is none such."""
    ending = filename.rpartition(".")[2].lower()
    return Format(ending) if ending in Format._value2member_map_ else None


def read(data: bytes, form: Format, name: str, title: str = "") -> Imported:
    """Return the specification of a file, under `name` (the assistant's slug), with what is wrong in it."""
    if len(data) > MOST_BYTES:
        return Imported(None, (Finding("This file is too large to be a specification."),))
    try:
        match form:
            case Format.CSV:
                return table.read(delimited.rows(data, table.has_headings), name, title)
            case Format.XLSX:
                return table.read(workbook.rows(data, table.has_headings), name, title)
        return document.read(_decoded(data), name, title)
    except SpecificationError as error:
        return Imported(None, (Finding(error.sentence),))


def write(specification: Specification, form: Format, vocabulary: Vocabulary = Vocabulary.PAPER) -> bytes:
    """Return the specification as a file. JSON has one vocabulary only. Raises SpecificationError."""
    match form:
        case Format.CSV:
            return delimited.data(table.write(specification, vocabulary))
        case Format.XLSX:
            return workbook.data(table.write(specification, vocabulary), specification.title)
    return document.write(specification).encode()


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SpecificationError("This file is not UTF-8 text.", str(error)) from None
