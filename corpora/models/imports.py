"""The corpora that were brought in files: which there are, what is known of them, and every version of each."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from corpora.models.columns import at_least, filled


class CorpusVersion(models.Model):
    """One import of a corpus: who brought it, when, what it says of itself, and what differed from the one before.

    `specification` is the corpus.json it came with; `stored` says, by table, what storing it settled: the view of
    `kb`, the number columns without fractions, whether rows are told apart by their number.
    """

    corpus = models.CharField(max_length=50)
    number = models.IntegerField()
    specification = models.JSONField()
    stored = models.JSONField(default=dict)
    changes = models.JSONField(default=dict, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    active = models.BooleanField(default=False)

    class Meta:
        ordering = ("corpus", "-number")
        constraints = (
            filled("corpus", name="corpus_version_corpus_filled"),
            at_least("number", 1, name="corpus_version_number_from_1"),
            models.UniqueConstraint(fields=("corpus", "number"), name="corpus_version_number_unique"),
            models.UniqueConstraint(fields=("corpus",), condition=Q(active=True), name="corpus_version_one_active"),
        )

    def __str__(self) -> str:
        return f"{self.corpus}, version {self.number}"
