"""Which rows of the sample kinds were changed by hand, so that no file writes over them."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from corpora.models.columns import filled


class HandEdit(models.Model):
    """A line of a file whose row somebody added, changed or deleted in the admin.

    `corpus` and `key` are those of `corpora.loading`: a review belongs to its restaurant, an offering to its course.
    Loading leaves such rows alone; deleting the entry lets files write them again.
    """

    corpus = models.CharField(max_length=50)
    key = models.CharField(max_length=310)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-at",)
        verbose_name = "row edited by hand"
        verbose_name_plural = "rows edited by hand"
        constraints = (
            models.UniqueConstraint(fields=("corpus", "key"), name="hand_edit_once"),
            filled("corpus", name="hand_edit_corpus_filled"),
            filled("key", name="hand_edit_key_filled"),
        )

    def __str__(self) -> str:
        return f"{self.corpus}: {self.key}"
