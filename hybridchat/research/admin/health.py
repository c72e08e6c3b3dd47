"""The health of the corpora, and from each fault the way to what mends it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from corpora.admin.limits import LimitedByAssistant
from hybridchat.chat.admin import ReadOnlyAdmin
from hybridchat.research import health
from hybridchat.research.admin.feedback import STYLES
from hybridchat.research.admin.mending import Ways
from hybridchat.research.models import CorpusHealth
from hybridchat.research.plots import stacked_bars


@admin.register(CorpusHealth)
class CorpusHealthAdmin(LimitedByAssistant, ReadOnlyAdmin):
    """A page for each corpus; what people asked is shown to those who may read conversations."""

    assistant_path = "slug"
    list_display = ("title", "tables", "active")
    search_fields = ("title", "slug")

    class Media:
        css = STYLES

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[CorpusHealth]:
        return super().get_queryset(request).order_by("position", "title")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Everything that is known to be wrong with a corpus."""
        corpus = self.get_object(request, object_id)
        if corpus is None or not self.has_view_permission(request, corpus):
            raise Http404
        ways = Ways(request.user)
        context = {
            **self.admin_site.each_context(request),
            "title": f"Health of {corpus.title}",
            "opts": self.opts,
            "media": self.media,
            "corpus": corpus,
            "tables": [
                (table, [(column, ways.words_for(table.name, column.name)) for column in table.ailing])
                for table in health.tables(corpus.slug)
            ],
            "may_edit": request.user.has_perm("corpora.change_assistant"),
            **(_questions(ways, corpus.slug) if request.user.has_perm("chat.view_turn") else {}),
        }
        return TemplateResponse(request, "admin/research/health.html", context)


def _questions(ways: Ways, corpus: str) -> dict[str, Any]:
    """What the page shows of the questions that people asked."""
    asked = health.asked(corpus)
    weeks, went = health.weekly(asked)
    spans, counts = health.speeds(asked)
    return {
        "asked": asked,
        "plots": [
            stacked_bars("How questions went, by week", weeks, went),
            stacked_bars("How long searches took", spans, {"searches": counts}),
        ],
        "unanswered": [
            (one, times, list(ways.of(one.turn, corpus, filter(None, one.suql.split(";\n")))))
            for one, times in health.unanswered(asked)
        ],
        "slowest": health.slowest(asked),
        "dearest": health.dearest(asked),
    }
