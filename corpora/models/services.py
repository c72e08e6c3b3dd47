"""Student services: help articles, and the tickets people submit when no article helps."""

from __future__ import annotations

from django.db import models

from corpora.models.columns import filled, one_of


class Article(models.Model):
    """A help article. Paragraphs of `body` are parted by empty lines."""

    slug = models.SlugField(max_length=100, unique=True)
    title = models.CharField(max_length=300)
    category = models.CharField(max_length=100, blank=True)
    audience = models.CharField(max_length=100, blank=True)
    updated = models.DateField(null=True, blank=True)
    body = models.TextField()
    contact = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ("title",)
        constraints = (
            filled("slug", name="article_slug_filled"),
            filled("title", name="article_title_filled"),
            filled("body", name="article_body_filled"),
        )

    def __str__(self) -> str:
        return self.title


class TicketStatus(models.TextChoices):
    """Where a ticket stands."""

    OPEN = "open"
    WAITING = "waiting", "waiting for the person"
    CLOSED = "closed"


class Ticket(models.Model):
    """A request to the staff of student services."""

    subject = models.CharField(max_length=300)
    body = models.TextField()
    status = models.CharField(max_length=10, choices=TicketStatus, default=TicketStatus.OPEN)
    person = models.CharField(max_length=200, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-created",)
        constraints = (
            filled("subject", name="ticket_subject_filled"),
            filled("body", name="ticket_body_filled"),
            one_of("status", TicketStatus, name="ticket_status_known"),
        )

    def __str__(self) -> str:
        return f"#{self.pk} {self.subject}"
