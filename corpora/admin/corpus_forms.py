"""The forms of a corpus page: what is said of each table and of each of its columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from agent.catalogue.tables import Column, Kind, Table
from agent.understanding.defaults import SCALES
from corpora.catalogue import brought_parts
from corpora.catalogue.cards import Place, places
from corpora.catalogue.drafted import label, vocabulary
from corpora.catalogue.said import ColumnSaid, CorpusSaid, Said, TableSaid, difference

AS_TEXT = (Kind.TEXT, Kind.ENUM, Kind.IMAGE)  # kinds of one form of storage: a curator changes one to another
KINDS = {Kind.TEXT: "text", Kind.ENUM: "one of a few values", Kind.IMAGE: "address of a picture"}
PLACES = {
    Place.NOWHERE: "only when asked for",
    Place.PICTURE: "as the picture",
    Place.STAMP: "as a stamp at the side",
    Place.ABOVE: "above the title",
    Place.RATING: "as the rating, with a star",
    Place.COUNT: "as the number of ratings",
    Place.UNDER: "under the title",
    Place.BADGE: "as a badge",
    Place.OPENING: "its first paragraph",
    Place.FACT: "as a line with its name",
    Place.LINK: "in the last line, as a link",
}
WORDS = "Separated by commas."


def _fits(place: Place, column: Column) -> bool:
    """Whether a column of its kind can be shown at a place."""
    match place:
        case Place.NOWHERE:
            return True
        case Place.OPENING:
            return column.kind is Kind.FREE_TEXT and not column.many
        case _ if column.kind is Kind.FREE_TEXT:
            return False
        case Place.RATING | Place.COUNT:
            return column.kind is Kind.NUMBER
        case Place.PICTURE | Place.STAMP:
            return column.kind in AS_TEXT and not column.many
        case Place.LINK:
            return not column.many
        case _:
            return column.kind is not Kind.IMAGE


class WordsField(forms.CharField):
    """Words and phrases in one line, separated by commas."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"required": False, "widget": forms.TextInput(attrs={"size": 40}), **options})

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) or value is None else ", ".join(value)

    def to_python(self, value: Any) -> list[str]:
        return list(dict.fromkeys(filter(None, (" ".join(word.split()) for word in (value or "").split(",")))))


class ValuesField(forms.CharField):
    """Other words for values: a line "value: word, word" for each."""

    def __init__(self, values: Iterable[str], **options: Any) -> None:
        self.values = list(values)
        rows = min(len(self.values), 8) + 1
        widget = forms.Textarea(attrs={"rows": rows, "cols": 60})
        super().__init__(required=False, widget=widget, **options)

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, str) or value is None:
            return value
        words = dict(value)
        return "\n".join(f"{one}: {', '.join(words.get(one, ()))}".rstrip() for one in self.values)

    def to_python(self, value: Any) -> dict[str, list[str]]:
        found = {}
        for line in filter(None, (line.strip() for line in (value or "").splitlines())):
            name = next((one for one in self.values if line.startswith(f"{one}:")), None)
            if name is None:
                raise forms.ValidationError(f"“{line}” does not begin with a value of this column and a colon.")
            words = [" ".join(word.split()) for word in line[len(name) + 1 :].split(",")]
            if any(words):
                found[name] = [word for word in words if word]
        return found


class ColumnForm(forms.Form):
    description = forms.CharField(required=False, max_length=300, widget=forms.TextInput(attrs={"size": 60}))
    synonyms = WordsField(label="Other words for it", help_text=WORDS)
    unit = forms.CharField(required=False, max_length=40, widget=forms.TextInput(attrs={"size": 12}))
    kind = forms.TypedChoiceField(required=False, coerce=Kind)
    low = WordsField(label="Words for little of it", help_text="“cheap, cheapest”")
    high = WordsField(label="Words for much of it", help_text="“dear, most expensive”")
    values = ValuesField((), label="Other words for its values", help_text="A line for each value, after its colon.")
    card = forms.TypedChoiceField(required=False, label="On a card", coerce=Place)

    def __init__(self, table: Table, column: Column, sample: bool, place: Place, *args: Any, **kwargs: Any) -> None:
        self.column, self.base = column, _of_column(column, place)
        super().__init__(*args, **kwargs)
        self.title = label(column.name).capitalize()
        if column.kind not in SCALES:
            del self.fields["low"], self.fields["high"]
        if column.kind is not Kind.NUMBER:
            del self.fields["unit"]
        if sample or column.kind not in AS_TEXT or column.many:
            del self.fields["kind"]
        else:
            self.fields["kind"].choices = [(kind.value, KINDS[kind]) for kind in AS_TEXT]
        self.fields["card"].choices = [(one.value, PLACES[one]) for one in PLACES if _fits(one, column)]
        words = vocabulary(table, column)
        if words:
            self.fields["values"] = ValuesField(words, label="Other words for its values")
        else:
            del self.fields["values"]

    def said(self) -> ColumnSaid:
        return ColumnSaid.model_validate(difference(self.base, self.cleaned_data))


