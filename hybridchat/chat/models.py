"""Conversations, their turns, what happened in each turn, and what people thought of it.

The database is the truth: every step of a turn is stored here as it happens, and a process that dies leaves enough
behind for another to go on. The rules that must always hold are constraints.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from corpora.models.columns import web_link


class Configuration(models.Model):
    """Everything that could make a difference to an answer, stored once: `document` by its hash.

    `hybridchat.chat.configurations` writes it; it never changes.
    """

    hash = models.CharField(max_length=64, primary_key=True, editable=False)
    document = models.JSONField(editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created"]
        constraints = [
            models.CheckConstraint(condition=Q(hash__regex=r"^[0-9a-f]{64}$"), name="chat_configuration_hash_valid"),
        ]

    def __str__(self) -> str:
        return self.hash[:12]


class Conversation(models.Model):
    """A talk with one assistant. It belongs to a browser session (`owner_key`, a keyed hash) or to a user, or both.

    `overrides` (`hybridchat.chat.overrides`) say what is different in it from the site's own choice. With a
    `closing_word`, that word as a message ends it, once there are `closes_after` turns.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner_key = models.CharField(max_length=64, blank=True, db_index=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="conversations"
    )
    assistant = models.SlugField(max_length=60)
    title = models.CharField(max_length=120, blank=True)
    language = models.CharField(max_length=60, help_text="The language backend of its latest turn.")
    overrides = models.JSONField(default=dict, blank=True, editable=False)
    configuration = models.ForeignKey(
        Configuration,
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="conversations",
        help_text="The configuration of its first turn.",
    )
    closing_word = models.CharField(max_length=40, blank=True, editable=False)
    closes_after = models.PositiveSmallIntegerField(default=0, editable=False)
    closed = models.DateTimeField(null=True, blank=True, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)
    updated = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    class Meta:
        ordering = ["-updated"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(owner_key="") | Q(user__isnull=False), name="chat_conversation_has_an_owner"
            ),
            models.CheckConstraint(condition=~Q(assistant=""), name="chat_conversation_has_an_assistant"),
            models.CheckConstraint(condition=Q(updated__gte=F("created")), name="chat_conversation_updated_later"),
            models.CheckConstraint(
                condition=Q(closed__isnull=True) | Q(closed__gte=F("created")), name="chat_conversation_closed_later"
            ),
        ]
        indexes = [models.Index(fields=["created", "id"], name="chat_conversation_in_order")]

    def __str__(self) -> str:
        return self.title or f"New {self.assistant} conversation"


class TurnQuerySet(models.QuerySet["Turn"]):
    """Turns by what can happen to them next."""

    def running(self) -> TurnQuerySet:
        return self.filter(status__in=Turn.RUNNING)

    def finished(self) -> TurnQuerySet:
        return self.exclude(status__in=Turn.RUNNING)

    def waiting(self) -> TurnQuerySet:
        """Running turns that nobody works on, or whose holder's lease has run out."""
        return self.running().filter(lease_until__lte=timezone.now())


