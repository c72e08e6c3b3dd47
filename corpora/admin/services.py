"""Help articles and tickets."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import admin

from corpora.admin.editing import IndexedAdmin
from corpora.models import Article, Ticket


@admin.register(Article)
class ArticleAdmin(IndexedAdmin):
    list_display = ("title", "category", "audience", "updated")
    list_filter = ("category", "audience", "updated")
    search_fields = ("title", "slug", "body", "contact")
    prepopulated_fields = {"slug": ("title",)}

    def texts_of(self, obj: Article) -> Iterable[tuple[str, str]]:
        return [("articles", str(obj.pk))]


@admin.register(Ticket)
class TicketAdmin(admin.ModelAdmin):
    list_display = ("id", "subject", "person", "status", "created", "updated")
    list_display_links = ("id", "subject")
    list_editable = ("status",)
    list_filter = ("status", "created")
    search_fields = ("subject", "body", "person")
    date_hierarchy = "created"
    readonly_fields = ("created", "updated")
