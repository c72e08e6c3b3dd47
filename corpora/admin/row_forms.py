"""A row of an imported table as a form: an input for each column, by its kind."""

from __future__ import annotations

from typing import Any

from django import forms

from corpora.importing.cells import Conventions, Refused
from corpora.importing.finding import StoredTable, values_in_use
from corpora.importing.hours import week_in_words
from corpora.importing.reading import bounded, read_cell
from corpora.importing.specification import ColumnKind, ColumnSpec

PLAIN = Conventions(frozenset("."))  # 1.5 and 1,200.50, as they are shown
BETWEEN = "\n---\n"  # texts of a list
LINES = (ColumnKind.ENUMS,)


class CellField(forms.CharField):
    """A cell: what is written is read as an import reads it."""

    def __init__(self, column: ColumnSpec, **kwargs: Any) -> None:
        super().__init__(required=False, strip=False, **kwargs)
        self.column = column

    def clean(self, value: Any) -> Any:
        said = super().clean(value).replace("\r\n", "\n")
        cell: Any = said if said.strip() else None
        if cell is not None and self.column.kind is ColumnKind.ENUMS:
            return [" ".join(line.split()) for line in said.splitlines() if line.strip()]
        if cell is not None and self.column.kind is ColumnKind.FREE_TEXTS:
            cell = said.split(BETWEEN)
        try:
            return bounded(read_cell(self.column, cell, PLAIN), self.column.kind)
        except Refused as expected:
            raise forms.ValidationError(f"Expected is {expected}.") from expected


class RowForm(forms.Form):
    """The columns of a row. The key of a row that there is stays."""

    def __init__(self, table: StoredTable, row: dict[str, Any] | None, data: Any = None) -> None:
        initial = {column.name: shown(column, row[column.name]) for column in table.columns} if row else {}
        super().__init__(data, initial=initial)
        for column in table.columns:
            self.fields[column.name] = field = CellField(column, widget=_widget(table, column))
            field.label = column.description or column.name.replace("_", " ")
            field.help_text = _help(column)
            field.disabled = row is not None and column.name in table.table.keys

    def values(self) -> dict[str, Any]:
        """The values that are not as they were."""
        return {name: self.cleaned_data[name] for name in self.changed_data}


def _widget(table: StoredTable, column: ColumnSpec) -> forms.Widget:
    match column.kind:
        case ColumnKind.BOOLEAN:
            return forms.Select(choices=(("", "not known"), ("yes", "yes"), ("no", "no")))
        case ColumnKind.NUMBER:
            return forms.TextInput(attrs={"inputmode": "decimal", "size": 14})
        case ColumnKind.DATE:
            return forms.DateInput(attrs={"type": "date"})
        case ColumnKind.TIME:
            return forms.TimeInput(attrs={"type": "time", "step": 1})
        case ColumnKind.FREE_TEXT | ColumnKind.FREE_TEXTS:
            return forms.Textarea(attrs={"rows": 8, "cols": 80})
        case ColumnKind.ENUMS:
            return forms.Textarea(attrs={"rows": 4, "cols": 40})
        case ColumnKind.ENUM:
            return Suggesting(values_in_use(table, column), f"values-{column.name}")
    return forms.TextInput(attrs={"size": 60})


class Suggesting(forms.TextInput):
    """A text with the values that there are already as suggestions."""

    template_name = "admin/corpora/rows/_suggesting.html"

    def __init__(self, values: list[str], name: str) -> None:
        super().__init__(attrs={"list": name, "size": 30, "autocomplete": "off"})
        self.values = values

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        return super().get_context(name, value, attrs) | {"values": self.values}


def _help(column: ColumnSpec) -> str:
    match column.kind:
        case ColumnKind.ENUMS:
            return "One a line."
        case ColumnKind.FREE_TEXTS:
            return "Several texts are parted by a line of three hyphens."
        case ColumnKind.LOCATION:
            return "Latitude and longitude (59.31, 18.12), or the name of a place."
        case ColumnKind.OPENING_HOURS:
            return "Such as Mon-Fri 11 am-2:30 pm, 5 pm-9 pm; Sat closed."
    return f"In {column.unit}." if column.unit else ""


def shown(column: ColumnSpec, value: Any) -> str:
    """A value, as the database keeps it, in the words in which it can be written again."""
    if value is None:
        return ""
    match column.kind:
        case ColumnKind.BOOLEAN:
            return "yes" if value else "no"
        case ColumnKind.ENUMS:
            return "\n".join(value)
        case ColumnKind.FREE_TEXTS:
            return BETWEEN.join(value)
        case ColumnKind.OPENING_HOURS:
            return week_in_words(value)
    return str(value)