class Turn(models.Model):
    """One message and everything done about it.

    `id` comes from the browser, so that a message sent twice is one turn. `state` is an `agent.turn.TurnState`.
    Of a note, which nobody asked for, `message` is the heading.
    `given` are the statements (`agent.worksheets.statements`) of a turn that was made by a form, not by words.
    `lease_holder` names the process that works on a running turn, until `lease_until`; with an empty holder, the turn
    waits in line, and `lease_until` is when it may be taken up. `last_event` is the number of its latest event.
    `address_key` is a keyed hash of the network address it came from, kept for a day: for limits, and for whose turn
    it is.
    """

    class Status(models.TextChoices):
        RECEIVED = "received"
        PARSING = "parsing"
        PARSED = "parsed"
        EXECUTING = "executing"
        DONE = "done"
        FAILED = "failed"
        STOPPED = "stopped"

    class Kind(models.TextChoices):
        MESSAGE = "message", "a message"
        RETRY = "retry", "the same message again"
        WITHOUT = "without", "a search without one of its constraints"
        FORM = "form", "a value or a button of a worksheet"
        NOTE = "note", "something told without being asked"

    RUNNING = (Status.RECEIVED, Status.PARSING, Status.PARSED, Status.EXECUTING)

    id = models.UUIDField(primary_key=True, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="turns")
    position = models.PositiveIntegerField(help_text="1 is the first turn of the conversation.")
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.MESSAGE)
    origin = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="offspring")
    message = models.TextField()
    given = models.JSONField(default=list, blank=True, help_text="What a form said, as statements.")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.RECEIVED)
    state = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    timings = models.JSONField(
        default=dict, blank=True, help_text="Milliseconds after the message at which each step was reached."
    )
    usage = models.JSONField(default=dict, blank=True, help_text="Model calls, cached answers, tokens, cost, seconds.")
    configuration = models.ForeignKey(
        Configuration,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="turns",
        help_text="The configuration that answered it.",
    )
    error = models.TextField(blank=True, help_text="The error message that the user saw.")
    error_detail = models.TextField(blank=True)
    attempts = models.PositiveSmallIntegerField(default=0, help_text="How many times the current step was attempted.")
    failures = models.PositiveSmallIntegerField(default=0, help_text="How many times the turn itself failed.")
    address_key = models.CharField(max_length=64, blank=True, editable=False)
    started_at = models.DateTimeField(null=True, blank=True, help_text="When work on it first began.")
    lease_holder = models.CharField(max_length=120, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    stop_requested = models.BooleanField(default=False)
    last_event = models.PositiveIntegerField(default=0)
    created = models.DateTimeField(default=timezone.now, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = TurnQuerySet.as_manager()

    class Meta:
        ordering = ["conversation", "position"]
        constraints = [
            models.UniqueConstraint(fields=["conversation", "position"], name="chat_turn_position_unique"),
            models.UniqueConstraint(
                fields=["conversation"],
                condition=Q(status__in=["received", "parsing", "parsed", "executing"]),
                name="chat_one_running_turn_per_conversation",
            ),
            models.CheckConstraint(condition=Q(position__gte=1), name="chat_turn_position_positive"),
            models.CheckConstraint(condition=~Q(message=""), name="chat_turn_has_a_message"),
            models.CheckConstraint(
                condition=Q(
                    status__in=["received", "parsing", "parsed", "executing", "done", "failed", "stopped"],
                ),
                name="chat_turn_status_valid",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["message", "retry", "without", "form", "note"]), name="chat_turn_kind_valid"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["message", "form", "note"], origin__isnull=True)
                | (~Q(kind__in=["message", "form", "note"]) & Q(origin__isnull=False)),
                name="chat_turn_again_has_an_origin",
            ),
            models.CheckConstraint(condition=~Q(kind="form") | ~Q(given=[]), name="chat_turn_form_says_something"),
            models.CheckConstraint(
                condition=Q(status__in=["done", "failed", "stopped"], finished_at__isnull=False)
                | Q(status__in=["received", "parsing", "parsed", "executing"], finished_at__isnull=True),
                name="chat_turn_finished_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["done", "failed", "stopped"], lease_holder="", lease_until__isnull=True)
                | Q(status__in=["received", "parsing", "parsed", "executing"], lease_until__isnull=False),
                name="chat_turn_running_has_a_lease",
            ),
            models.CheckConstraint(condition=~Q(status="failed") | ~Q(error=""), name="chat_turn_failed_says_why"),
            models.CheckConstraint(
                condition=~Q(status="stopped") | Q(stop_requested=True), name="chat_turn_stopped_was_asked"
            ),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True) | Q(finished_at__gte=F("created")),
                name="chat_turn_finished_after_created",
            ),
        ]
        indexes = [
            models.Index(
                fields=["lease_until"],
                condition=Q(status__in=["received", "parsing", "parsed", "executing"]),
                name="chat_turn_running_lease",
            ),
            models.Index(fields=["created"], name="chat_turn_created"),
            models.Index(fields=["address_key", "created"], condition=~Q(address_key=""), name="chat_turn_address"),
        ]

    def __str__(self) -> str:
        return f"{self.position}. {self.message[:60]}"

    @property
    def running(self) -> bool:
        return self.status in self.RUNNING

    @property
    def in_line(self) -> bool:
        """Whether it waits to be taken up."""
        return self.running and not self.lease_holder