class TableForm(forms.Form):
    description = forms.CharField(required=False, max_length=500, widget=forms.Textarea(attrs={"rows": 2, "cols": 70}))
    one = forms.CharField(label="One row is a", max_length=60)
    many = forms.CharField(label="Several are", max_length=60)
    synonyms = WordsField(label="Other words for them", help_text=WORDS)
    title = forms.ChoiceField(label="Known to people by", required=False)
    order = forms.ChoiceField(label="Order when none is asked for", required=False)

    def __init__(self, table: Table, *args: Any, **kwargs: Any) -> None:
        self.table, self.base = table, _of_table(table)
        super().__init__(*args, **kwargs)
        shown = [column for column in table.columns if not column.hidden]
        titles = [one for one in shown if one.kind in (Kind.TEXT, Kind.ENUM) and not one.many]
        self.fields["title"].choices = [("", "—")] + [(one.name, label(one.name)) for one in titles]
        orders = [
            (f"{sign}{one.name}", f"{label(one.name)}, {words}")
            for one in shown
            if one.kind in (*SCALES, Kind.TEXT) and not one.many
            for sign, words in (("-", "highest first"), ("", "lowest first"))
        ]
        kept = [(self.base["order"], "as it came")] if self.base["order"] not in ("", *dict(orders)) else []
        self.fields["order"].choices = [("", "as the search finds them"), *kept, *orders]

    def said(self) -> TableSaid:
        cleaned = dict(self.cleaned_data)
        told = cleaned | {"noun": [cleaned.pop("one"), cleaned.pop("many")]}
        base = self.base | {"noun": list(self.table.noun)}
        told = {name: value for name, value in told.items() if name not in ("one", "many")}
        return TableSaid.model_validate(difference(base, told))


class ExamplesForm(forms.Form):
    welcome = forms.CharField(
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 80}),
        help_text="What stands above the questions, in Markdown. An assistant over this corpus says it unless it has "
        "a welcome of its own.",
    )
    examples = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 6, "cols": 80}),
        label="Questions to begin with",
        help_text="One a line. An assistant over this corpus offers them unless it has its own.",
    )

    def said(self) -> dict[str, Any]:
        lines = [line.strip() for line in self.cleaned_data["examples"].splitlines() if line.strip()]
        return {"welcome": self.cleaned_data["welcome"].strip() or None, "examples": lines or None}


class CorpusForms:
    """All forms of a corpus page. `base` are its tables as they came, `now` what is said of them."""

    def __init__(
        self,
        tables: list[Table],
        said: CorpusSaid,
        sample: bool,
        data: Mapping[str, Any] | None = None,
        drafted: CorpusSaid | None = None,
    ) -> None:
        proposed = drafted or CorpusSaid()
        initial = {"welcome": said.welcome or proposed.welcome or ""}
        initial["examples"] = "\n".join(said.examples or proposed.examples or ())
        self.examples = ExamplesForm(data, initial=initial)
        _mark(self.examples, proposed, said)
        self.tables = [
            (
                self._table(table, said, data, drafted),
                [
                    self._column(table, column, said, sample, data, drafted)
                    for column in table.columns
                    if not column.hidden
                ],
            )
            for table in tables
        ]

    def _table(
        self, table: Table, said: CorpusSaid, data: Mapping[str, Any] | None, drafted: CorpusSaid | None
    ) -> TableForm:
        form = TableForm(table, data, prefix=table.name, initial=_initial_of_table(table, said, drafted))
        _mark(form, _of(table.name, drafted), _of(table.name, said))
        return form

    def _column(
        self,
        table: Table,
        column: Column,
        said: CorpusSaid,
        sample: bool,
        data: Mapping[str, Any] | None,
        drafted: CorpusSaid | None,
    ) -> ColumnForm:
        place = places(table, brought_parts(table.name)).get(column.name, Place.NOWHERE)
        initial = _of_column(column, place)
        proposed, told = (_of(table.name, one).columns.get(column.name, ColumnSaid()) for one in (drafted, said))
        for source in (proposed, told):
            initial |= source.model_dump(exclude_none=True)
        form = ColumnForm(table, column, sample, place, data, prefix=f"{table.name}.{column.name}", initial=initial)
        _mark(form, proposed, told)
        return form

    def is_valid(self) -> bool:
        forms_of = [self.examples, *(form for table, columns in self.tables for form in (table, *columns))]
        return sum(not form.is_valid() for form in forms_of) == 0  # each is asked, so that each shows what is wrong

    def said(self) -> CorpusSaid:
        """What the forms say beyond what the corpus came with."""
        tables = {}
        for table, columns in self.tables:
            told = {one.column.name: said for one in columns if (said := one.said()) != ColumnSaid()}
            whole = table.said().model_copy(update={"columns": told})
            if whole != TableSaid():
                tables[table.table.name] = whole
        return CorpusSaid(**self.examples.said(), tables=tables)


def _of(table: str, said: CorpusSaid | None) -> TableSaid:
    return said.tables.get(table, TableSaid()) if said else TableSaid()


def _mark(form: forms.Form, proposed: Said, said: Said) -> None:
    """Let the fields know that hold a proposal, and the form that it has some."""
    names = proposed.model_dump(exclude_none=True).keys() - said.model_dump(exclude_none=True).keys()
    for name in names & form.fields.keys():
        form.fields[name].proposed = True
    form.proposed = bool(names & form.fields.keys())


def _initial_of_table(table: Table, said: CorpusSaid, drafted: CorpusSaid | None) -> dict[str, Any]:
    initial = _of_table(table)
    for source in (drafted, said):
        told = _of(table.name, source).model_dump(exclude_none=True)
        noun = told.pop("noun", None)
        initial |= told | ({"one": noun[0], "many": noun[1]} if noun else {})
    return initial


def _of_table(table: Table) -> dict[str, Any]:
    return {
        "description": table.description,
        "one": table.noun[0],
        "many": table.noun[1],
        "synonyms": list(table.synonyms),
        "title": table.title,
        "order": table.order,
    }


def _of_column(column: Column, place: Place) -> dict[str, Any]:
    return {
        "description": column.description,
        "synonyms": list(column.synonyms),
        "unit": column.unit,
        "kind": column.kind,
        "low": list(column.low_words),
        "high": list(column.high_words),
        "values": {value: list(words) for value, words in column.value_words},
        "card": place,
    }
