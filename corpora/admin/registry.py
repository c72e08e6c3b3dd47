"""Places, and the versions of what was imported."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from corpora.admin.editing import ReadOnlyAdmin, RecordedAdmin
from corpora.admin.limits import LimitedAdmin, LimitedByCorpus
from corpora.admin.shown import brief, label, terms
from corpora.importing.telling import counts_in_words
from corpora.models import CorpusVersion, HandEdit, Place


@admin.register(Place)
class PlaceAdmin(RecordedAdmin):
    corpus = "places"
    list_display = ("name", "city", "kind", "latitude", "longitude", "radius", "other_names")
    other_names = brief("aliases", "other names")
    list_filter = ("kind", "city")
    search_fields = ("name", "aliases", "city")


@admin.register(HandEdit)
class HandEditAdmin(LimitedAdmin, ReadOnlyAdmin):
    """Rows that files do not write over; deleting an entry lets them."""

    files = {"programs": "courses", "articles": "services", "questions": "services", "landmarks": "places"}

    def corpora_of(self, obj: HandEdit) -> set[str]:
        return {self.files.get(obj.corpus, obj.corpus)}

    def within(self, rows: models.QuerySet[Any], limited: frozenset[str]) -> models.QuerySet[Any]:
        names = [name for name, corpus in self.files.items() if corpus in limited]
        return rows.filter(corpus__in=[*names, *limited])

    list_display = ("corpus", "key", "by", "at")
    list_filter = ("corpus",)
    search_fields = ("key", "by__username")


@admin.register(CorpusVersion)
class CorpusVersionAdmin(LimitedByCorpus, ReadOnlyAdmin):
    """What was imported, by whom and when. Versions are made by imports, edits and going back."""

    list_display = ("corpus", "number", "kind", "active", "by", "at", "short_changes", "rows_link")
    fields = readonly_fields = ("corpus", "number", "active", "by", "at", "what_changed")
    list_filter = ("active", "kind", "corpus")
    search_fields = ("corpus", "by__username")

    @admin.display(description="rows")
    def short_changes(self, version: CorpusVersion) -> str:
        return "; ".join(f"{label(table)}: {said}" for table, said in _changes(version).items())

    @admin.display(description="rows")
    def what_changed(self, version: CorpusVersion) -> SafeString | str:
        return terms(_changes(version))

    @admin.display(description="rows and versions")
    def rows_link(self, version: CorpusVersion) -> SafeString:
        return format_html('<a href="{}">See them</a>', reverse("admin:corpora_versions", args=[version.corpus]))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def _changes(version: CorpusVersion) -> dict[str, str]:
    return {table: counts_in_words(counts) for table, counts in version.changes.items()}
