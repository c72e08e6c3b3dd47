"""Specifications as JSON: a list of worksheets with `ws_…` and `field_…` keys, or an object that holds it.

    {"title": "…", "worksheets": [{"ws_name": "BookRestaurant", "ws_type": "worksheet", "fields": [
        {"field_name": "date", "field_type": "date", "field_required": true}, …]}]}

Keys that are empty may be left out. A rule may be a list of lines.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

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
from agent.worksheets.formats.vocabulary import BY_KEY, BY_NAME, FIELD, KIND_WORDS, WORKSHEET, Vocabulary
from agent.worksheets.specification import Field, FieldKind, Specification, Worksheet

_DOCUMENT_KEYS = ("name", "title", "worksheets")
_WORKSHEET_KEYS = tuple(column.key for column in WORKSHEET)
_FIELD_KEYS = tuple(column.key for column in FIELD)


def read(text: str, name: str, title: str = "") -> Imported:
    """Return the specification that a JSON text declares; `title` where it names none."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        finding = Finding(f"This is not JSON: {error.msg}.", path="document", line=error.lineno, position=error.colno)
        return Imported(None, (finding,))
    except RecursionError:
        return Imported(None, (Finding("This is nested too deeply to be a specification.", path="document"),))
    reading = _Reading()
    records, said = reading.document(document)
    return reading.specification(name, said or title, records)


def write(specification: Specification) -> str:
    """Return the specification as JSON, in the order of the published keys, without what is empty."""
    worksheets = [_worksheet(worksheet) for worksheet in specification.worksheets]
    document = {"name": specification.name, "title": specification.title, "worksheets": worksheets}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


class _Reading(Builder):
    """Turns the objects of a document into records, with the path of each value."""

    def document(self, document: Any) -> tuple[list[WorksheetRecord], str]:
        if isinstance(document, list):
            document = {"worksheets": document}
        items = document.get("worksheets") if isinstance(document, dict) else None
        if not isinstance(items, list):
            self.findings.append(Finding("A list of worksheets is expected here.", path="worksheets"))
            return [], ""
        self._unknown(document, _DOCUMENT_KEYS, "")
        records = [self._worksheet(item, f"worksheets[{index}]") for index, item in enumerate(items)]
        return [record for record in records if record is not None], str(document.get("title", ""))

    def _worksheet(self, item: Any, path: str) -> WorksheetRecord | None:
        if not self._is_object(item, path):
            return None
        fields = [] if item.get("fields") is None else item["fields"]
        if not isinstance(fields, list):
            self.findings.append(Finding("A list of fields is expected here.", path=f"{path}.fields"))
            fields = []
        record = WorksheetRecord(self._cells(item, (*_WORKSHEET_KEYS, "fields"), path))
        record.fields = [
            self._field(one, f"{path}.fields[{index}]")
            for index, one in enumerate(fields)
            if self._is_object(one, f"{path}.fields[{index}]")
        ]
        return record

    def _field(self, item: dict[str, Any], path: str) -> FieldRecord:
        options = [] if item.get("enum_values") is None else item["enum_values"]
        if not isinstance(options, list):
            self.findings.append(Finding("A list of values is expected here.", path=f"{path}.enum_values"))
            options = []
        record = FieldRecord(self._cells(item, _FIELD_KEYS, path))
        for index, option in enumerate(options):
            place = f"{path}.enum_values[{index}]"
            if not isinstance(option, dict):
                option = {"value": option}
            self._unknown(option, ("value", "description"), place)
            record.options.append(
                (self._cell(option.get("value", ""), place), self._cell(option.get("description", ""), place))
            )
        return record

    def _cells(self, item: dict[str, Any], known: Iterable[str | None], path: str) -> dict[str, Cell]:
        self._unknown(item, known, path)
        texts = {key: value for key, value in item.items() if key in BY_KEY and key != "enum_values"}
        cells = {BY_KEY[key].name: self._cell(value, f"{path}.{key}") for key, value in texts.items()}
        needed = "ws_name" if "fields" in known else "name"
        cells.setdefault(needed, self._cell("", f"{path}.{BY_NAME[needed].key}"))
        return cells

    def _cell(self, value: Any, path: str) -> Cell:
        if isinstance(value, list) and all(isinstance(line, str) for line in value):
            value = "\n".join(value)
        if value is None:
            value = ""
        if not isinstance(value, str | bool | int | float):
            self.findings.append(Finding("A text is expected here.", path=path))
            value = ""
        return Cell(str(value).strip(), Finding("", path=path))

    def _unknown(self, item: dict[str, Any], known: Iterable[str | None], path: str) -> None:
        for key in sorted(item.keys() - set(known)):
            place = f"{path}.{key}" if path else key
            message = "A specification has no such key; its value was not read."
            self.findings.append(Finding(message, Level.WARNING, path=place))

    def _is_object(self, item: Any, path: str) -> bool:
        if not isinstance(item, dict):
            self.findings.append(Finding("An object is expected here.", path=path))
        return isinstance(item, dict)


def _worksheet(worksheet: Worksheet) -> dict[str, Any]:
    written: dict[str, Any] = {**worksheet_values(worksheet)}
    written["ws_kind"] = KIND_WORDS[Vocabulary.PUBLISHED][worksheet.kind]
    keys = {str(column.key): _lines(written[column.name]) for column in WORKSHEET if written[column.name]}
    return keys | {"fields": [_field(field) for field in worksheet.fields]}


def _field(field: Field) -> dict[str, Any]:
    written = field_values(field)
    written["kind"] = "" if written["kind"] == FieldKind.INPUT else written["kind"]
    written["enum_value"] = [_option(item.value, item.description) for item in field.enum_values]
    named = ("name", *(column.name for column in FIELD if column.name != "name"))
    return {str(BY_NAME[name].key): _lines(written[name]) for name in named if written[name]}


def _option(value: str, description: str) -> str | dict[str, str]:
    return {"value": value, "description": description} if description else value


def _lines(value: Any) -> Any:
    """A text of several lines as a list of them, which is easier on the eye."""
    return value.split("\n") if isinstance(value, str) and "\n" in value else value
