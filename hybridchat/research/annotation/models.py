"""Annotation schemes, projects, their items, and what annotators said."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from hybridchat.chat.models import Turn


class Scheme(models.Model):
    """What is asked about a turn, and by which guidelines. A version that is in use never changes.

    `questions` are a list of `hybridchat.research.annotation.questions.Question`.
    """

    slug = models.SlugField(max_length=40)
    version = models.PositiveIntegerField(default=1)
    title = models.CharField(max_length=120)
    guidelines = models.TextField(help_text="Shown beside each item, in Markdown.")
    questions = models.JSONField()
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["slug", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["slug", "version"], name="research_scheme_version_unique"),
            models.CheckConstraint(condition=Q(version__gte=1), name="research_scheme_version_positive"),
            models.CheckConstraint(condition=~Q(questions=[]), name="research_scheme_asks_something"),
        ]

    def __str__(self) -> str:
        return f"{self.title} (version {self.version})"


class Project(models.Model):
    """Turns to be annotated by one scheme; each by `overlap` annotators who do not see each other's answers."""

    title = models.CharField(max_length=120)
    scheme = models.ForeignKey(Scheme, on_delete=models.PROTECT, related_name="projects")
    overlap = models.PositiveSmallIntegerField(default=1, help_text="How many people annotate each item.")
    filters = models.JSONField(default=dict, blank=True, help_text="The conversations that the items come from.")
    active = models.BooleanField(default=True, help_text="Whether annotators are given items.")
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created"]
        verbose_name = "annotation project"
        constraints = [models.CheckConstraint(condition=Q(overlap__gte=1), name="research_project_overlap_positive")]

    def __str__(self) -> str:
        return self.title


class Item(models.Model):
    """A turn to be annotated. `gold` are the right answers, where they are known: annotators are measured by them.

    `suggestion` are answers by a program, shown as such; they are never counted as anybody's.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="items")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="annotation_items")
    position = models.PositiveIntegerField()
    gold = models.JSONField(null=True, blank=True)
    suggestion = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["project", "position"]
        constraints = [
            models.UniqueConstraint(fields=["project", "turn"], name="research_item_turn_unique"),
            models.UniqueConstraint(fields=["project", "position"], name="research_item_position_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.project}, item {self.position}"


class Annotation(models.Model):
    """One annotator's answers to one item, from the moment it is handed out.

    `answers` are by the question's name. `seconds` is how long the item was worked on, over all times it was open.
    """

    class Status(models.TextChoices):
        OPEN = "open"
        DONE = "done"
        SKIPPED = "skipped"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="annotations")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="annotations")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    answers = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    flagged = models.BooleanField(default=False, help_text="Someone should review this item.")
    note = models.TextField(blank=True)
    seconds = models.FloatField(default=0)
    opened = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-opened"]
        constraints = [
            models.UniqueConstraint(fields=["item", "annotator"], name="research_annotation_once"),
            models.CheckConstraint(
                condition=Q(status__in=["open", "done", "skipped"]), name="research_annotation_status_valid"
            ),
            models.CheckConstraint(
                condition=Q(status="open", finished_at__isnull=True)
                | Q(status__in=["done", "skipped"], finished_at__isnull=False),
                name="research_annotation_finished_has_a_time",
            ),
            models.CheckConstraint(condition=~Q(status="done") | ~Q(answers={}), name="research_annotation_done_says"),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True) | Q(finished_at__gte=F("opened")),
                name="research_annotation_finished_later",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item} by {self.annotator}"


class Adjudication(models.Model):
    """The one label of an item, decided by somebody who has seen what the annotators said."""

    item = models.OneToOneField(Item, on_delete=models.CASCADE, related_name="adjudication")
    answers = models.JSONField(encoder=DjangoJSONEncoder)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["item"]
        constraints = [models.CheckConstraint(condition=~Q(answers={}), name="research_adjudication_says")]

    def __str__(self) -> str:
        return f"{self.item}, adjudicated"
