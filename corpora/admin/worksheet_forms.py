"""Worksheets as forms: one for each worksheet and one for each of its fields, with what the linter finds beside them.

The forms are the JSON form of a specification, cell by cell: what they say is read as a file of it would be.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms

from agent.worksheets.findings import Finding
from agent.worksheets.formats import Format, document
from agent.worksheets.formats.vocabulary import BY_NAME, FIELD, WORKSHEET, Vocabulary
from agent.worksheets.specification import Basic, FieldKind, Specification
from corpora.catalogue.imported import whole_catalogue
from corpora.drafts import Draft, drafted

PLACE = re.compile(r"worksheets\[(\d+)\](?:\.fields\[(\d+)\])?(?:\.(\w+))?")
PRIMARY = "; primary"
NEW_FIELD, NEW_WORKSHEET = "add-field-", "add-worksheet"


def _rule(label: str, help_text: str = "") -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": 2, "spellcheck": "false", "class": "rule"})
    return forms.CharField(label=label, required=False, widget=widget, help_text=help_text)


def _line(label: str, help_text: str = "") -> forms.CharField:
    return forms.CharField(label=label, required=False, help_text=help_text)


def _tick(label: str) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False)


class Part(forms.Form):
    """Base: `found` are the findings of a place by its cell, with "" for the place as a whole."""

    columns: tuple[Any, ...] = ()

    def __init__(self, data: Mapping[str, Any], prefix: str) -> None:
        super().__init__(data, prefix=prefix)
        self.found: dict[str, list[Finding]] = {}
        self.is_valid()  # no cell refuses anything: the linter says what is wrong

    def note(self, cell: str, finding: Finding) -> None:
        self.found.setdefault(cell if cell in self.fields else "", []).append(finding)

    def cells(self) -> Iterator[tuple[Any, list[Finding]]]:
        """Each cell that is shown, with what was found of it."""
        for bound in self:
            if not bound.is_hidden:
                yield bound, self.found.get(bound.name, [])

    @property
    def of_the_whole(self) -> list[Finding]:
        return self.found.get("", [])

    @property
    def has_errors(self) -> bool:
        return bool(self.found)

    def written(self) -> dict[str, Any]:
        """What the form says, by the keys of JSON."""
        said = self.cleaned_data
        return {str(one.key): said[one.name] for one in self.columns if one.key and said.get(one.name)}


class FieldForm(Part):
    columns = FIELD
    name = _line("Name", "As rules call it: number_of_people.")
    type = forms.CharField(label="Type", required=False, widget=forms.TextInput(attrs={"list": "types"}))
    kind = forms.ChoiceField(
        label="Comes from",
        required=False,
        choices=[("", "the person"), (FieldKind.OUTPUT.value, "a result"), (FieldKind.INTERNAL.value, "rules")],
    )
    title = _line("Called", "Where the name does not say.")
    question = _line("Question")
    reason = _line("Why it is needed")
    description = _line("Description")
    enum_value = forms.CharField(
        label="Values",
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One a line; “value: what it means”.",
    )
    required, dont_ask, confirm = _tick("Required"), _tick("Never ask"), _tick("Confirm it")
    primary = _tick("Tells rows apart")
    predicate = _rule("Only if")
    validation = _rule("Valid if")
    refusal = _line("What to say if not")
    actions = _rule("Then")
    place = forms.IntegerField(label="Order", required=False, widget=forms.NumberInput(attrs={"size": 3}))
    remove = _tick("Remove")

    def written(self) -> dict[str, Any]:
        said = super().written()
        if self.cleaned_data.get("primary"):
            said["field_kind"] = f"{self.cleaned_data.get('kind') or FieldKind.INPUT}{PRIMARY}"
        if lines := [line.strip() for line in self.cleaned_data.get("enum_value", "").splitlines() if line.strip()]:
            said["enum_values"] = [_option(line) for line in lines]
        return said


class WorksheetForm(Part):
    columns = WORKSHEET
    ws_name = _line("Name", "As rules call it: BookTable.")
    ws_kind = forms.ChoiceField(
        label="Is",
        required=False,
        choices=[
            ("worksheet", "something to get done"),
            ("db", "a table to ask"),
            ("type", "a row of a table"),
        ],
    )
    ws_title = _line("Called", "“reservation”")
    ws_verb = _line("Confirming it is to", "“book”")
    ws_description = _line("Description")
    ws_table = forms.CharField(label="Table", required=False, widget=forms.TextInput(attrs={"list": "tables"}))
    ws_predicate = _rule("Only if")
    ws_backend = _rule("Call")
    ws_actions = _rule("When it is complete")
    remove = _tick("Remove")


def _option(line: str) -> str | dict[str, str]:
    value, _, meaning = line.partition(":")
    return {"value": value.strip(), "description": meaning.strip()} if meaning.strip() else line


class WorksheetForms:
    """All worksheets of an edition as forms, of what a browser sent or (`as_sent`) of a specification."""

    types = tuple(basic.value for basic in Basic)

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.tables = [table.name for table in whole_catalogue()]
        self.parts = [self._sheet(data, index) for index in range(_count(data, "count"))]
        if data.get("action") == NEW_WORKSHEET:
            self.parts.append((WorksheetForm({}, prefix=f"w{len(self.parts)}"), []))

    def _sheet(self, data: Mapping[str, Any], index: int) -> tuple[WorksheetForm, list[FieldForm]]:
        total = _count(data, f"w{index}-count")
        fields = [FieldForm(data, prefix=f"w{index}-f{at}") for at in range(total)]
        if data.get("action") == f"{NEW_FIELD}{index}":
            prefix = f"w{index}-f{total}"
            fields.append(FieldForm({f"{prefix}-place": str(total + 1), f"{prefix}-type": "str"}, prefix=prefix))
        return WorksheetForm(data, prefix=f"w{index}"), fields

    def draft(self, assistant: str, title: str) -> Draft:
        """What the forms say, read and checked as a file would be; each finding is noted in its form."""
        kept = [
            (sheet, sorted((one for one in fields if not _gone(one)), key=_place))
            for sheet, fields in self.parts
            if not _gone(sheet)
        ]
        worksheets = [sheet.written() | {"fields": [one.written() for one in fields]} for sheet, fields in kept]
        text = json.dumps({"title": title, "worksheets": worksheets})
        found = drafted(text.encode(), Format.JSON, assistant, title)
        for finding in found.findings:
            part, cell = _of(finding, kept)
            if part is not None:
                part.note(cell, finding)
        return found


def _of(finding: Finding, kept: list[tuple[WorksheetForm, list[FieldForm]]]) -> tuple[Part | None, str]:
    """The form and the cell that a finding is about."""
    if match := PLACE.match(finding.path):
        sheet, fields = kept[int(match[1])]
        part: Part = sheet if match[2] is None else fields[int(match[2])]
        return part, _cell(match[3] or "")
    for sheet, fields in kept:
        if sheet.cleaned_data.get("ws_name") == finding.worksheet:
            part = next((one for one in fields if one.cleaned_data.get("name") == finding.field), sheet)
            return part, _cell(finding.column)
    return None, ""


def _cell(name: str) -> str:
    """The cell that a key of JSON or a heading names."""
    return next((one.name for one in BY_NAME.values() if name and name in (one.key, one.heading(Vocabulary.PAPER))), "")


def as_sent(specification: Specification | None) -> dict[str, str]:
    """What a browser would send of a specification's forms."""
    worksheets = json.loads(document.write(specification))["worksheets"] if specification else []
    sent = {"count": str(len(worksheets))}
    for index, sheet in enumerate(worksheets):
        fields = sheet.get("fields", ())
        sent |= _cells_of(sheet, WORKSHEET, f"w{index}") | {f"w{index}-count": str(len(fields))}
        for at, field in enumerate(fields):
            sent |= _cells_of(field, FIELD, f"w{index}-f{at}") | {f"w{index}-f{at}-place": str(at + 1)}
    return sent


def _cells_of(stored: Mapping[str, Any], columns: tuple[Any, ...], prefix: str) -> dict[str, str]:
    found = {f"{prefix}-{one.name}": _text(stored[one.key]) for one in columns if stored.get(one.key)}
    kind, primary, _ = found.get(f"{prefix}-kind", "").partition(PRIMARY)
    if primary:
        found |= {f"{prefix}-kind": "" if kind == FieldKind.INPUT else kind, f"{prefix}-primary": "on"}
    return found


def _text(value: Any) -> str:
    """A value of JSON as its cell holds it: lists line by line, values with what they mean."""
    if isinstance(value, bool):
        return "on" if value else ""
    if isinstance(value, list):
        return "\n".join(one if isinstance(one, str) else f"{one['value']}: {one['description']}" for one in value)
    return str(value)


def _count(data: Mapping[str, Any], name: str) -> int:
    sent = str(data.get(name, ""))
    return min(int(sent), 200) if sent.isdecimal() else 0


def _gone(part: Part) -> bool:
    return bool(part.cleaned_data.get("remove"))


def _place(part: FieldForm) -> int:
    place = part.cleaned_data.get("place")
    return 10_000 if place is None else place
