"""The admin of conversations: to read, search and export; only people in the chat write them."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import BooleanField, Count, F, Func, QuerySet, Value
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from corpora.admin.editing import ReadOnlyAdmin
from corpora.admin.limits import LimitedByAssistant
from corpora.admin.shown import described, in_words, label
from hybridchat.chat import selectors
from hybridchat.chat.configurations import differing
from hybridchat.chat.inspecting import broken_rules, inspections
from hybridchat.chat.models import Configuration, Conversation, ModelChoice, Turn, TurnEvent
from hybridchat.chat.presenting import turn_views


def conversation_link(conversation: Any, text: str) -> SafeString:
    """Return a link to the staff's view of a conversation."""
    return format_html('<a href="{}">{}</a>', reverse("admin:chat_conversation_read", args=[conversation]), text)


@admin.register(Conversation)
class ConversationAdmin(LimitedByAssistant, ReadOnlyAdmin):
    """Conversations, to read as people saw them and to export."""

    list_display = ("__str__", "assistant", "turn_count", "language", "updated", "read_link")
    list_filter = ("assistant", "language", "updated", "created")
    search_fields = ("title", "turns__message", "id")
    date_hierarchy = "created"
    actions = ("export_chosen", "replay_chosen")
    readonly_fields = fields = ("title", "assistant", "language", "user", "created", "updated", "read_link")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Conversation]:
        return super().get_queryset(request).annotate(turn_count=Count("turns"))

    @admin.display(description="turns", ordering="turn_count")
    def turn_count(self, conversation: Any) -> int:
        return conversation.turn_count

    @admin.display(description="read")
    def read_link(self, conversation: Conversation) -> SafeString:
        return conversation_link(conversation.pk, "Open")

    @admin.action(description="Export…", permissions=["export"])
    def export_chosen(self, request: HttpRequest, chosen: QuerySet[Conversation]) -> HttpResponseBase:
        request.session["research_export_conversations"] = [str(pk) for pk in chosen.values_list("pk", flat=True)]
        return redirect("admin:research_export_add")

    @admin.action(description="Hold again and compare…", permissions=["replay"])
    def replay_chosen(self, request: HttpRequest, chosen: QuerySet[Conversation]) -> HttpResponseBase:
        request.session["research_replay_conversations"] = [str(pk) for pk in chosen.values_list("pk", flat=True)]
        return redirect("admin:research_run_add")

    def has_replay_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("research.add_run")

    def has_export_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("research.add_export")

    def get_urls(self) -> list[URLPattern]:
        read = path("<uuid:pk>/read/", self.admin_site.admin_view(self.read), name="chat_conversation_read")
        return [read, *super().get_urls()]

    def read(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Show the conversation as its owner sees it, read-only, with the inside of each turn."""
        conversation = Conversation.objects.filter(pk=pk).first()
        if conversation is None or not self.has_view_permission(request, conversation):
            raise Http404("There is no such conversation.")
        turns = selectors.turns_of(conversation)
        context = {
            **self.admin_site.each_context(request),
            "title": str(conversation),
            "conversation": conversation,
            "turns": list(zip(turn_views(turns), inspections(turns), strict=True)),
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/chat/conversation/read.html", context)


class TurnEventInline(admin.TabularInline):
    """What happened in a turn, in order."""

    model = TurnEvent
    extra = 0
    can_delete = False
    readonly_fields = fields = ("seq", "kind", "what", "created")
    what = described("payload", "what was noted")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class RuleFailed(admin.SimpleListFilter):
    """Filters turns in which a rule of a worksheet failed."""

    title = "worksheet rules"
    parameter_name = "rules"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("failed", "a rule failed")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Turn]) -> QuerySet[Turn]:
        if self.value() != "failed":
            return queryset
        return queryset.alias(
            rule_failed=Func(
                F("state"),
                Value('$.acts[*] ? (@.act == "ERROR" && exists(@.values.rule))'),
                function="jsonb_path_exists",
                template="%(function)s(%(expressions)s::jsonpath)",
                output_field=BooleanField(),
            )
        ).filter(rule_failed=True)


@admin.register(Turn)
class TurnAdmin(LimitedByAssistant, ReadOnlyAdmin):
    """Turns, with their state, events, timings and errors; those in which a rule of a worksheet failed say which."""

    assistant_path = "conversation__assistant"

    list_display = ("__str__", "assistant", "status", "kind", "failed_rules", "seconds", "created", "read_link")
    list_filter = ("status", "kind", RuleFailed, "conversation__assistant", "conversation__language", "created")
    search_fields = ("message", "id", "error", "error_detail")
    date_hierarchy = "created"
    list_select_related = ("conversation",)
    inlines = (TurnEventInline,)
    spent, reached, ran_with = described("usage"), described("timings"), described("configuration")
    readonly_fields = fields = (
        "message", "kind", "status", "read_link", "created", "started_at", "finished_at", "seconds", "attempts",
        "failures", "error", "error_detail", "failed_rules", "spent", "reached", "ran_with",
    )  # fmt: skip

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether turns may be deleted: only with their conversation, and every copy of what it said."""
        alone = request.path.startswith(reverse("admin:chat_turn_changelist"))
        return super().has_delete_permission(request, obj) and not alone

    @admin.display(ordering="conversation__assistant")
    def assistant(self, turn: Turn) -> str:
        return turn.conversation.assistant

    @admin.display(description="rules that failed")
    def failed_rules(self, turn: Turn) -> str:
        return "; ".join(broken_rules(turn.state)) or "—"

    @admin.display(description="seconds")
    def seconds(self, turn: Turn) -> str:
        return f"{(turn.finished_at - turn.created).total_seconds():.1f}" if turn.finished_at else "running"

    @admin.display(description="conversation")
    def read_link(self, turn: Turn) -> SafeString:
        return conversation_link(turn.conversation_id, "Open")


@admin.register(TurnEvent)
class TurnEventAdmin(LimitedByAssistant, ReadOnlyAdmin):
    """Single events of turns."""

    assistant_path = "turn__conversation__assistant"

    what = described("payload", "what was noted")
    readonly_fields = fields = ("turn", "seq", "kind", "created", "what")

    list_display = ("turn", "seq", "kind", "created")
    list_filter = ("kind", "turn__conversation__assistant", "created")
    search_fields = ("turn__id", "turn__message")
    list_select_related = ("turn",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether events may be deleted: only with their turn, because their numbers have no gaps."""
        alone = request.path.startswith(reverse("admin:chat_turnevent_changelist"))
        return super().has_delete_permission(request, obj) and not alone


@admin.register(Configuration)
class ConfigurationAdmin(ReadOnlyAdmin):
    """What turns were answered with, newest first."""

    list_display = ("__str__", "release", "commit", "system", "language", "turn_count", "created")
    list_filter = ("created",)
    search_fields = ("hash", "document")
    fields = readonly_fields = ("created", "told")
    told = described("document", "what it says")
    actions = ("compare",)

    @admin.action(description="Compare two", permissions=["view"])
    def compare(self, request: HttpRequest, chosen: QuerySet[Configuration]) -> HttpResponse | None:
        """Show in what two configurations differ."""
        two = list(chosen.order_by("created", "pk")[:3])
        if len(two) != 2:
            self.message_user(request, "Choose two configurations to compare.", messages.ERROR)
            return None
        rows = [
            (label(place), in_words(one), in_words(other))
            for place, one, other in differing(two[0].document, two[1].document)
        ]
        context = {
            **self.admin_site.each_context(request),
            "title": "Two configurations compared",
            "pair": two,
            "rows": rows,
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/chat/configuration/compared.html", context)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Configuration]:
        return super().get_queryset(request).annotate(turn_count=Count("turns"))

    @admin.display(description="turns", ordering="turn_count")
    def turn_count(self, configuration: Any) -> int:
        return configuration.turn_count

    @admin.display(ordering="document__release")
    def release(self, configuration: Configuration) -> str:
        return configuration.document.get("release", "")

    @admin.display(ordering="document__commit")
    def commit(self, configuration: Configuration) -> str:
        return configuration.document.get("commit", "")

    @admin.display(ordering="document__system")
    def system(self, configuration: Configuration) -> str:
        return configuration.document.get("system", "")

    @admin.display(ordering="document__language")
    def language(self, configuration: Configuration) -> str:
        return configuration.document.get("language", "")


@admin.register(ModelChoice)
class ModelChoiceAdmin(ReadOnlyAdmin):
    """Which model was connected when, and by whom."""

    list_display = ("__str__", "chosen_by", "created")
    list_filter = ("created",)
    search_fields = ("model", "base_url")


def download(lines: Any, what: str, suffix: str, content_type: str) -> StreamingHttpResponse:
    """Send lines as a file with what is in it and the time in its name."""
    name = f"{what}-{timezone.localtime():%Y%m%d-%H%M}.{suffix}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(lines, content_type=f"{content_type}; charset=utf-8", headers=headers)
