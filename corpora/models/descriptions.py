"""What curators say of corpora: the words for tables, columns and values, version by version."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from corpora.models.columns import at_least, filled


class CorpusDescription(models.Model):
    """What was said of a corpus, by whom and when; a change is another version. The active one counts.

    `document` is a `corpora.catalogue.said.CorpusSaid`: only what differs from what the corpus came with, so that it
    outlives imports. Reverting to what it came with is a version that says nothing.
    """

    corpus = models.CharField(max_length=50)
    number = models.IntegerField()
    document = models.JSONField(default=dict, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    active = models.BooleanField(default=False)

    class Meta:
        ordering = ("corpus", "-number")
        constraints = (
            filled("corpus", name="corpus_description_corpus_filled"),
            at_least("number", 1, name="corpus_description_number_from_1"),
            models.UniqueConstraint(fields=("corpus", "number"), name="corpus_description_number_unique"),
            models.UniqueConstraint(fields=("corpus",), condition=Q(active=True), name="corpus_description_one_active"),
        )

    def __str__(self) -> str:
        return f"{self.corpus}, version {self.number} of its description"


def named(language: str) -> str:
    """Return what to call a language's model: "MODEL at ADDRESS" without the address, "openai" as the settings say."""
    return settings.OPENAI_MODEL if language == "openai" else language.partition(" at ")[0]


class CorpusDraft(models.Model):
    """What a language model proposes to say of a corpus, until a curator saves the page or discards it.

    `document` is a `corpora.catalogue.said.CorpusSaid`. Nothing of it counts.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "being written"
        DONE = "done", "written"
        FAILED = "failed", "failed"

    corpus = models.CharField(max_length=50, unique=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    model = models.CharField(max_length=500, blank=True)
    document = models.JSONField(default=dict, blank=True)
    problem = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = (
            filled("corpus", name="corpus_draft_corpus_filled"),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "done", "failed"]),
                name="corpus_draft_state_known",
                violation_error_message="A draft is being written, written or failed.",
            ),
            models.CheckConstraint(
                condition=~Q(state="failed") | ~Q(problem=""),
                name="corpus_draft_failure_says_why",
                violation_error_message="A draft that failed has to say why.",
            ),
        )

    def __str__(self) -> str:
        return f"a draft for {self.corpus}, {self.get_state_display()}"

    @property
    def model_name(self) -> str:
        """The model as people call it, without its server."""
        return named(self.model)
