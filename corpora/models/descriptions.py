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
