"""Which corpora a curator is limited to."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from corpora.models.columns import filled


class CorpusLimit(models.Model):
    """A corpus that somebody may look after. Who has none of these may look after all that their role lets them."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="corpus_limits")
    corpus = models.CharField(max_length=50)

    class Meta:
        ordering = ("user", "corpus")
        verbose_name = "corpus that this person is limited to"
        verbose_name_plural = "corpora that this person is limited to"
        constraints = (
            models.UniqueConstraint(fields=("user", "corpus"), name="corpus_limit_once"),
            filled("corpus", name="corpus_limit_corpus_filled"),
        )

    def __str__(self) -> str:
        return self.corpus
