"""Specifications as tables: rows of texts under headings, whichever file they come from.

A row with a WS name begins a worksheet; if its Type is that of a field, it declares its first field as well. A row
with a type or a name is a field of the worksheet above, one with only an enum value a value of the field above.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.worksheets.findings import Finding, Level
from agent.worksheets.formats.records import (
    Builder,
    Cell,
    FieldRecord,
    Imported,
    WorksheetRecord,
    field_values,
    worksheet_values,
)
from agent.worksheets.formats.vocabulary import (
    BY_NAME,
    HEADINGS,
    KIND_WORDS,
    NEEDED,
    WORKSHEET_KINDS,
    Column,
    Vocabulary,
    by_heading,
    folded,
)
from agent.worksheets.specification import Field, Specification, Worksheet

HEADINGS_WITHIN = 10  # rows: above the headings there may be a title

Rows = Sequence[Sequence[str]]


def read(rows: Rows, name: str, title: str = "") -> Imported:
    """Return the specification that the rows of a table declare. The first row is number 1."""
    start = find_headings(rows)
    if start is None:
        needed = ", ".join(BY_NAME[column].paper for column in NEEDED)
        return Imported(None, (Finding(f"There is no row of headings; at least {needed} are needed."),))
    reading = _Reading()
    columns = reading.columns(rows[start], start + 1)
    for number, row in enumerate(rows[start + 1 :], start + 2):
        reading.row(_Row(row, columns, rows[start], number))
    return reading.specification(name, title, reading.records)


def find_headings(rows: Rows) -> int | None:
    """Return the index of the row of headings; None if no row near the top has the columns that are needed."""
    known = by_heading()
    for index, row in enumerate(rows[:HEADINGS_WITHIN]):
        found = {known[folded(text)].name for text in row if folded(text) in known}
        if found.issuperset(NEEDED):
            return index
    return None


def has_headings(rows: Rows) -> bool:
    """Return whether this is a table of worksheets."""
    return find_headings(rows) is not None


def write(specification: Specification, vocabulary: Vocabulary = Vocabulary.PAPER) -> list[list[str]]:
    """Return the specification as rows, headings first. Reading them gives the same worksheets back."""
    rows = [[column.heading(vocabulary) for column in HEADINGS]]
    for worksheet in specification.worksheets:
        rows.append(_cells(_worksheet(worksheet, vocabulary)))
        for field in worksheet.fields:
            rows.append(_cells(_field(field)))
            rows += [_cells({"enum_value": one.value, "description": one.description}) for one in field.enum_values]
    return rows


@dataclass(frozen=True)
class _Row:
    """One row of the table, by column. Its cells are named by the headings as they were written."""

    texts: Sequence[str]
    columns: dict[int, Column]
    headings: Sequence[str]
    number: int

    def cell(self, name: str) -> Cell:
        for index, column in self.columns.items():
            if column.name == name:
                text = self.texts[index].strip() if index < len(self.texts) else ""
                return Cell(text, Finding("", row=self.number, column=self.headings[index].strip()))
        return Cell("", Finding("", row=self.number, column=BY_NAME[name].paper))

    def cells(self, *names: str) -> dict[str, Cell]:
        return {name: self.cell(name) for name in names}

    def filled(self) -> Iterator[tuple[str, Cell]]:
        for column in self.columns.values():
            if self.cell(column.name).text:
                yield column.name, self.cell(column.name)


_OF_WORKSHEET = tuple(column.name for column in HEADINGS if column.name.startswith("ws_"))
_OF_FIELD = tuple(column.name for column in HEADINGS if not column.name.startswith("ws_"))


class _Reading(Builder):
    """Turns rows into records, one after the other."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[WorksheetRecord] = []
        self._headed: set[int] = set()  # the positions that have a heading, known or not

    def columns(self, headings: Sequence[str], number: int) -> dict[int, Column]:
        """The column under each heading, by position. A heading that is not known, or twice there, is reported."""
        known = by_heading()
        columns: dict[int, Column] = {}
        self._headed = {index for index, heading in enumerate(headings) if heading.strip()}
        for index, heading in enumerate(headings):
            column = known.get(folded(heading))
            if column is None and heading.strip():
                self.findings.append(_unknown(heading, number))
            elif column is not None and column in columns.values():
                message = f"The column {heading!r} appears twice; only the first is read."
                self.findings.append(Finding(message, row=number, column=heading))
            elif column is not None:
                columns[index] = column
        return columns

    def row(self, row: _Row) -> None:
        """Take up one row."""
        self._strays(row)
        if row.cell("ws_name").text:
            self._begin(row)
        elif row.cell("type").text or row.cell("name").text:
            self._field(row, row.cell("kind"))
        elif row.cell("enum_value").text:
            self._options(row)
        else:
            self._leftovers(row, ())

    def _begin(self, row: _Row) -> None:
        """A row that begins a worksheet: its kind is said under Kind (Task, KB) or under Type (worksheet, db)."""
        named = row.cell("ws_name").text
        type_, kind = row.cell("type"), row.cell("kind")
        declares_field = type_.text.lower() not in WORKSHEET_KINDS and bool(type_.text)
        if declares_field and self.records and self._repeats(named, kind):
            self._field(row, kind)
            return
        cells = row.cells(*_OF_WORKSHEET) | {"ws_kind": kind}
        if type_.text.lower() in WORKSHEET_KINDS:
            cells["ws_kind"] = type_
        if not declares_field:
            cells |= {"ws_backend": row.cell("name"), "ws_description": row.cell("description")}
            self._leftovers(row, ("kind", "type", "name", "description", *_OF_WORKSHEET))
        self.records.append(WorksheetRecord(cells, row.number))
        if declares_field:
            self._field(row, Cell("", kind.place), first=True)

    def _repeats(self, name: str, kind: Cell) -> bool:
        """The worksheet's name is filled down along its fields."""
        return self.records[-1].cells["ws_name"].text == name and kind.text.lower() not in WORKSHEET_KINDS

    def _field(self, row: _Row, kind: Cell, *, first: bool = False) -> None:
        if not self.records:
            self.findings.append(row.cell("name").finding("This field comes before any worksheet."))
            return
        record = FieldRecord(row.cells(*_OF_FIELD) | {"kind": kind}, row.number)
        self.records[-1].fields.append(record)
        if not first:
            self._leftovers(row, (*_OF_FIELD, "ws_name"))
        option = row.cell("enum_value")
        record.options += [(Cell(text, option.place), Cell("")) for text in _lines(option.text)]

    def _options(self, row: _Row) -> None:
        self._leftovers(row, ("enum_value", "description"))
        if not self.records or not self.records[-1].fields:
            self.findings.append(row.cell("enum_value").finding("This value comes before any field."))
            return
        self.records[-1].fields[-1].options.append((row.cell("enum_value"), row.cell("description")))

    def _leftovers(self, row: _Row, read: Sequence[str]) -> None:
        """Texts in columns that this kind of row does not have are reported."""
        for name, cell in row.filled():
            if name not in read:
                self.findings.append(
                    cell.finding(f"{_short(cell.text)} does not belong to a worksheet, field or enum value.")
                )

    def _strays(self, row: _Row) -> None:
        """Texts under no heading at all are reported; an unknown heading has been reported already."""
        for index, text in enumerate(row.texts):
            if text.strip() and index not in self._headed:
                message = f"{_short(text.strip())} has no heading above it."
                self.findings.append(Finding(message, row=row.number, column=f"number {index + 1}"))


def _unknown(heading: str, number: int) -> Finding:
    known = [column.paper for column in HEADINGS]
    close = difflib.get_close_matches(heading.strip(), known, n=1)
    meant = f" Did you mean {close[0]!r}?" if close else ""
    message = f"A specification has no column {heading.strip()!r}; its values were not read.{meant}"
    return Finding(message, Level.WARNING, row=number, column=heading.strip())


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:39]}…")


def _cells(values: dict[str, object]) -> list[str]:
    return [_written(values.get(column.name, "")) for column in HEADINGS]


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else ""
    return str(value)


def _worksheet(worksheet: Worksheet, vocabulary: Vocabulary) -> dict[str, object]:
    written: dict[str, object] = {**worksheet_values(worksheet)}
    kind = KIND_WORDS[vocabulary][worksheet.kind]
    column = "kind" if vocabulary is Vocabulary.PAPER else "type"
    return written | {column: kind, "name": worksheet.backend, "description": worksheet.description}


def _field(field: Field) -> dict[str, object]:
    return {**field_values(field)}
