"""The guided import: files, what they hold, a dry run, and the import itself, with its progress."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.timesince import timesince
from django.views.decorators.debug import sensitive_post_parameters

from corpora.admin.import_forms import ENCODINGS, DescribedForms, FilesForm
from corpora.admin.limits import LimitedByCorpus, check_corpus, limits_of
from corpora.importing import steps
from corpora.importing.describing import specification
from corpora.importing.specification import BadSpecification
from corpora.models import Import, ImportFile

TEMPLATES = "admin/corpora/import"
SHOWN = 50  # refused cells on the page
State = Import.State

STEPS = (
    ("Files", (State.COPYING, State.RECOGNISING)),
    ("What they hold", (State.DESCRIBING,)),
    ("Dry run", (State.CHECKING, State.CHECKED)),
    ("Import", (State.STORING, State.EMBEDDING, State.INDEXING)),
    ("Done", (State.DONE,)),
)


@admin.register(Import)
class ImportAdmin(LimitedByCorpus):
    """Imports that were carried out or are under way; each has one page, which shows the step it is at."""

    list_display = ("corpus", "state", "by", "created")
    list_filter = ("state", "corpus")
    search_fields = ("corpus", "by__username", "files__name")

    class Media:
        css = {"all": ("corpora/importing.css",)}

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        own = [
            path("<int:pk>/do/<slug:step>/", view(self.do_view), name="corpora_import_do"),
            path("<int:pk>/progress/", view(self.progress_view), name="corpora_import_progress"),
            path("<int:pk>/refused.csv", view(self.refused_view), name="corpora_import_refused"),
        ]
        return own + super().get_urls()

    def has_delete_permission(self, request: HttpRequest, obj: Import | None = None) -> bool:
        return super().has_delete_permission(request, obj) and not (obj and obj.working)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        return {}  # each is deleted on its own page, with its files

    def delete_model(self, request: HttpRequest, obj: Import) -> None:
        steps.forget(obj)

    @method_decorator(sensitive_post_parameters("address", "password"))
    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Take the files."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        size = int(request.META.get("CONTENT_LENGTH") or 0)
        initial = {"corpus": request.GET.get("corpus"), **_last_database(request)}
        form = FilesForm(request.POST or None, request.FILES or None, initial=initial, size=size)
        if request.method == "POST" and form.is_valid():
            said = form.cleaned_data
            check_corpus(request, said["corpus"])
            one = _begun(request, said)
            return HttpResponseRedirect(reverse("admin:corpora_import_change", args=[one.pk]))
        return self._page(request, "files.html", None, form=form, title="Import data")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show where an import is, and take what is described of its files."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        one = self.get_object(request, object_id)
        if one is None:
            raise Http404
        forms = DescribedForms(one.described) if one.described else None
        problem = one.problem
        if request.method == "POST":
            if not self.has_change_permission(request) or not one.described:
                raise PermissionDenied
            forms = DescribedForms(one.described, request.POST)
            problem = self._describe(one, forms, "check" in request.POST)
            if not problem:
                return HttpResponseRedirect(reverse("admin:corpora_import_change", args=[one.pk]))
        title = f"Import of {one.corpus.replace('_', ' ')}"
        return self._page(request, "import.html", one, forms=forms, problem=problem, title=title)

    def _describe(self, one: Import, forms: DescribedForms, check: bool) -> str:
        """Keep what the forms say, and ask for a dry run where that is wished; what is wrong with it."""
        if not forms.is_valid():
            return "Some fields below are not filled in as they should be."
        described = forms.described()
        try:
            specification(one.corpus, described)
            steps.describe(one, described)
            if check:
                steps.check(one)
        except BadSpecification as error:
            return str(error)
        except steps.NotNow:
            return "This import has gone on meanwhile. Load the page again."
        return ""

    def do_view(self, request: HttpRequest, pk: int, step: str) -> HttpResponse:
        """Take a step that needs no form."""
        if request.method != "POST" or not self.has_change_permission(request):
            raise PermissionDenied
        one = get_object_or_404(self.get_queryset(request), pk=pk)
        known: dict[str, Callable[[], None]] = {
            "go-on": lambda: steps.go_on(one),
            "check": lambda: steps.check(one, "overwrite_edits" in request.POST),
            "edit": lambda: steps.describe(one, one.described),
            "cancel": lambda: steps.cancel(one),
            "try-again": lambda: steps.try_again(one),
            "recognise": lambda: steps.recognise_again(one, _encoding(request)),
        }
        if step not in known:
            raise Http404
        try:
            known[step]()
        except steps.NotNow:
            messages.warning(request, "This import has gone on meanwhile.")
        return HttpResponseRedirect(reverse("admin:corpora_import_change", args=[pk]))

    def progress_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """How far it is: a fragment that asks again by itself; at the end of a step the page is loaded anew."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        one = get_object_or_404(self.get_queryset(request), pk=pk)
        response = TemplateResponse(request, f"{TEMPLATES}/_progress.html", _progress(one))
        if not one.working:
            response["HX-Refresh"] = "true"
        return response

    def refused_view(self, request: HttpRequest, pk: int) -> FileResponse:
        """All refused cells, as CSV."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        one = get_object_or_404(self.get_queryset(request), pk=pk)
        if not one.refused:
            raise Http404
        return FileResponse(one.refused.open("rb"), as_attachment=True, filename=f"{one.corpus}-refused.csv")

    def _page(self, request: HttpRequest, template: str, one: Import | None, **context: Any) -> TemplateResponse:
        at = one.state if one else State.RECOGNISING
        context |= {
            **self.admin_site.each_context(request),
            "opts": self.model._meta,
            "media": self.media,
            "one": one,
            "steps": [(name, at in states) for name, states in STEPS],
            "encodings": ENCODINGS,
            "may_change": self.has_change_permission(request),
            "may_delete": self.has_delete_permission(request, one),
            "counted": _in_order(one) if one else [],
            **(_progress(one) if one else {}),
            **(_refused(one) if one and one.state in (State.CHECKED, State.DONE) else {}),
        }
        return TemplateResponse(request, f"{TEMPLATES}/{template}", context)


def _begun(request: HttpRequest, said: dict[str, Any]) -> Import:
    if address := said.get("address"):
        return steps.begin_copy(said["corpus"], replace(address, password=said["password"]), request.user, said["only"])
    return steps.begin(said["corpus"], said["files"], request.user, said["encoding"])


def _last_database(request: HttpRequest) -> dict[str, str]:
    """The database that a corpus came from last, so that copying it anew asks for no more than the password."""
    corpus = request.GET.get("corpus", "")
    limited = limits_of(request)
    if not corpus or (limited is not None and corpus not in limited):
        return {}
    last = Import.objects.filter(corpus=corpus, state=State.DONE).order_by("-pk").first()
    return {"address": last.address, "only": ", ".join(last.only)} if last else {}


def _encoding(request: HttpRequest) -> str:
    said = request.POST.get("encoding", "")
    return said if said in dict(ENCODINGS) else ""


def _progress(one: Import) -> dict[str, Any]:
    """What the progress fragment shows: a share, and the time left once there is something to tell it by."""
    left = ""
    if one.since and one.total and one.done:
        now = timezone.now()
        spent = (now - one.since).total_seconds()
        seconds = spent / one.done * (one.total - one.done)
        left = "less than a minute" if seconds < 60 else timesince(now, now + timedelta(seconds=seconds))
    share = 100 * one.done // one.total if one.total else None
    return {"one": one, "share": share, "left": left}


def _in_order(one: Import) -> list[tuple[str, dict[str, int]]]:
    """The counts of each table, in the order of the files; JSON in the database has another."""
    names = [table["name"] for table in one.described.get("tables", ()) if table["name"] in one.counts]
    return [(name, one.counts[name]) for name in names]


def _refused(one: Import) -> dict[str, Any]:
    """The first refused cells, as they stand in the file of all of them."""
    if not one.refused:
        return {}
    with one.refused.open("rb") as file:
        lines = csv.reader(io.TextIOWrapper(file, "utf-8-sig", newline=""))
        next(lines, None)
        first = [line for _, line in zip(range(SHOWN), lines, strict=False)]
    return {"refused": first, "more_refused": max(one.times_refused - len(first), 0)}


@admin.register(ImportFile)
class ImportFileAdmin(LimitedByCorpus):
    """The files that were uploaded."""

    corpus_path = "of__corpus"

    list_display = ("name", "of")
    search_fields = ("name", "of__corpus")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
