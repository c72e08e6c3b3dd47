"""The admin of the effects: what restaurants can take, the queue of tickets, and what was done, to look at."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Case, Count, Q, QuerySet, When
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from corpora.admin.limits import LimitedAdmin
from corpora.admin.shown import brief
from corpora.models import Restaurant
from hybridchat.chat.admin import ReadOnlyAdmin, conversation_link
from hybridchat.chat.models import Conversation
from hybridchat.effects import replies
from hybridchat.effects.models import Closure, Enrollment, Letter, Reservation, Seating, Ticket, TicketReply
from hybridchat.effects.seats import usual_seats
from hybridchat.staff.assigning import Assigned


@admin.register(Seating)
class SeatingAdmin(LimitedAdmin):
    """How many people restaurants take. One without an entry gets one with its first booking."""

    corpus = "restaurants"

    list_display = ("restaurant", "seats", "stay")
    list_editable = ("seats", "stay")
    list_select_related = ("restaurant",)
    search_fields = ("restaurant__name",)
    autocomplete_fields = ("restaurant",)
    actions = ("as_usual",)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """For a new entry: what the description of the restaurant says, where the address names one."""
        initial = super().get_changeform_initial_data(request)
        place = Restaurant.objects.filter(pk=initial.get("restaurant")).first()
        return initial | ({"seats": usual_seats(place)} if place else {})

    @admin.action(description="Seats as the description says, or as is usual for the price", permissions=["change"])
    def as_usual(self, request: HttpRequest, chosen: QuerySet[Seating]) -> None:
        for seating in chosen.select_related("restaurant"):
            seating.seats = usual_seats(seating.restaurant)
            seating.save(update_fields=["seats"])


@admin.register(Closure)
class ClosureAdmin(LimitedAdmin):
    """Days on which a restaurant, or every one, is closed whatever its hours say."""

    corpus = "restaurants"

    list_display = ("__str__", "first_day", "last_day", "reason")
    list_filter = ("first_day",)
    date_hierarchy = "first_day"
    search_fields = ("restaurant__name", "reason")
    autocomplete_fields = ("restaurant",)


class EffectAdmin(LimitedAdmin, ReadOnlyAdmin):
    """What people did, to look at: only they change it, on their page and in the chat."""

    exclude = ("owner_key", "person")
    readonly_fields = ("talk",)

    @admin.display(description="conversation")
    def talk(self, effect: Any) -> SafeString | str:
        """Return the conversation in which it was made, while it is there."""
        if not Conversation.objects.filter(pk=effect.conversation).exists():
            return "no longer there"
        return conversation_link(effect.conversation, "Open")


@admin.register(Reservation)
class ReservationAdmin(EffectAdmin):
    corpus = "restaurants"
    list_display = ("reference", "place", "date", "time", "party", "request", "status", "created")
    request = brief("special_request")
    list_filter = ("status", "date")
    date_hierarchy = "date"
    search_fields = ("reference", "place", "name", "email", "phone")


@admin.register(Enrollment)
class EnrollmentAdmin(EffectAdmin):
    corpus = "courses"
    list_display = ("code", "title", "term", "student_name", "student_id", "units", "grade_type", "status", "created")
    list_filter = ("status", "season", "year")
    search_fields = ("reference", "code", "title", "student_name", "student_id", "email")


@admin.register(Letter)
class LetterAdmin(ReadOnlyAdmin):
    """E-mails, with those that could not be sent and why."""

    list_display = ("subject", "to", "created", "sent_at", "attempts", "short_problem")
    short_problem = brief("problem")
    list_filter = (("sent_at", admin.EmptyFieldListFilter), "created")
    search_fields = ("to", "subject")


STATUS_ORDER = Case(*(When(status=status, then=place) for place, status in enumerate(Ticket.Status.values)))


class ReplyForm(forms.ModelForm):
    """A new reply; a stored one cannot be changed, for the person may have read it."""

    class Meta:
        model = TicketReply
        fields = ("text",)
        widgets = {"text": forms.Textarea(attrs={"rows": 4, "cols": 80})}


class ReplyInline(admin.StackedInline):
    """The replies so far, and room for one more."""

    model = TicketReply
    form = ReplyForm
    extra = 0
    can_delete = False
    verbose_name = "reply"
    verbose_name_plural = "replies"

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("effects.change_ticket")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("effects.view_ticket") or request.user.has_perm("effects.change_ticket")


@admin.register(Ticket)
class TicketAdmin(Assigned):
    """The queue: oldest open ones first. A reply reaches the person's conversation and page."""

    list_display = ("reference", "subject", "category", "full_name", "status", "assignee", "reply_count", "created")
    list_editable = ("status", "assignee")
    list_filter = ("status", ("assignee", admin.RelatedOnlyFieldListFilter), "category", "created")
    search_fields = ("reference", "subject", "category", "full_name", "fields")
    date_hierarchy = "created"
    ordering = (STATUS_ORDER, "created")
    list_select_related = ("assignee",)
    readonly_fields = ("reference", "category", "subject", "full_name", "said", "talk", "created", "updated")
    fields = (
        "reference",
        "subject",
        "category",
        "full_name",
        "said",
        "talk",
        "created",
        "updated",
        "status",
        "assignee",
    )
    inlines = (ReplyInline,)
    actions = ("take", "close")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ticket]:
        return super().get_queryset(request).annotate(reply_count=Count("replies"))

    @admin.display(description="replies", ordering="reply_count")
    def reply_count(self, ticket: Any) -> int:
        return ticket.reply_count

    @admin.display(description="what was filled in")
    def said(self, ticket: Ticket) -> SafeString:
        return format_html("<dl>{}</dl>", format_html_join("", "<dt>{}</dt><dd>{}</dd>", ticket.answers()))

    @admin.display(description="conversation")
    def talk(self, ticket: Ticket) -> SafeString | str:
        if not Conversation.objects.filter(pk=ticket.conversation).exists():
            return "no longer there"
        return conversation_link(ticket.conversation, "Open")

    @admin.action(description="Assign to me", permissions=["change"])
    def take(self, request: HttpRequest, chosen: QuerySet[Ticket]) -> None:
        chosen.filter(~Q(status=Ticket.Status.CLOSED)).update(assignee=request.user)

    @admin.action(description="Close", permissions=["change"])
    def close(self, request: HttpRequest, chosen: QuerySet[Ticket]) -> None:
        chosen.update(status=Ticket.Status.CLOSED)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """New replies go through the service that carries them to the person."""
        formset.save(commit=False)
        for reply in formset.new_objects:
            replies.answer(form.instance, request.user, reply.text)
