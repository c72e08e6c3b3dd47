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
from corpora import descriptions, proposals
from corpora.admin.corpus_forms import CorpusForms
from corpora.admin.editing import ReadOnlyAdmin, asked_by
from corpora.admin.limits import LimitedByCorpus, limits_of
from corpora.catalogue.drafted import draft, samples
from corpora.catalogue.imported import as_they_came, said_of, state_of_corpora, whole_catalogue
from corpora.catalogue.said import CorpusSaid
from corpora.importing.removing import removed_corpora
from corpora.models import CorpusDescription
from corpora.models.descriptions import named
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
            path("of/<slug:corpus>/draft/", view(self.draft_view), name="corpora_corpus_draft"),
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
        wanted, proposal = request.POST.get("action"), proposals.of(corpus)
        if wanted == "save":
            forms = CorpusForms(tables, said, sample, data=request.POST)
            if forms.is_valid():
                version = descriptions.save(corpus, forms.said(), request.user)
                proposals.discard(corpus)
                messages.success(request, f"Saved as version {version.number}. It counts from the next question on.")
                return redirect("admin:corpora_corpus", corpus=corpus)
            messages.error(request, "Nothing was saved: see what is wrong below.")
        elif wanted == "draft":
            forms = CorpusForms(tables, said, sample, drafted=_from_the_data(tables))
            messages.info(request, "What was missing is drafted below. Nothing is saved yet: look it through.")
        else:
            forms = CorpusForms(
                tables, said, sample, drafted=CorpusSaid.model_validate(proposal.document) if proposal else None
            )
        return self._page(
            request,
            "page.html",
            title=corpus.replace("_", " ").capitalize(),
            corpus=corpus,
            forms=forms,
            seen={table.name: {one.name: samples(table, one) for one in table.columns} for table in tables},
            may_change=may_change,
            at=request.GET.get("at", ""),
            asked=asked_by(request),
            sample=sample,
            draft=proposal if wanted is None else None,
            model=named(proposals.model_for(corpus)) if may_change else "",
            may_remove=not sample and request.user.has_perm("corpora.delete_corpusversion"),
            versions=CorpusDescription.objects.filter(corpus=corpus).select_related("by")[:VERSIONS_SHOWN],
        )

    def draft_view(self, request: HttpRequest, corpus: str) -> HttpResponse:
        """Ask a language model for a draft, or discard one; a page that waits for it asks here how far it is."""
        self._tables(request, corpus)
        if not self._may_change(request, corpus):
            raise PermissionDenied
        if request.method != "POST":
            draft = proposals.of(corpus)
            if draft and draft.state == draft.State.WAITING:
                return self._page(request, "_draft.html", corpus=corpus, draft=draft)
            return HttpResponse(headers={"HX-Refresh": "true"})
        if request.POST.get("action") == "discard":
            proposals.discard(corpus)
        else:
            try:
                proposals.ask(corpus, request.user)
            except ValueError as error:  # the model was disconnected since the page was shown
                messages.error(request, str(error))
        return redirect("admin:corpora_corpus", corpus=corpus)

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


def _from_the_data(tables: list[Table]) -> CorpusSaid:
    """What the data themselves suggest of tables, as they are described now."""
    known = whole_catalogue()
    return draft([one for one in known if one.name in {table.name for table in tables}], known)
