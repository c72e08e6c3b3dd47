"""What was run when, on what, and what came of it."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from hybridchat.chat.models import Configuration, Conversation


class Run(models.Model):
    """A replay of conversations, or an evaluation or benchmark.

    `what` is the set or the source. `configuration` says what answered, `figures` are the numbers that came of it, by
    name, and `report` is everything else. `lease_until` is until when a worker has a replay.
    """

    class Kind(models.TextChoices):
        REPLAY = "replay"
        EVALUATE = "evaluate", "evaluation"
        BENCH = "bench", "benchmark"

    class Status(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    what = models.CharField(max_length=200)
    by = models.CharField(max_length=150)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    language = models.CharField(max_length=400)
    configuration = models.ForeignKey(
        Configuration, null=True, blank=True, on_delete=models.PROTECT, related_name="runs"
    )
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    total = models.PositiveIntegerField("conversations", default=0)
    done = models.PositiveIntegerField(default=0)
    figures = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    report = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    lease_until = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)
    created = models.DateTimeField(default=timezone.now, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["replay", "evaluate", "bench"]), name="research_run_kind_valid"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "running", "done", "failed", "cancelled"]),
                name="research_run_status_valid",
            ),
            models.CheckConstraint(condition=Q(done__lte=F("total")), name="research_run_done_in_total"),
            models.CheckConstraint(
                condition=Q(status__in=["done", "failed", "cancelled"], finished_at__isnull=False)
                | Q(status__in=["waiting", "running"], finished_at__isnull=True),
                name="research_run_finished_has_a_time",
            ),
            models.CheckConstraint(condition=~Q(status="failed") | ~Q(error=""), name="research_run_says_why"),
        ]
        indexes = [models.Index(fields=["kind", "what", "created"], name="research_run_over_time")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.what}, {timezone.localtime(self.created):%Y-%m-%d %H:%M}"

    @property
    def release(self) -> str:
        """The release that answered; "" where that was not noted."""
        return self.configuration.document.get("release", "") if self.configuration else ""

    @property
    def system(self) -> str:
        """The system that answers."""
        return self.configuration.document.get("system", "suql") if self.configuration else "suql"

    @property
    def under_way(self) -> bool:
        return self.status in (self.Status.WAITING, self.Status.RUNNING)


class Replayed(models.Model):
    """One conversation of a replay: its turns before and after, as `manage.py chat --json` prints them.

    `source` is its name where it came from; `conversation` is the stored one, where it is one of this site. `said` are
    the messages to be held again; `turns` are empty until it has been.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="replayed")
    number = models.PositiveIntegerField()
    source = models.CharField(max_length=200)
    conversation = models.ForeignKey(
        Conversation, null=True, blank=True, on_delete=models.CASCADE, related_name="replays"
    )
    assistant = models.CharField(max_length=60, blank=True)
    said = models.JSONField(encoder=DjangoJSONEncoder)
    turns = models.JSONField(default=list, blank=True, encoder=DjangoJSONEncoder)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["run", "number"]
        verbose_name = "replayed conversation"
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="research_replayed_once")]

    def __str__(self) -> str:
        return f"{self.run}, conversation {self.number}"
