"""The playground: the page on which staff try a question or a query over a corpus."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from agent.protocols.errors import QueryError
from corpora.admin.examples import corpus_choices
from corpora.admin.limits import LimitedByAssistant, check_within, offer_within
from corpora.models import Assistant
from hybridchat.chat.admin import ReadOnlyAdmin
from hybridchat.chat.languages import current_language
from hybridchat.chat.limits import MESSAGE_CHARACTERS, clean
from hybridchat.research import playground
from hybridchat.research.admin.feedback import STYLES
from hybridchat.research.admin.mending import FROM_RUN, FROM_TURN, note_what_was_made, turn_opened_from
from hybridchat.research.models import PlaygroundRun

RECENT = 12  # trials that are listed
LONGEST_QUERY = 20_000  # characters
SAVED_AS = (("corpora", "fewshotpair", "Few-shot pair"), ("research", "regressioncase", "Regression case"))


class TrialForm(forms.Form):
    """What to try: a question, or a query beside it."""

    corpus = forms.ChoiceField()
    question = forms.CharField(
        max_length=MESSAGE_CHARACTERS, required=False, widget=forms.Textarea(attrs={"rows": 2, "maxlength": 2000})
    )
    suql = forms.CharField(
        label="Query",
        max_length=LONGEST_QUERY,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "class": "vLargeTextField suql"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["corpus"].choices = corpus_choices()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for name in ("question", "suql"):
            cleaned[name] = clean(cleaned.get(name) or "")
        if "run_query" not in self.data:
            cleaned["suql"] = ""
        if not cleaned["question"] and not cleaned["suql"]:
            self.add_error("question", "Write a question, or a query.")
        return cleaned


@admin.register(PlaygroundRun)
class PlaygroundAdmin(LimitedByAssistant, ReadOnlyAdmin):
    """Trials of the one who looks; nobody else's."""

    assistant_path = "corpus"

    class Media:
        css = STYLES

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[PlaygroundRun]:
        return super().get_queryset(request).filter(by=request.user)

    def get_urls(self) -> list[URLPattern]:
        start = path("start/", self.admin_site.admin_view(self.start), name="research_playgroundrun_start")
        return [start, *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """The empty form, or one filled in from a turn of a conversation."""
        if not self.has_view_permission(request):
            raise Http404
        turn = turn_opened_from(request)
        initial = {"corpus": turn.conversation.assistant, "question": turn.message} if turn else {}
        return self._page(request, TrialForm(initial=initial), None)

    def start(self, request: HttpRequest) -> HttpResponse:
        """Begin a trial and show how it goes."""
        if not request.user.has_perm("research.add_playgroundrun"):
            raise Http404
        if request.method != "POST":
            return redirect("admin:research_playgroundrun_changelist")
        form = TrialForm(request.POST)
        if form.is_valid():
            wanted = form.cleaned_data
            check_within(request, wanted["corpus"])
            try:
                run = playground.start(
                    request.user, wanted["corpus"], wanted["question"], wanted["suql"], current_language()
                )
                note_what_was_made(request, run)
                return redirect("admin:research_playgroundrun_change", run.pk)
            except QueryError as error:
                form.add_error("suql", error.sentence)
            except Assistant.DoesNotExist:
                form.add_error("corpus", "This corpus is gone.")
        return self._page(request, form, None)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """One trial, with the form to go on from it."""
        run = self.get_object(request, object_id)
        if run is None or not self.has_view_permission(request, run):
            raise Http404
        queries = run.result.get("queries", ())
        found = "\n".join(query["suql"] for query in queries[:1])
        initial = {"corpus": run.corpus, "question": run.question, "suql": run.suql or found}
        return self._page(request, TrialForm(initial=initial), run)

    def _page(self, request: HttpRequest, form: TrialForm, run: PlaygroundRun | None) -> HttpResponse:
        offer_within(request, form.fields["corpus"])
        saved_as = [
            (f"{reverse(f'admin:{app}_{model}_add')}?{FROM_RUN}={run.pk}", words)
            for app, model, words in SAVED_AS
            if run and run.question and run.status == "done" and request.user.has_perm(f"{app}.add_{model}")
        ]
        context = {
            **self.admin_site.each_context(request),
            "title": "Playground",
            "opts": self.opts,
            "media": self.media,
            "form": form,
            "run": run,
            "result": run.result if run else {},
            "saved_as": saved_as,
            "origin": f"{FROM_RUN}={run.pk}" if run else urlencode({FROM_TURN: request.GET.get(FROM_TURN, "")}),
            "recent": self.get_queryset(request)[:RECENT],
            "may_try": request.user.has_perm("research.add_playgroundrun"),
        }
        return TemplateResponse(request, "admin/research/playground.html", context)
