"""The admin of studies: to set one up, to follow it, and to take what it collected."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from corpora.admin.editing import OneALine
from corpora.admin.limits import AcrossCorpora
from hybridchat.chat.admin import ReadOnlyAdmin, conversation_link
from hybridchat.research.exports.services import note
from hybridchat.research.models import Arm, ConsentText, Participation, QuestionnaireAnswer, Scenario, Study
from hybridchat.research.studies.collected import question_lines
from hybridchat.research.studies.comparison import comparison
from hybridchat.research.studies.dashboard import dashboard
from hybridchat.research.studies.selectors import code_of


class ConsentInline(admin.StackedInline):
    """The texts agreed to: a change is another version."""

    model = ConsentText
    extra = 0
    fields = ("version", "text")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ArmInline(admin.TabularInline):
    """The systems compared; fixed once somebody has agreed to take part."""

    model = Arm
    extra = 0

    def _is_open(self, study: Study | None) -> bool:
        return study is None or not study.participations.filter(agreed__isnull=False).exists()

    def has_add_permission(self, request: HttpRequest, obj: Study | None = None) -> bool:
        return self._is_open(obj) and super().has_add_permission(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Study | None = None) -> bool:
        return self._is_open(obj) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Study | None = None) -> bool:
        return self._is_open(obj) and super().has_delete_permission(request, obj)


class ScenarioInline(admin.TabularInline):
    """What participants are asked to get done."""

    model = Scenario
    extra = 0


@admin.register(Study)
class StudyAdmin(OneALine, AcrossCorpora):
    """Studies, each with its texts, arms and scenarios, and a page on how it is going."""

    list_display = ("title", "kind", "state", "assistant", "people", "quota", "dashboard_link")
    list_filter = ("state", "kind", "assistant")
    search_fields = ("title", "slug")
    prepopulated_fields = {"slug": ("title",)}
    readonly_fields = ("invitation", "dashboard_link")
    inlines = (ConsentInline, ArmInline, ScenarioInline)
    fieldsets = (
        (None, {"fields": ("title", "slug", "kind", "state", "assistant", "invitation", "dashboard_link")}),
        ("What people read", {"fields": ("instructions", "openings", "contact")}),
        (
            "What they do",
            {"fields": ("minimum_turns", "closing_word", "questions_each", "scenarios_each", "questionnaire")},
        ),
        ("Who takes part", {"fields": ("quota", "hold_minutes", "identified_only", "seed")}),
        (
            "The recruiting site",
            {
                "fields": (
                    "completion_code",
                    "attention_code",
                    "screened_code",
                    "completion_url",
                    "person_parameter",
                    "study_parameter",
                    "session_parameter",
                )
            },
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Study]:
        finished = Count("participations", filter=Q(participations__finished__isnull=False))
        return super().get_queryset(request).annotate(finished_count=finished)

    @admin.display(description="finished", ordering="finished_count")
    def people(self, study: Any) -> int:
        return study.finished_count

    @admin.display(description="invitation")
    def invitation(self, study: Study) -> str:
        """The link to give to a recruiting site, with its placeholders."""
        if not study.pk:
            return "—"
        named = (study.person_parameter, study.study_parameter, study.session_parameter)
        wanted = "&".join(f"{name}={{{{%{name}%}}}}" for name in named)
        return f"{reverse('study:join', args=[study.slug])}?{wanted}"

    @admin.display(description="how it is going")
    def dashboard_link(self, study: Study) -> SafeString | str:
        if not study.pk:
            return "—"
        return format_html('<a href="{}">Open</a>', reverse("admin:research_study_dashboard", args=[study.pk]))

    def get_urls(self) -> list[URLPattern]:
        own = [("dashboard", self.dashboard), ("comparison", self.comparison), ("questions", self.questions)]
        pages = [
            path(f"<int:pk>/{name}/", self.admin_site.admin_view(view), name=f"research_study_{name}")
            for name, view in own
        ]
        return [*pages, *super().get_urls()]

    def dashboard(self, request: HttpRequest, pk: int) -> HttpResponse:
        """How the study is going."""
        study = self._study(request, pk)
        context = {
            **self.admin_site.each_context(request),
            **dashboard(study),
            "title": study.title,
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/research/study/dashboard.html", context)

    def comparison(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The arms compared."""
        study = self._study(request, pk)
        context = {
            **self.admin_site.each_context(request),
            "study": study,
            "metrics": comparison(study),
            "title": f"{study.title}: arms compared",
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/research/study/comparison.html", context)

    def questions(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The questions that were collected, as a file for `manage.py evaluate`."""
        study = self._study(request, pk)
        headers = {"Content-Disposition": f'attachment; filename="{study.slug}-questions.jsonl"'}
        taken = {"study": study.slug, "questions": "for evaluate"}
        note(request.user.get_username(), request.user, "jsonl", taken, study.slug)
        return HttpResponse("".join(question_lines(study)), content_type="application/x-ndjson", headers=headers)

    def _study(self, request: HttpRequest, pk: int) -> Study:
        study = Study.objects.filter(pk=pk).first()
        if study is None or not self.has_view_permission(request, study):
            raise Http404("There is no such study.")
        return study


class AnswerInline(admin.TabularInline):
    """What they answered."""

    model = QuestionnaireAnswer
    extra = 0
    can_delete = False
    fields = readonly_fields = ("position", "item", "value", "attentive")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ArmName(admin.SimpleListFilter):
    """Filters by an arm's name, of whatever study."""

    title = "arm"
    parameter_name = "arm"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, name) for name in Arm.objects.order_by("name").values_list("name", flat=True).distinct()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Participation]) -> QuerySet[Participation]:
        return queryset.filter(arm__name=self.value()) if self.value() else queryset


@admin.register(Participation)
class ParticipationAdmin(AcrossCorpora, ReadOnlyAdmin):
    """Who takes part, and how far they have come."""

    list_display = ("participant", "study", "arm", "step", "arrived", "finished", "code", "read_link")
    list_filter = ("study", ArmName, "arrived")
    search_fields = ("external_id", "external_session", "id")
    exclude = ("owner_key",)
    list_select_related = ("study", "arm")
    inlines = (AnswerInline,)

    @admin.display(description="participant", ordering="external_id")
    def participant(self, own: Participation) -> str:
        """What the recruiting site calls them, else the beginning of what the study does."""
        return own.external_id or f"{str(own.pk)[:8]} …"

    @admin.display(description="code", empty_value="—")
    def code(self, own: Participation) -> str:
        return code_of(own)

    @admin.display(description="conversation")
    def read_link(self, own: Participation) -> SafeString | str:
        return conversation_link(own.conversation_id, "Open") if own.conversation_id else "—"
