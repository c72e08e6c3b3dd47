"""Assistants and places."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from corpora.admin.editing import OneALine, ReadOnlyAdmin, RecordedAdmin
from corpora.admin.shown import brief, described
from corpora.catalogue.imported import whole_catalogue
from corpora.models import Assistant, CorpusVersion, HandEdit, Place


@admin.register(Assistant)
class AssistantAdmin(OneALine, admin.ModelAdmin):
    list_display = ("title", "slug", "table_names", "active", "position")
    table_names = brief("tables")
    list_editable = ("active", "position")
    list_filter = ("active",)
    search_fields = ("title", "slug", "description", "example_questions")
    prepopulated_fields = {"slug": ("title",)}

    def formfield_for_dbfield(self, db_field: models.Field, request: HttpRequest, **kwargs: Any) -> forms.Field | None:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name == "tables" and field is not None:
            field.validators.append(_known_tables)
            field.help_text = (
                f"One a line, most relevant first: {', '.join(table.name for table in whole_catalogue())}."
            )
        return field


def _known_tables(names: list[str]) -> None:
    unknown = [name for name in names if name not in whole_catalogue()]
    if unknown:
        raise forms.ValidationError(f"There is no table called {', '.join(unknown)}.")


@admin.register(Place)
class PlaceAdmin(RecordedAdmin):
    list_display = ("name", "city", "kind", "latitude", "longitude", "radius", "other_names")
    other_names = brief("aliases", "other names")
    list_filter = ("kind", "city")
    search_fields = ("name", "aliases", "city")


@admin.register(HandEdit)
class HandEditAdmin(ReadOnlyAdmin):
    """Rows that files do not write over; deleting an entry lets them."""

    list_display = ("corpus", "key", "by", "at")
    list_filter = ("corpus",)
    search_fields = ("key", "by__username")


@admin.register(CorpusVersion)
class CorpusVersionAdmin(ReadOnlyAdmin):
    """What was imported, by whom and when. Versions are made by imports, edits and going back."""

    list_display = ("corpus", "number", "kind", "active", "by", "at", "short_changes", "rows_link")
    short_changes = brief("changes", "rows")
    what_changed = described("changes", "rows")
    fields = readonly_fields = ("corpus", "number", "active", "by", "at", "what_changed")
    list_filter = ("active", "kind", "corpus")
    search_fields = ("corpus", "by__username")

    @admin.display(description="rows and versions")
    def rows_link(self, version: CorpusVersion) -> SafeString:
        return format_html('<a href="{}">See them</a>', reverse("admin:corpora_versions", args=[version.corpus]))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
