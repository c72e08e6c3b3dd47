"""The corpora and a page for each: what is said of its tables and columns, version by version."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from agent.catalogue.tables import Table
from corpora import descriptions
from corpora.admin.corpus_forms import CorpusForms
from corpora.admin.editing import ReadOnlyAdmin
from corpora.admin.limits import LimitedByCorpus, limits_of
from corpora.catalogue.drafted import draft, samples
from corpora.catalogue.imported import as_they_came, said_of, state_of_corpora, whole_catalogue
from corpora.importing.removing import removed_corpora
from corpora.models import CorpusDescription
from corpora.rights import SAMPLES, corpora
from corpora.selectors import rows_of

TEMPLATES = "admin/corpora/corpus"
VERSIONS_SHOWN = 20


@admin.register(CorpusDescription)
class CorpusDescriptionAdmin(LimitedByCorpus, ReadOnlyAdmin):
    """What was said of corpora, version by version, and the pages where it is said."""

    list_display = ("corpus", "number", "active", "by", "at", "page_link")
    list_filter = ("active", "corpus")
    search_fields = ("corpus", "by__username")
    fields = readonly_fields = ("corpus", "number", "active", "by", "at", "page_link")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # what was said can be taken back, and said again

    @admin.display(description="its page")
    def page_link(self, version: CorpusDescription) -> SafeString:
        return format_html('<a href="{}">Open</a>', reverse("admin:corpora_corpus", args=[version.corpus]))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        own = [
            path("of/", view(self.corpora_view), name="corpora_corpora"),
            path("of/<slug:corpus>/", view(self.corpus_view), name="corpora_corpus"),
            path("of/<slug:corpus>/revert/", view(self.revert_view), name="corpora_corpus_revert"),
        ]
        return own + super().get_urls()

    def corpora_view(self, request: HttpRequest) -> HttpResponse:
        """The corpora that this person may look after."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        limited = limits_of(request)
        said = {one.corpus: one for one in CorpusDescription.objects.filter(active=True).select_related("by")}
        known = whole_catalogue()
        shown = [
            {
                "name": name,
                "tables": [(table, rows_of(table)) for table in tables if table in known],
                "sample": name in SAMPLES,
                "said": said.get(name),
            }
            for name, tables in corpora().items()
            if limited is None or name in limited
        ]
        removed = [one for one in removed_corpora() if limited is None or one.corpus in limited]
        may_remove = request.user.has_perm("corpora.delete_corpusversion")
        return self._page(request, "list.html", title="Corpora", corpora=shown, removed=removed, may_remove=may_remove)

    def corpus_view(self, request: HttpRequest, corpus: str) -> HttpResponse:
        """A corpus: its tables and columns, to be described."""
        tables = self._tables(request, corpus)
        may_change = self._may_change(request, corpus)
        if request.method == "POST" and not may_change:
            raise PermissionDenied
        said, sample = said_of(corpus), corpus in SAMPLES
        wanted = request.POST.get("action")
        if wanted == "save":
            forms = CorpusForms(tables, said, sample, data=request.POST)
            if forms.is_valid():
                version = descriptions.save(corpus, forms.said(), request.user)
                messages.success(request, f"Saved as version {version.number}. It counts from the next question on.")
                return redirect("admin:corpora_corpus", corpus=corpus)
            messages.error(request, "Nothing was saved: see what is wrong below.")
        else:
            described = [table for table in whole_catalogue() if table.name in {one.name for one in tables}]
            proposal = draft(described, whole_catalogue()) if wanted == "draft" else None
            forms = CorpusForms(tables, said, sample, drafted=proposal)
            if proposal:
                messages.info(request, "What was missing is drafted below. Nothing is saved yet: look it through.")
        return self._page(
            request,
            "page.html",
            title=corpus.replace("_", " ").capitalize(),
            corpus=corpus,
            forms=forms,
            seen={table.name: {one.name: samples(table, one) for one in table.columns} for table in tables},
            may_change=may_change,
            at=request.GET.get("at", ""),
            sample=sample,
            may_remove=not sample and request.user.has_perm("corpora.delete_corpusversion"),
            versions=CorpusDescription.objects.filter(corpus=corpus).select_related("by")[:VERSIONS_SHOWN],
        )

    def revert_view(self, request: HttpRequest, corpus: str) -> HttpResponse:
        """Go back to an earlier version, or with none to what the corpus came with."""
        self._tables(request, corpus)
        if request.method != "POST" or not self._may_change(request, corpus):
            raise PermissionDenied
        number = request.POST.get("number", "")
        if number == "0":
            version = descriptions.forget(corpus, request.user)
        else:
            wanted = CorpusDescription.objects.filter(corpus=corpus, number=int(number) if number.isdecimal() else -1)
            version = descriptions.revert(get_object_or_404(wanted), request.user)
        messages.success(request, f"Taken back: version {version.number} counts now.")
        return redirect("admin:corpora_corpus", corpus=corpus)

    def _tables(self, request: HttpRequest, corpus: str) -> list[Table]:
        """The tables of a corpus as they came. Raises Http404, PermissionDenied."""
        named = corpora().get(corpus)
        if named is None:
            raise Http404(f"There is no corpus called {corpus}.")
        limited = limits_of(request)
        if not self.has_view_permission(request) or (limited is not None and corpus not in limited):
            raise PermissionDenied
        return [table for table in as_they_came(state_of_corpora().versions) if table.name in named]

    def _may_change(self, request: HttpRequest, corpus: str) -> bool:
        limited = limits_of(request)
        return request.user.has_perm("corpora.change_corpusdescription") and (limited is None or corpus in limited)

    def _page(self, request: HttpRequest, template: str, **context: Any) -> HttpResponse:
        whole = {**self.admin_site.each_context(request), "opts": self.opts, **context}
        return TemplateResponse(request, f"{TEMPLATES}/{template}", whole)
