"""The few-shot bank: messages with queries for them that a curator has checked."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from corpora.models.columns import filled


class FewShotPairs(models.QuerySet["FewShotPair"]):
    """Few-shot pairs."""

    def in_use(self, named: str = "") -> FewShotPairs:
        """The active ones; of the set of that name, if there is one."""
        active = self.filter(active=True)
        return active.filter(sets__contains=[named]) if named else active


class FewShotPair(models.Model):
    """A message about a corpus and the query it should become. `corpus` is the slug of its assistant.

    It names nobody and leads back to no conversation. Inactive ones are kept and not used.
    """

    class Presentation(models.TextChoices):
        LIST = "list", "a list of things"
        DETAIL = "detail", "details of known things"
        AGGREGATE = "aggregate", "a count or figure"
        COMPARISON = "comparison", "a comparison of known things"
        ARTICLE = "article", "an answer from an article"

    corpus = models.SlugField(max_length=50)
    message = models.CharField(max_length=500, help_text="As people would say it, complete in itself.")
    suql = models.TextField("query", help_text="SUQL; it is checked before it is saved.")
    presentation = models.CharField("it asks for", max_length=12, choices=Presentation.choices, default="list")
    active = models.BooleanField(default=True)
    sets = ArrayField(
        models.SlugField(max_length=40),
        default=list,
        blank=True,
        help_text="Names of sets that it belongs to, separated by commas: an arm of a study may use one set only.",
    )
    note = models.CharField(max_length=300, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    objects = FewShotPairs.as_manager()

    class Meta:
        ordering = ("corpus", "message")
        verbose_name = "few-shot pair"
        constraints = (
            filled("corpus", name="few_shot_corpus_filled"),
            filled("message", name="few_shot_message_filled"),
            filled("suql", name="few_shot_query_filled"),
            models.UniqueConstraint(
                fields=("corpus", "message"),
                name="few_shot_message_once",
                violation_error_message="There is a pair for this message already.",
            ),
            models.CheckConstraint(
                condition=Q(presentation__in=["list", "detail", "aggregate", "comparison", "article"]),
                name="few_shot_presentation_valid",
            ),
        )

    def __str__(self) -> str:
        return self.message
