"""The queue of feedback: what people said of answers, and what the staff do about it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from corpora.admin.limits import LimitedByAssistant
from hybridchat.chat.admin import ReadOnlyAdmin, conversation_link, download
from hybridchat.chat.models import Feedback, Turn
from hybridchat.research import feedback as services
from hybridchat.research import selectors
from hybridchat.research.admin.mending import Ways
from hybridchat.research.exports.services import note
from hybridchat.research.feedback_export import csv_lines
from hybridchat.research.models import FeedbackAnswer
from hybridchat.research.plots import stacked_bars
from hybridchat.staff.assigning import Assigned

STYLES = {"all": ["research/admin.css", "research/plots.css"]}
SHORT = 160  # characters of a text in a list


class OfChoices(admin.SimpleListFilter):
    """A filter by one element of a list."""

    field = ""

    def queryset(self, request: HttpRequest, queryset: QuerySet[Feedback]) -> QuerySet[Feedback]:
        value = self.value()
        return queryset.filter(**{f"{self.field}__contains": [value]}) if value else queryset


class ReasonFilter(OfChoices):
    title = parameter_name = "reason"
    field = "reasons"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        return Feedback.Reason.choices


class LabelFilter(OfChoices):
    title = parameter_name = "label"
    field = "labels"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        return [(label, label) for label in selectors.labels_in_use(model_admin.get_queryset(request))]


class SaidFilter(admin.SimpleListFilter):
    """A thumb alone, or words too."""

    title = "words"
    parameter_name = "words"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        return [("meant", "“I meant …”"), ("chip", "a condition taken away"), ("comment", "a comment")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Feedback]) -> QuerySet[Feedback]:
        of_chip = Q(correction__kind=Turn.Kind.WITHOUT)
        if self.value() == "chip":
            return queryset.filter(of_chip)
        if self.value() == "meant":
            return queryset.exclude(meant="").exclude(of_chip)
        return queryset.exclude(comment="") if self.value() == "comment" else queryset


class AnswerForm(forms.ModelForm):
    class Meta:
        model = FeedbackAnswer
        fields = ("text",)
        widgets = {"text": forms.Textarea(attrs={"rows": 3, "cols": 60})}


class AnswerInline(admin.StackedInline):
    """The answers so far, and room for one more: the person reads it in the conversation."""

    model = FeedbackAnswer
    form = AnswerForm
    extra = 1
    max_num = 20
    can_delete = False
    verbose_name = "answer"
    verbose_name_plural = "answers to the person, shown in the conversation"

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("chat.change_feedback")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("chat.view_feedback") or request.user.has_perm("chat.change_feedback")


@dataclass(frozen=True)
class Mending:
    """A column of links to the forms and pages on which this user may mend what feedback is about."""

    user: Any
    __name__ = "mending"
    short_description = "mend it"

    @cached_property
    def ways(self) -> Ways:
        return Ways(self.user)

    def __call__(self, feedback: Feedback) -> SafeString:
        turn = feedback.turn
        suql = [query.suql for query in selectors.queries_of(turn) if query.suql]
        return self.ways.links(turn.pk, turn.conversation.assistant, suql)


@admin.register(Feedback)
class FeedbackAdmin(LimitedByAssistant, Assigned, ReadOnlyAdmin):
    """What people thought, next to what was asked and answered; the staff's own fields are all that is edited."""

    assistant_path = "turn__conversation__assistant"

    list_display = ("asked", "said", "assistant", "status", "assignee", "labelled", "updated", "read_link")
    list_filter = (
        "status",
        "rating",
        ReasonFilter,
        SaidFilter,
        LabelFilter,
        ("assignee", admin.RelatedOnlyFieldListFilter),
        "turn__conversation__assistant",
        "updated",
    )
    search_fields = ("comment", "meant", "turn__message", "labels")
    date_hierarchy = "updated"
    readonly_fields = ("person_said", "asked_whole", "searched", "answered", "correction_searched", "read_link")
    inlines = (AnswerInline,)
    actions = ("take", "close", "decline", "make_pairs", "make_cases", "export_csv")
    change_list_template = "admin/research/feedback_list.html"

    class Media:
        css = STYLES

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request, obj)

    def get_list_display(self, request: HttpRequest) -> Any:
        return (*self.list_display, Mending(request.user))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return (*self.readonly_fields, Mending(request.user))

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return (*self.get_readonly_fields(request, obj), "status", "assignee", "labels")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Feedback]:
        return selectors.with_conversations(super().get_queryset(request))

    def save_model(self, request: HttpRequest, obj: Feedback, form: Any, change: bool) -> None:
        """The person may be writing at this moment: only what is the staff's is written."""
        obj.save(update_fields=["status", "assignee", "labels"])

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """New answers go through the service that carries them to the person."""
        formset.save(commit=False)
        for one in formset.new_objects:
            services.answer(form.instance, request.user, one.text)

    @admin.display(description="asked")
    def asked(self, feedback: Feedback) -> str:
        return _shortened(feedback.turn.message)

    @admin.display(description="asked")
    def asked_whole(self, feedback: Feedback) -> str:
        return feedback.turn.message

    @admin.display(description="feedback", ordering="rating")
    def said(self, feedback: Feedback) -> SafeString:
        return format_html_join(" ", '<span class="said said--{}">{}</span>', _said(feedback, SHORT))

    @admin.display(description="feedback")
    def person_said(self, feedback: Feedback) -> SafeString:
        return format_html_join(" ", '<span class="said said--{}">{}</span>', _said(feedback))

    @admin.display(description="searched for")
    def searched(self, feedback: Feedback) -> SafeString | str:
        return _queries(feedback.turn)

    @admin.display(description="what they meant was searched for")
    def correction_searched(self, feedback: Feedback) -> SafeString | str:
        return _queries(feedback.correction) if feedback.correction else "—"

    @admin.display(description="answered")
    def answered(self, feedback: Feedback) -> str:
        reply = feedback.turn.state.get("reply") or {}
        return reply.get("text", "") or feedback.turn.error or "—"

    @admin.display(ordering="turn__conversation__assistant")
    def assistant(self, feedback: Feedback) -> str:
        return feedback.turn.conversation.assistant

    @admin.display(description="labels")
    def labelled(self, feedback: Feedback) -> str:
        return ", ".join(feedback.labels) or "—"

    @admin.display(description="conversation")
    def read_link(self, feedback: Feedback) -> SafeString:
        return conversation_link(feedback.turn.conversation_id, "Open")

    @admin.action(description="Assign to me", permissions=["change"])
    def take(self, request: HttpRequest, chosen: QuerySet[Feedback]) -> None:
        services.take(chosen, request.user)

    @admin.action(description="Mark as done", permissions=["change"])
    def close(self, request: HttpRequest, chosen: QuerySet[Feedback]) -> None:
        services.settle(chosen, Feedback.Status.DONE)

    @admin.action(description="Mark as “will not change”", permissions=["change"])
    def decline(self, request: HttpRequest, chosen: QuerySet[Feedback]) -> None:
        services.settle(chosen, Feedback.Status.DECLINED)

    @admin.action(description="Make few-shot pairs of what was meant", permissions=["view"])
    def make_pairs(self, request: HttpRequest, chosen: QuerySet[Feedback]) -> None:
        """What was misread, with the query of what was meant."""
        if not request.user.has_perm("corpora.add_fewshotpair"):
            self.message_user(request, "You may not add few-shot pairs.", messages.ERROR)
            return
        made, left = services.make_pairs(chosen, request.user)
        self.message_user(request, f"Few-shot pairs made: {made}. Left alone: {left}.")

    @admin.action(description="Make regression cases of what was right", permissions=["view"])
    def make_cases(self, request: HttpRequest, chosen: QuerySet[Feedback]) -> None:
        """What was found and not doubted, or what was found once it was said in other words."""
        if not request.user.has_perm("research.add_regressioncase"):
            self.message_user(request, "You may not add regression cases.", messages.ERROR)
            return
        made, left = services.make_cases(chosen, request.user)
        self.message_user(request, f"Regression cases made: {made}. Left alone: {left}.")

    @admin.action(description="Export as CSV, without names or sessions", permissions=["view"])
    def export_csv(self, request: HttpRequest, chosen: QuerySet[Feedback]) -> HttpResponseBase:
        note(request.user.get_username(), request.user, "csv", {"feedback": chosen.count()}, "feedback")
        return download(csv_lines(chosen), "feedback", "csv", "text/csv")

    def get_urls(self) -> list[URLPattern]:
        trends = path("trends/", self.admin_site.admin_view(self.trends), name="chat_feedback_trends")
        return [trends, *super().get_urls()]

    def trends(self, request: HttpRequest) -> HttpResponse:
        """Thumbs week by week, a plot for each assistant."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        trends = []
        for trend in selectors.feedback_trends(rated=LimitedByAssistant.get_queryset(self, request)):
            weeks = [f"{week:%b} {week.day}" for week in trend.weeks]
            plot = stacked_bars(trend.assistant, weeks, {"thumbs up": trend.up, "thumbs down": trend.down})
            trends.append((plot, trend.versions))
        context = {
            **self.admin_site.each_context(request),
            "title": "Feedback week by week",
            "opts": self.opts,
            "trends": trends,
            "media": self.media,
        }
        return TemplateResponse(request, "admin/research/trends.html", context)


def _said(feedback: Feedback, most: int = 10_000) -> list[tuple[str, str]]:
    """What the person said, as (kind, words)."""
    rated = {Feedback.Rating.UP: ("up", "Good"), Feedback.Rating.DOWN: ("down", "Bad")}
    told = [rated[Feedback.Rating(feedback.rating)]] if feedback.rating else []
    told += [("reason", Feedback.Reason(reason).label) for reason in feedback.reasons]
    if feedback.comment:
        told.append(("comment", _shortened(feedback.comment, most)))
    if feedback.meant:
        told.append(("meant", f"I meant: {_shortened(feedback.meant, most)}"))
    return told


def _queries(turn: Any) -> SafeString | str:
    queries = [(query.description, query.suql) for query in selectors.queries_of(turn) if query.suql]
    return format_html_join("", '<p>{}</p><pre class="suql">{}</pre>', queries) or "—"


def _shortened(text: str, most: int = SHORT) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
