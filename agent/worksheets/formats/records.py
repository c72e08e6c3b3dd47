"""What all formats have in common: named texts with their places, and the worksheets they make."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.worksheets.findings import Finding, Level
from agent.worksheets.formats.vocabulary import FALSE_WORDS, TRUE_WORDS, TYPE_WORDS, WORKSHEET_KINDS
from agent.worksheets.specification import (
    Basic,
    EnumValue,
    Field,
    FieldKind,
    FieldType,
    Specification,
    Worksheet,
    WorksheetKind,
)

_NAME = re.compile(r"[A-Za-z_]\w*")
_LIST = re.compile(r"(?i:list)\s*\[\s*(.*?)\s*\]")


@dataclass(frozen=True, slots=True)
class Cell:
    """A text and where it was written."""

    text: str
    place: Finding = field(default_factory=lambda: Finding(""))

    def finding(self, message: str) -> Finding:
        return dataclasses.replace(self.place, message=message)


Cells = Mapping[str, Cell]  # by name of the column (formats.vocabulary)


@dataclass(slots=True)
class FieldRecord:
    """One field as written. `options` are its enum values, with their descriptions."""

    cells: Cells
    row: int = 0
    options: list[tuple[Cell, Cell]] = field(default_factory=list)


@dataclass(slots=True)
class WorksheetRecord:
    """One worksheet as written."""

    cells: Cells
    row: int = 0
    fields: list[FieldRecord] = field(default_factory=list)


@dataclass(frozen=True)
class Imported:
    """The specification that was read, or None if it cannot be; what is wrong with it either way."""

    specification: Specification | None
    findings: tuple[Finding, ...] = ()


class Builder:
    """Makes worksheets of records. `findings` collects what is wrong; nothing is left out in silence."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []

    def specification(self, name: str, title: str, records: list[WorksheetRecord]) -> Imported:
        """Return the specification of all records, or what is wrong with them."""
        worksheets = tuple(self.worksheet(record) for record in records)
        if not worksheets and not self.findings:
            self.findings.append(Finding("It contains no worksheet."))
        if any(finding.level is Level.ERROR for finding in self.findings):
            return Imported(None, tuple(self.findings))
        return Imported(Specification(name=name, title=title, worksheets=worksheets), tuple(self.findings))

    def worksheet(self, record: WorksheetRecord) -> Worksheet:
        cells = record.cells
        return Worksheet(
            name=self._name(cells, "ws_name", "a worksheet"),
            kind=self._worksheet_kind(cells),
            predicate=_text(cells, "ws_predicate"),
            description=_text(cells, "ws_description"),
            title=_text(cells, "ws_title"),
            verb=_text(cells, "ws_verb"),
            table=_text(cells, "ws_table"),
            backend=_text(cells, "ws_backend"),
            actions=_text(cells, "ws_actions"),
            fields=tuple(self.field(one) for one in record.fields),
            row=record.row,
        )

    def field(self, record: FieldRecord) -> Field:
        cells = record.cells
        kind, primary = self._field_kind(cells)
        ask = not self._flag(cells, "dont_ask")
        return Field(
            name=self._name(cells, "name", "a field"),
            type=self._chosen(cells) if record.options else self._type(cells),
            kind=kind,
            primary=primary,
            predicate=_text(cells, "predicate"),
            title=_text(cells, "title"),
            description=_text(cells, "description"),
            question=_text(cells, "question"),
            reason=_text(cells, "reason"),
            enum_values=tuple(EnumValue(value=one.text, description=said.text) for one, said in record.options),
            ask=ask,
            required=self._required(cells, ask),
            confirm=self._flag(cells, "confirm"),
            validation=_text(cells, "validation"),
            refusal=_text(cells, "refusal"),
            actions=_text(cells, "actions"),
            row=record.row,
        )

    def _required(self, cells: Cells, ask: bool) -> bool:
        """Not to ask implies optional: a required field that may not be asked for could never be filled."""
        required = self._flag(cells, "required")
        if required and not ask:
            finding = cells["required"].finding("A field that is never asked for is optional; it is read as such.")
            self.findings.append(dataclasses.replace(finding, level=Level.WARNING))
        return required and ask

    def _name(self, cells: Cells, column: str, what: str) -> str:
        cell = cells[column]
        if not _NAME.fullmatch(cell.text):
            said = f"{cell.text!r} is not the name of {what}" if cell.text else f"{what} without a name".capitalize()
            self.findings.append(cell.finding(f"{said}: write letters, digits and _, no spaces."))
        return cell.text

    def _worksheet_kind(self, cells: Cells) -> WorksheetKind:
        cell = cells.get("ws_kind", Cell(""))
        kind = WORKSHEET_KINDS.get(cell.text.lower() or "task")
        if kind is None:
            known = "Task, KB or Type (or worksheet, db, type)"
            self.findings.append(cell.finding(f"{cell.text!r} is not a kind of worksheet: write {known}."))
        return kind or WorksheetKind.TASK

    def _field_kind(self, cells: Cells) -> tuple[FieldKind, bool]:
        cell = cells.get("kind", Cell(""))
        first, *others = [part.strip().lower() for part in (cell.text or "input").split(";")]
        if first not in FieldKind._value2member_map_ or any(other != "primary" for other in others):
            known = "input, output, internal, or one of them with “; primary”"
            self.findings.append(cell.finding(f"{cell.text!r} is not a kind of field: write {known}."))
            return FieldKind.INPUT, False
        return FieldKind(first), bool(others)

    def _chosen(self, cells: Cells) -> FieldType:
        """The type of a field with values to choose from: a text, or one of no type, is read as an Enum."""
        cell = cells.get("type", Cell(""))
        if cell.text.lower() not in ("", "str"):
            return self._type(cells)
        finding = cell.finding("A field with values to choose from is an Enum; it is read as such.")
        self.findings.append(dataclasses.replace(finding, level=Level.WARNING))
        return FieldType(name=Basic.ENUM.value)

    def _type(self, cells: Cells) -> FieldType:
        cell = cells.get("type", Cell(""))
        listed = _LIST.fullmatch(cell.text)
        name = listed.group(1) if listed else cell.text
        name = TYPE_WORDS.get(name.lower(), name)
        if not _NAME.fullmatch(name):
            known = "str, int, float, bool, date, time, confirm, Enum, a worksheet's name, or List[…] of one"
            said = f"{cell.text!r} is not a type" if cell.text else "The field has no type"
            self.findings.append(cell.finding(f"{said}: write {known}."))
        return FieldType(name=name, many=listed is not None)

    def _flag(self, cells: Cells, column: str) -> bool:
        cell = cells.get(column, Cell(""))
        word = cell.text.lower()
        if word not in TRUE_WORDS and word not in FALSE_WORDS:
            self.findings.append(cell.finding(f"{cell.text!r} is neither TRUE nor FALSE."))
        return word in TRUE_WORDS


def _text(cells: Cells, column: str) -> str:
    return cells[column].text if column in cells else ""


def field_values(declared: Field) -> dict[str, Any]:
    """Return what is written of a field, by column, without its enum values."""
    kind = f"{declared.kind}; primary" if declared.primary else str(declared.kind)
    return {
        "predicate": declared.predicate,
        "kind": kind,
        "type": str(declared.type),
        "name": declared.name,
        "title": declared.title,
        "description": declared.description,
        "dont_ask": not declared.ask,
        "required": declared.required,
        "confirm": declared.confirm,
        "actions": declared.actions,
        "validation": declared.validation,
        "refusal": declared.refusal,
        "question": declared.question,
        "reason": declared.reason,
    }


def worksheet_values(declared: Worksheet) -> dict[str, str]:
    """Return what is written of a worksheet, by column, without its kind and fields."""
    return {
        "ws_predicate": declared.predicate,
        "ws_name": declared.name,
        "ws_backend": declared.backend,
        "ws_description": declared.description,
        "ws_title": declared.title,
        "ws_verb": declared.verb,
        "ws_table": declared.table,
        "ws_actions": declared.actions,
    }