class TurnEvent(models.Model):
    """Something that happened in a turn. `seq` counts from 1 without gaps, so a browser can ask for what it missed."""

    class Kind(models.TextChoices):
        RECEIVED = "received"
        UNDERSTOOD = "understood"
        PARSED = "parsed"
        SEARCHING = "searching"
        ROW = "row"
        RELAXED = "relaxed"
        OUTCOME = "outcome"
        DECIDED = "decided"
        TEXT = "text"
        REPLIED = "replied"
        RESUMED = "resumed"
        DONE = "done"
        FAILED = "failed"
        STOPPED = "stopped"

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20, choices=Kind.choices)
    payload = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["turn", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["turn", "seq"], name="chat_event_seq_unique"),
            models.CheckConstraint(condition=Q(seq__gte=1), name="chat_event_seq_positive"),
            models.CheckConstraint(
                condition=Q(
                    kind__in=[
                        "received",
                        "understood",
                        "parsed",
                        "searching",
                        "row",
                        "relaxed",
                        "outcome",
                        "decided",
                        "text",
                        "replied",
                        "resumed",
                        "done",
                        "failed",
                        "stopped",
                    ]
                ),
                name="chat_event_kind_valid",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"


class Feedback(models.Model):
    """What the owner of a conversation thought of a turn: a thumb, reasons, a comment, or what they had meant.

    `meant` is the question in the person's other words, and `correction` the turn that asked it. A condition that was
    taken away right after an answer is kept as such a pair, too (`of_chip`). `status`, `assignee` and `labels` are the
    staff's: what needs a look is open until somebody has looked.
    """

    class Rating(models.IntegerChoices):
        DOWN = -1, "thumbs down"
        UP = 1, "thumbs up"

    class Reason(models.TextChoices):
        MISREAD = "misread", "It misunderstood me"
        WRONG = "wrong", "Wrong results"
        MISSING = "missing", "Something is missing"
        UNTRUE = "untrue", "It is not true"
        SLOW = "slow", "Too slow"

    class Status(models.TextChoices):
        OPEN = "open"
        WORKING = "working", "being worked on"
        DONE = "done"
        DECLINED = "declined", "will not change"
        NOTED = "noted", "nothing to do"

    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, related_name="feedback")
    rating = models.SmallIntegerField(choices=Rating.choices, null=True, blank=True)
    reasons = ArrayField(models.CharField(max_length=10, choices=Reason.choices), default=list, blank=True)
    comment = models.TextField(blank=True)
    meant = models.TextField("I meant", blank=True)
    correction = models.ForeignKey(
        Turn, on_delete=models.SET_NULL, null=True, blank=True, related_name="corrects", editable=False
    )
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="assigned_feedback"
    )
    labels = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    created = models.DateTimeField(default=timezone.now, editable=False)
    updated = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-updated"]
        verbose_name_plural = "feedback"
        constraints = [
            models.CheckConstraint(
                condition=Q(rating__isnull=True) | Q(rating__in=[-1, 1]), name="chat_feedback_rating_valid"
            ),
            models.CheckConstraint(
                condition=Q(rating__isnull=False) | ~Q(comment="") | ~Q(meant=""), name="chat_feedback_says_something"
            ),
            models.CheckConstraint(
                condition=Q(reasons__contained_by=["misread", "wrong", "missing", "untrue", "slow"]),
                name="chat_feedback_reasons_valid",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["open", "working", "done", "declined", "noted"]),
                name="chat_feedback_status_valid",
            ),
            models.CheckConstraint(
                condition=Q(correction__isnull=True) | ~Q(meant=""), name="chat_feedback_correction_has_words"
            ),
        ]
        indexes = [models.Index(fields=["updated"], condition=Q(status="open"), name="chat_feedback_open")]

    def __str__(self) -> str:
        return f"{self.get_rating_display() or 'comment'} on “{self.turn.message[:60]}”"

    @property
    def needs_a_look(self) -> bool:
        """Whether it says more than that all was well."""
        return self.rating == self.Rating.DOWN or bool(self.comment) or (bool(self.meant) and not self.of_chip)

    @property
    def of_chip(self) -> bool:
        """Whether what was meant was not said, but done: a condition was taken away."""
        return Turn.objects.filter(pk=self.correction_id, kind=Turn.Kind.WITHOUT).exists()


class ModelChoice(models.Model):
    """A language model that somebody connected; the newest one counts for new turns, an empty one is builtin.

    Only servers that were found on this machine and offered are ever chosen; see `hybridchat.chat.languages`.
    """

    base_url = models.CharField(max_length=300, blank=True)
    model = models.CharField(max_length=200, blank=True)
    chosen_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(base_url="", model="") | (~Q(base_url="") & ~Q(model="")),
                name="chat_choice_is_whole",
            ),
            web_link("base_url", name="chat_choice_is_of_the_web"),
        ]

    def __str__(self) -> str:
        return f"{self.model} at {self.base_url}" if self.model else "builtin"
