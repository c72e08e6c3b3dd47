"""Exports of conversations: who asked for what, how far it is, and where it lies."""

from __future__ import annotations

import secrets
import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone


def new_scope() -> str:
    """A scope of pseudonyms that no other export shares."""
    return secrets.token_hex(8)


class Export(models.Model):
    """One export, from its request on. The row stays when its file is gone: it says who took what, and when.

    `filters` are the fields of `hybridchat.research.exports.choosing.Filters`. `cursor` is where the next slice of the
    work begins (the last conversation that is written, how long each file was then), how often it began again because
    something was deleted, and in the end how many people `collected` questions are of. `lease_until` is until when a
    worker has it.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    class Format(models.TextChoices):
        JSONL = "jsonl", "JSON lines: everything, can be imported again"
        CSV = "csv", "CSV: flat tables for spreadsheets"
        PARQUET = "parquet", "Parquet: flat tables for data frames"
        MESSAGES = "messages", "chat messages, one conversation a line"
        CONVOKIT = "convokit", "ConvoKit's corpus format"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="exports"
    )
    by = models.CharField("asked for by", max_length=150, help_text="A user's name, or the account at the terminal.")
    format = models.CharField(max_length=10, choices=Format.choices, default=Format.JSONL)
    filters = models.JSONField(default=dict, blank=True)
    scrubbed = models.BooleanField("without personal data", default=True)
    scope = models.CharField(
        max_length=60, default=new_scope, help_text="Exports with the same scope share pseudonyms; others do not."
    )
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    total = models.PositiveIntegerField("conversations", default=0)
    done = models.PositiveIntegerField(default=0)
    turns = models.PositiveIntegerField(default=0)
    cursor = models.JSONField(default=dict, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)
    size = models.PositiveBigIntegerField(default=0, help_text="Size in bytes.")
    kept = models.BooleanField("file is kept", default=False)
    downloads = models.PositiveIntegerField(default=0)
    created = models.DateTimeField(default=timezone.now, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "running", "done", "failed", "cancelled"]),
                name="research_export_status_valid",
            ),
            models.CheckConstraint(
                condition=Q(format__in=["jsonl", "csv", "parquet", "messages", "convokit"]),
                name="research_export_format_valid",
            ),
            models.CheckConstraint(condition=~Q(by=""), name="research_export_is_by_somebody"),
            models.CheckConstraint(condition=~Q(scope=""), name="research_export_has_a_scope"),
            models.CheckConstraint(condition=Q(done__lte=F("total")), name="research_export_done_in_total"),
            models.CheckConstraint(
                condition=Q(status__in=["done", "failed", "cancelled"], finished_at__isnull=False)
                | Q(status__in=["waiting", "running"], finished_at__isnull=True),
                name="research_export_finished_has_a_time",
            ),
            models.CheckConstraint(condition=~Q(status="failed") | ~Q(error=""), name="research_export_says_why"),
            models.CheckConstraint(condition=Q(kept=False) | Q(status="done"), name="research_export_kept_is_done"),
        ]

    def __str__(self) -> str:
        return f"{self.get_format_display()} by {self.by}, {timezone.localtime(self.created):%Y-%m-%d %H:%M}"

    @property
    def collected(self) -> int:
        """How many people are in it who wrote questions, without a conversation."""
        return self.cursor.get("collected", 0)

    @property
    def under_way(self) -> bool:
        return self.status in (self.Status.WAITING, self.Status.RUNNING)
