"""Passages, to look at: they follow from the texts."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from corpora.admin.editing import ReadOnlyAdmin
from corpora.admin.limits import LimitedAdmin
from corpora.admin.shown import brief
from corpora.models import Passage
from corpora.rights import corpora, corpora_of


@admin.register(Passage)
class PassageAdmin(LimitedAdmin, ReadOnlyAdmin):
    list_display = ("short_body", "owner_table", "owner_key", "column_name", "label", "dated")
    short_body = brief("body", "passage")
    list_filter = ("owner_table", "column_name", "embedder")
    search_fields = ("body", "label", "=owner_key")
    fields = (
        ("owner_table", "owner_key", "column_name"),
        ("text_index", "start", "stop"),
        "body",
        ("label", "dated"),
        "embedder",
    )

    def corpora_of(self, obj: Passage) -> set[str]:
        return corpora_of([obj.owner_table])

    def within(self, rows: QuerySet[Passage], limited: frozenset[str]) -> QuerySet[Passage]:
        return rows.filter(owner_table__in=[table for name, of in corpora().items() if name in limited for table in of])

    def get_queryset(self, request: HttpRequest) -> QuerySet[Passage]:
        return super().get_queryset(request).defer("embedding", "search")
