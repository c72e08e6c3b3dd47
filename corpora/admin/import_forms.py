"""The forms of an import: which files, and what they hold, field by field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django import forms
from django.conf import settings

from corpora.importing.addresses import FORM as ADDRESS
from corpora.importing.addresses import Address, read_address
from corpora.importing.describing import Described
from corpora.importing.specification import LONGEST_NAME, ColumnKind, identifier
from corpora.importing.uploads import most_bytes, too_large
from corpora.loading.sources import Unreadable
from corpora.models import CorpusVersion, Import

KINDS = (
    (ColumnKind.TEXT, "Short text"),
    (ColumnKind.NUMBER, "Number"),
    (ColumnKind.BOOLEAN, "Yes or no"),
    (ColumnKind.DATE, "Date"),
    (ColumnKind.TIME, "Time of day"),
    (ColumnKind.ENUM, "One of a few values"),
    (ColumnKind.ENUMS, "Some of a few values"),
    (ColumnKind.FREE_TEXT, "Prose"),
    (ColumnKind.FREE_TEXTS, "Several texts"),
    (ColumnKind.LOCATION, "Place"),
    (ColumnKind.OPENING_HOURS, "Opening hours"),
    (ColumnKind.IMAGE, "Picture"),
    (ColumnKind.LINK, "Web address"),
)
ENCODINGS = (
    ("", "Detect it"),
    ("utf-8-sig", "UTF-8"),
    ("cp1252", "Western European (Windows-1252)"),
    ("latin-1", "Western European (Latin-1)"),
    ("cp1250", "Central European (Windows-1250)"),
    ("cp1251", "Cyrillic (Windows-1251)"),
    ("cp1253", "Greek (Windows-1253)"),
    ("cp1254", "Turkish (Windows-1254)"),
    ("utf-16", "UTF-16"),
    ("shift_jis", "Japanese (Shift JIS)"),
    ("gb18030", "Chinese (GB 18030)"),
    ("big5", "Chinese (Big5)"),
    ("euc_kr", "Korean (EUC-KR)"),
)
OF_A_DATABASE = ("address", "password", "only")
MOST_FILES = 100
MAY_BE_KEYS = 3  # columns at the beginning of a table without a key that others are offered to refer to


class SeveralFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """One file or several."""

    widget = SeveralFiles

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        files = data if isinstance(data, list | tuple) else [data] if data else []
        return [super(FilesField, self).clean(file, initial) for file in files]


class FilesForm(forms.Form):
    """The files of an import, and the corpus they are for."""

    corpus = forms.CharField(
        max_length=LONGEST_NAME,
        label="Name of the corpus",
        help_text="What the data are about, in a word or two: hotels. To update a corpus, give its name.",
        widget=forms.TextInput(attrs={"list": "corpora", "autocomplete": "off"}),
    )
    files = FilesField(
        required=False,
        label="Files",
        help_text="CSV, TSV, XLSX, JSON, JSON Lines, Parquet or SQLite, or a zip of these. "
        "Several at once: tables that belong together are linked.",
    )
    encoding = forms.ChoiceField(
        choices=ENCODINGS,
        required=False,
        help_text="Of CSV and TSV files. It can be corrected later.",
    )

    address = forms.CharField(
        required=False,
        max_length=500,
        label="Address",
        widget=forms.TextInput(attrs={"placeholder": ADDRESS, "autocomplete": "off", "spellcheck": "false"}),
        help_text="Its tables are copied; nothing is changed there. Use a login that may only read.",
    )
    password = forms.CharField(
        required=False,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text="Stored encrypted until the copy is made, then deleted.",
    )
    only = forms.CharField(
        required=False,
        label="Tables",
        help_text="Separated by commas. Leave empty for every table that the login can read; views have to be named.",
    )

    def __init__(self, data: Any = None, *args: Any, size: int = 0, **kwargs: Any) -> None:
        super().__init__(_without_password(data), *args, **kwargs)
        self.size = size  # bytes of the whole request
        if not settings.IMPORT_DATABASE_HOSTS:
            for name in OF_A_DATABASE:
                del self.fields[name]

    @property
    def of_files(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in OF_A_DATABASE]

    @property
    def of_a_database(self) -> list[forms.BoundField]:
        return [field for field in self if field.name in OF_A_DATABASE]

    @property
    def gives_a_database(self) -> bool:
        """Whether a database was named, by whoever fills this in or by the import before."""
        return any(field.errors or field.value() for field in self.of_a_database)

    def clean_address(self) -> Address | None:
        said = self.cleaned_data["address"].strip()
        if not said:
            return None
        try:
            address = read_address(said)
        except Unreadable as error:
            raise forms.ValidationError(str(error)) from None
        if not address.is_allowed(settings.IMPORT_DATABASE_HOSTS):
            raise forms.ValidationError(
                f"Data cannot be copied from {address.host}, port {address.port}: the operator of this site lists the "
                "allowed hosts in IMPORT_DATABASE_HOSTS."
            )
        return address

    def clean_only(self) -> list[str]:
        return [name for name in map(str.strip, self.cleaned_data["only"].split(",")) if name]

    def clean_corpus(self) -> str:
        return identifier(self.cleaned_data["corpus"])

    def clean_files(self) -> list[Any]:
        files = self.cleaned_data["files"]
        names = [file.name for file in files]
        if twice := next((name for name in names if names.count(name) > 1), ""):
            raise forms.ValidationError(f"Two files are called {twice}. Rename one.")
        if len(files) > MOST_FILES:
            raise forms.ValidationError(f"{len(files)} files are too many at once: put them into a zip.")
        return files

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.size > most_bytes():
            self.errors.pop("files", None)
            self.add_error("files", too_large(self.size))
        elif not self.errors and bool(cleaned.get("files")) == bool(cleaned.get("address")):
            both = "Either files or a database: import one, then the other." if cleaned.get("files") else ""
            self.add_error("files", both or "Choose at least one file, or name a database.")
        busy = Import.objects.filter(corpus=cleaned.get("corpus"), state__in=Import.WORKING).first()
        if busy:
            self.add_error("corpus", f"An import of {busy.corpus} is under way. Wait for its end, or cancel it.")
        return cleaned

    @property
    def known(self) -> list[str]:
        """The corpora there are."""
        return list(CorpusVersion.objects.filter(active=True).order_by("corpus").values_list("corpus", flat=True))


def _without_password(data: Any) -> Any:
    """What was sent, with a password that stands in the address where passwords are sent: no page shows it again."""
    said = data.get("address", "") if data else ""
    try:
        address = read_address(said)
    except Unreadable:
        hidden = re.sub(r"(//[^:/@]*):[^/]*@", r"\1@", said)
        return data if hidden == said else {**data.dict(), "address": hidden}
    if not address.password:
        return data
    return {**data.dict(), "address": str(address), "password": address.password}


def _text(label: str, width: int, hint: str = "", **more: Any) -> forms.CharField:
    return forms.CharField(label=label, widget=forms.TextInput(attrs={"size": width, "placeholder": hint}), **more)


class CorpusForm(forms.Form):
    one = _text("One of it is a …", 16, max_length=60)
    many = _text("Several are …", 16, max_length=60)
    description = _text("What it is, in a sentence", 60, max_length=300, required=False)


class TableForm(forms.Form):
    use = forms.BooleanField(required=False, label="Import this table")
    name = _text("Name", 20, max_length=LONGEST_NAME)
    one = _text("One row is a …", 14, max_length=60)
    many = _text("Several are …", 14, max_length=60)
    title = forms.ChoiceField(required=False, label="Title of a row")
    description = _text("What it holds", 60, max_length=300, required=False)


class ColumnForm(forms.Form):
    use = forms.BooleanField(required=False, label="Import")
    name = _text("Name", 16, max_length=LONGEST_NAME)
    kind = forms.ChoiceField(choices=KINDS)
    key = forms.BooleanField(required=False)
    refers = forms.ChoiceField(required=False, label="Refers to")
    description = _text("What it means", 24, "meaning", max_length=300, required=False)
    unit = _text("Unit", 5, "unit", max_length=20, required=False)
    order = forms.ChoiceField(
        required=False, label="Dates", choices=(("", "as they are"), ("DMY", "day first"), ("MDY", "month first"))
    )


class DescribedForms:
    """The forms of a whole import: `corpus`, and for each table its form with those of its columns."""

    def __init__(self, described: Described, data: Any = None) -> None:
        self._described = described
        noun = described["noun"]
        initial = {"one": noun[0], "many": noun[1], "description": described["description"]}
        self.corpus = CorpusForm(data, prefix="corpus", initial=initial)
        self.tables = [
            (table, self._table(number, table, data), self._columns(number, table, data))
            for number, table in enumerate(described["tables"])
        ]

    def _table(self, number: int, table: dict[str, Any], data: Any) -> TableForm:
        titles = [("", "none"), *((column["name"], column["name"]) for column in table["columns"])]
        initial = {**table, "one": table["noun"][0], "many": table["noun"][1]}
        form = TableForm(data, prefix=f"t{number}", initial=initial)
        form.fields["title"].choices = titles  # type: ignore[attr-defined]
        return form

    def _columns(self, number: int, table: dict[str, Any], data: Any) -> list[tuple[dict[str, Any], ColumnForm]]:
        keys = _keys(table)
        targets = [("", "—"), *self._targets(number)]
        leads = {link["column"]: f"{link['table']}.{link['target']}" for link in table["links"]}
        forms_ = []
        for place, column in enumerate(table["columns"]):
            initial = {**column, "key": column["name"] in keys, "refers": leads.get(column["name"], "")}
            form = ColumnForm(data, prefix=f"t{number}c{place}", initial=initial)
            form.fields["refers"].choices = targets  # type: ignore[attr-defined]
            forms_.append((column, form))
        return forms_

    def _targets(self, number: int) -> Iterator[tuple[str, str]]:
        """What a column of a table can refer to: the keys of the others, or what may become one."""
        linked = {(link["table"], link["target"]) for table in self._described["tables"] for link in table["links"]}
        for place, table in enumerate(self._described["tables"]):
            keys = _keys(table) or [column["name"] for column in table["columns"][:MAY_BE_KEYS]]
            for column in table["columns"] if place != number else ():
                if column["name"] in keys or (table["name"], column["name"]) in linked:
                    name = f"{table['name']}.{column['name']}"
                    yield name, name

    def is_valid(self) -> bool:
        """Whether each field is; the whole may still not fit together."""
        forms_ = [self.corpus, *(form for _, form, _ in self.tables)]
        forms_ += [form for _, _, columns in self.tables for _, form in columns]
        return not [form for form in forms_ if not form.is_valid()]  # each one, so that all say what is wrong

    def described(self) -> Described:
        """What was described, with what the forms say; names that changed are changed wherever they stand."""
        said = self.corpus.cleaned_data
        tables = {table["name"]: identifier(form.cleaned_data["name"]) for table, form, _ in self.tables}
        columns = {
            f"{table['name']}.{column['name']}": identifier(form.cleaned_data["name"])
            for table, _, forms_ in self.tables
            for column, form in forms_
        }
        return {
            **self._described,
            "noun": [said["one"], said["many"]],
            "description": said["description"],
            "tables": [self._said(table, form, forms_, tables, columns) for table, form, forms_ in self.tables],
        }

    def _said(
        self,
        table: dict[str, Any],
        form: TableForm,
        forms_: list[tuple[dict[str, Any], ColumnForm]],
        tables: dict[str, str],
        columns: dict[str, str],
    ) -> dict[str, Any]:
        said, own = form.cleaned_data, table["name"]
        keys = [columns[f"{own}.{column['name']}"] for column, one in forms_ if one.cleaned_data["key"]]
        links = []
        for column, one in forms_:
            other, _, target = one.cleaned_data["refers"].partition(".")
            if other:
                links.append({
                    "column": columns[f"{own}.{column['name']}"], "table": tables[other],
                    "target": columns[f"{other}.{target}"],
                })  # fmt: skip
        return {
            **table,
            "use": said["use"],
            "name": tables[own],
            "parent": tables.get(table["parent"], ""),
            "noun": [said["one"], said["many"]],
            "title": columns.get(f"{own}.{said['title']}", ""),
            "description": said["description"],
            "key": keys if len(keys) > 1 else keys[0] if keys else None,
            "columns": [_column(column, one, columns[f"{own}.{column['name']}"]) for column, one in forms_],
            "links": links,
        }


def _keys(table: dict[str, Any]) -> list[str]:
    key = table["key"]
    return [key] if isinstance(key, str) else list(key or ())


def _column(column: dict[str, Any], form: ColumnForm, name: str) -> dict[str, Any]:
    said = form.cleaned_data
    source = column["source"] or ("" if column["columns"] or name == column["name"] else column["name"])
    return {
        **column, "use": said["use"], "name": name, "kind": said["kind"], "description": said["description"],
        "unit": said["unit"], "order": said["order"] or None, "source": source,
    }  # fmt: skip
