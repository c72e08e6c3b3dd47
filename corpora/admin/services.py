"""Help articles."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import admin

from corpora.admin.editing import IndexedAdmin
from corpora.models import Article


@admin.register(Article)
class ArticleAdmin(IndexedAdmin):
    list_display = ("title", "category", "audience", "updated")
    list_filter = ("category", "audience", "updated")
    search_fields = ("title", "slug", "body", "contact")
    prepopulated_fields = {"slug": ("title",)}

    def texts_of(self, obj: Article) -> Iterable[tuple[str, str]]:
        return [("articles", str(obj.pk))]
