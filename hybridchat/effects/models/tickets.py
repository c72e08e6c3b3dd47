"""Tickets: what people ask of the staff of student services, and what the staff answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from hybridchat.effects.models.owned import Owned, has_an_owner
from hybridchat.effects.models.receipts import Receipt


class Ticket(Owned):
    """A request to the staff. `category` is the path of choices that led to it, `fields` all that was filled in."""

    class Status(models.TextChoices):
        OPEN = "open"
        WAITING = "waiting", "waiting for the person"
        CLOSED = "closed"

    receipt = models.OneToOneField(Receipt, on_delete=models.PROTECT, related_name="ticket", editable=False)
    category = models.CharField(max_length=300)
    subject = models.CharField(max_length=300)
    fields = models.JSONField(default=dict)
    full_name = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="tickets",
        limit_choices_to={"is_staff": True},
    )
    updated = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-created"]
        constraints = [
            has_an_owner("effects_ticket_has_an_owner"),
            models.CheckConstraint(condition=~Q(category=""), name="effects_ticket_has_a_category"),
            models.CheckConstraint(condition=~Q(subject=""), name="effects_ticket_has_a_subject"),
            models.CheckConstraint(condition=Q(status__in=["open", "waiting", "closed"]), name="effects_ticket_status"),
        ]
        indexes = [models.Index(fields=["status", "-created"], name="effects_ticket_queue")]

    def __str__(self) -> str:
        return f"{self.reference} {self.subject}"

    def answers(self) -> Iterator[tuple[str, str]]:
        """Yield all that was filled in, as labels and values, in the order of the fields."""
        yield from _answers(self.fields)

    @property
    def open(self) -> bool:
        return self.status != self.Status.CLOSED


class TicketReply(models.Model):
    """What a member of the staff answered. `read_at` is when the person first saw it on their page, `told_at` when it
    was put into the conversation in which the ticket was submitted, or that was found to be gone."""

    ticket = models.ForeignKey(Ticket, on_delete=models.CASCADE, related_name="replies")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    text = models.TextField()
    created = models.DateTimeField(default=timezone.now, editable=False)
    read_at = models.DateTimeField(null=True, blank=True, editable=False)
    told_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["created"]
        verbose_name_plural = "ticket replies"
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="effects_reply_has_a_text")]

    def __str__(self) -> str:
        told = f"{timezone.localtime(self.created):%B %-d, %Y, %H:%M}, {self.author or 'somebody who has left'}"
        return f"{told}, {'read' if self.read_at else 'not read yet'}"


def _answers(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in fields.items():
        if isinstance(value, Mapping):
            yield from _answers(value)
        else:
            yield name.replace("_", " ").capitalize(), _in_words(value)


def _in_words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(_in_words, value)) if isinstance(value, list) else str(value)
