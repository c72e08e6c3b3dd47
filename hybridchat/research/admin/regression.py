"""Regression cases and their runs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from corpora.admin.editing import OneALine, Prefilled
from corpora.admin.examples import corpus_choices
from corpora.admin.limits import LimitedByAssistant, check_within, offer_within
from hybridchat.chat.admin import ReadOnlyAdmin
from hybridchat.chat.languages import current_language
from hybridchat.research import regression
from hybridchat.research.admin.feedback import STYLES
from hybridchat.research.models import RegressionCase, RegressionRun
from hybridchat.research.plots import Plot, stacked_bars

PLOTTED = 12  # runs


class CaseForm(forms.ModelForm):
    corpus = forms.ChoiceField()

    class Meta:
        widgets = {"expected_answer": forms.Textarea(attrs={"rows": 3, "cols": 60})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["corpus"].choices = corpus_choices(self.instance.corpus)  # type: ignore[attr-defined]


@admin.register(RegressionCase)
class RegressionCaseAdmin(Prefilled, OneALine, LimitedByAssistant):
    """Questions that must go on being answered."""

    assistant_path = "corpus"

    form = CaseForm
    list_display = ("question", "corpus", "expected", "last", "active")
    list_editable = ("active",)
    list_filter = ("corpus", "active", "created")
    search_fields = ("messages", "note", "expected_keys")
    fields = (
        *("corpus", "messages", "expected_keys", "in_order", "expected_answer", "finds_nothing"),
        *("now", "active", "note"),
    )

    class Media:
        css = STYLES

    def save_model(self, request: HttpRequest, obj: RegressionCase, form: Any, change: bool) -> None:
        obj.by = obj.by or request.user  # type: ignore[assignment]
        super().save_model(request, obj, form, change)

    @admin.display(description="question")
    def question(self, case: RegressionCase) -> str:
        return case.messages[-1] if len(case.messages) == 1 else f"{case.messages[-1]} (message {len(case.messages)})"

    @admin.display(description="expected")
    def expected(self, case: RegressionCase) -> str:
        if case.finds_nothing:
            return "nothing"
        rows = len(case.expected_keys)
        return f"{rows} row{'s' if rows != 1 else ''}" if rows else f"“{case.expected_answer[:60]}”"

    @admin.display(description="last run")
    def last(self, case: RegressionCase) -> str:
        result = case.results.order_by("-run").first()
        return "not run yet" if result is None else "passed" if result.passed else result.reason


class StartForm(forms.Form):
    """Which cases to run."""

    corpus = forms.ChoiceField()
    few_shot = forms.BooleanField(label="With few-shot pairs", required=False, initial=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        with_cases = set(RegressionCase.objects.filter(active=True).values_list("corpus", flat=True))
        choices = [(slug, title) for slug, title in corpus_choices() if slug in with_cases]
        self.fields["corpus"].choices = choices  # type: ignore[attr-defined]


@admin.register(RegressionRun)
class RegressionRunAdmin(LimitedByAssistant, ReadOnlyAdmin):
    """Runs: begun here or by `manage.py evaluate parsing --corpus X`, never changed."""

    assistant_path = "corpus"

    list_display = ("__str__", "passed", "language", "few_shot", "status", "by", "release")
    list_filter = ("corpus", "language", "few_shot", "status", "created")
    list_select_related = ("by",)
    change_list_template = "admin/research/run_list.html"

    class Media:
        css = STYLES

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[RegressionRun]:
        return super().get_queryset(request).annotate(passes=Count("results", filter=Q(results__passed=True)))

    @admin.display(description="passed")
    def passed(self, run: Any) -> str:
        return f"{run.passes} of {run.cases}"

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("start/", view(self.start), name="research_regressionrun_start"),
            path("<int:pk>/stop/", view(self.stop), name="research_regressionrun_stop"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        form = StartForm() if request.user.has_perm("research.add_regressionrun") else None
        if form:
            offer_within(request, form.fields["corpus"])
        return super().changelist_view(request, {**(extra_context or {}), "form": form})

    def start(self, request: HttpRequest) -> HttpResponse:
        """Begin a run and show how it goes."""
        if not request.user.has_perm("research.add_regressionrun"):
            raise Http404
        form = StartForm(request.POST)
        if request.method != "POST" or not form.is_valid():
            return redirect("admin:research_regressionrun_changelist")
        wanted = form.cleaned_data
        check_within(request, wanted["corpus"])
        run = regression.start(wanted["corpus"], current_language(), wanted["few_shot"], request.user)
        return self._shown(run)

    def stop(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Stop a run that is under way."""
        run = RegressionRun.objects.filter(pk=pk).first()
        if run is None or request.method != "POST" or not request.user.has_perm("research.add_regressionrun"):
            raise Http404
        check_within(request, run.corpus)
        regression.stop(run)
        return self._shown(run)

    def _shown(self, run: RegressionRun) -> HttpResponseRedirect:
        return HttpResponseRedirect(reverse("admin:research_regressionrun_change", args=[run.pk]))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """One run: how far it is, what changed since the one before, and every result."""
        run = self.get_object(request, object_id)
        if run is None or not self.has_view_permission(request, run):
            raise Http404
        other = (
            RegressionRun.objects.filter(corpus=run.corpus, language=run.language, status="done")
            .exclude(few_shot=run.few_shot)
            .first()
        )
        context = {
            **self.admin_site.each_context(request),
            "title": f"Regression run: {run}",
            "opts": self.opts,
            "media": self.media,
            "run": run,
            "tally": regression.tally(run),
            "changes": regression.changes(run),
            "other": other,
            "other_tally": regression.tally(other) if other else None,
            "results": run.results.select_related("case").order_by("passed", "case"),
            "plot": _plot_of(run),
            "may_stop": request.user.has_perm("research.add_regressionrun"),
        }
        return TemplateResponse(request, "admin/research/run.html", context)


def _plot_of(run: RegressionRun) -> Plot | None:
    """The last runs like this one, oldest first; None for a single one."""
    like = RegressionRun.objects.filter(
        corpus=run.corpus, language=run.language, few_shot=run.few_shot, pk__lte=run.pk, status="done"
    ).annotate(passes=Count("results", filter=Q(results__passed=True)), asked=Count("results"))
    runs = list(like.order_by("-pk")[:PLOTTED])[::-1]
    if len(runs) < 2:
        return None
    labels = [f"{timezone.localtime(one.created):%b %d}" for one in runs]
    passed = [one.passes for one in runs]
    return stacked_bars("The last runs", labels, {"passed": passed, "failed": [one.asked - one.passes for one in runs]})
