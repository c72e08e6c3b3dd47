"""What the admin pages of several models share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.forms import SimpleArrayField
from django.db import models
from django.http import HttpRequest

from corpora.admin.limits import LimitedAdmin
from corpora.loading import edits
from corpora.services import index_rows_on_commit

FirstValues = Callable[[HttpRequest, type[models.Model]], dict[str, Any]]

first_values: list[FirstValues] = []
"""What fills in the form of a new row from what its address names; whoever knows something to begin with adds here."""


asked_for: list[Callable[[HttpRequest], str]] = []
"""What says in which words somebody asked for what a page is opened to mend; whoever knows adds here."""


saved: list[Callable[[HttpRequest, models.Model], None]] = []
"""What is told of a new row whose form may have begun with such values; whoever wants to know adds here."""


def asked_by(request: HttpRequest) -> str:
    """Return what somebody asked that a page was opened for; "" for none."""
    return next((words for tell in asked_for if (words := tell(request))), "")


def tell_saved(request: HttpRequest, row: models.Model) -> None:
    """Tell whoever wants to know of a new row."""
    for tell in saved:
        tell(request, row)


_Admin = admin.ModelAdmin if TYPE_CHECKING else object  # what the classes below are mixed into


class Prefilled(_Admin):
    """A model whose form may begin with values that `first_values` give; of a new row, `saved` are told."""

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        initial: dict[str, Any] = super().get_changeform_initial_data(request)
        for give in first_values:
            initial |= give(request, self.model)
        return initial

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if not change:
            tell_saved(request, obj)


class LinesField(SimpleArrayField):
    """A list as text, one item a line; blank lines do not count."""

    def __init__(self, base_field: forms.Field, **kwargs: Any) -> None:
        super().__init__(base_field, delimiter="\n", widget=forms.Textarea(attrs={"rows": 4, "cols": 60}), **kwargs)

    def to_python(self, value: Any) -> list[Any]:
        if isinstance(value, str):
            value = "\n".join(line.strip() for line in value.splitlines() if line.strip())
        return super().to_python(value)


class OneALine(_Admin):
    """Lists are edited as text, one item a line (items hold commas)."""

    def formfield_for_dbfield(self, db_field: models.Field, request: HttpRequest, **kwargs: Any) -> forms.Field | None:
        if isinstance(db_field, ArrayField):
            return LinesField(
                db_field.base_field.formfield(),
                required=not db_field.blank,
                label=db_field.verbose_name.capitalize(),
                help_text=db_field.help_text or "One a line.",
            )
        return super().formfield_for_dbfield(db_field, request, **kwargs)


class RecordedAdmin(Prefilled, OneALine, LimitedAdmin):
    """A model that files are loaded into as well: what is changed here is noted, so that no file writes over it."""

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        before = type(obj)._default_manager.filter(pk=obj.pk).first() if change else None
        super().save_model(request, obj, form, change)
        edits.record([*(edits.lines_of(before) if before else ()), *edits.lines_of(obj)], request.user)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        edits.record(edits.lines_of(obj), request.user)
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> None:
        edits.record([line for obj in queryset for line in edits.lines_of(obj)], request.user)
        super().delete_queryset(request, queryset)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        super().save_formset(request, form, formset, change)
        for obj in formset.new_objects:
            tell_saved(request, obj)
        changed = [*formset.new_objects, *(obj for obj, _ in formset.changed_objects), *formset.deleted_objects]
        edits.record([line for obj in changed for line in edits.lines_of(obj)], request.user)


class IndexedAdmin(RecordedAdmin):
    """A model whose texts are cut into passages: they follow each change, also of the rows edited inline.

    `texts_of` names, for one object, the rows of `kb` whose texts it holds, as (table, key) pairs.
    """

    def texts_of(self, obj: Any) -> Iterable[tuple[str, str]]:
        raise NotImplementedError

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        before = list(self.texts_of(form.instance))  # a rating removed inline is only listed here
        super().save_related(request, form, formsets, change)
        self._index([*before, *self.texts_of(form.instance)])

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        texts = list(self.texts_of(obj))
        super().delete_model(request, obj)
        self._index(texts)

    def delete_queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> None:
        texts = [pair for obj in queryset for pair in self.texts_of(obj)]
        super().delete_queryset(request, queryset)
        self._index(texts)

    def _index(self, texts: Iterable[tuple[str, str]]) -> None:
        by_table: dict[str, list[str]] = {}
        for table, key in texts:
            by_table.setdefault(table, []).append(key)
        for table, keys in by_table.items():
            index_rows_on_commit(table, keys)


class ReadOnlyAdmin(admin.ModelAdmin):
    """A model that the site writes and people only look at, or delete."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
