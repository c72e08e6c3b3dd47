"""Versions of the corpora that were brought in files: which there are, what is known of them, what each changed."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from corpora.models.columns import at_least, filled


class CorpusVersion(models.Model):
    """One change of a corpus: who made it, when, what the corpus says of itself since, and what differed.

    `specification` is the corpus.json it came with; `stored` says, by table, what storing it settled: the view of
    `kb`, the number columns without fractions, whether rows are told apart by their number. `rows_of` is the number
    of the version whose tables hold its rows: a row that is edited is edited where it stands. What was there before
    is in `RowChange`, so that any version can be gone back to. A removal keeps the tables; `assistants` says of those
    that asked them what they were, so that the corpus can be brought back.
    """

    class Kind(models.TextChoices):
        IMPORT = "import", "import"
        EDIT = "edit", "edited by hand"
        REVERT = "revert", "gone back"
        REMOVAL = "removal", "removed"

    corpus = models.CharField(max_length=50)
    number = models.IntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.IMPORT)
    rows_of = models.IntegerField(default=1)
    specification = models.JSONField()
    stored = models.JSONField(default=dict)
    changes = models.JSONField(default=dict, blank=True)
    assistants = models.JSONField(default=dict, blank=True)
    note = models.CharField(max_length=200, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    active = models.BooleanField(default=False)

    class Meta:
        ordering = ("corpus", "-number")
        constraints = (
            filled("corpus", name="corpus_version_corpus_filled"),
            at_least("number", 1, name="corpus_version_number_from_1"),
            at_least("rows_of", 1, name="corpus_version_rows_from_1"),
            models.CheckConstraint(
                condition=Q(kind__in=["import", "edit", "revert", "removal"]),
                name="corpus_version_kind_known",
                violation_error_message="A version is an import, an edit, a revert or a removal.",
            ),
            models.UniqueConstraint(fields=("corpus", "number"), name="corpus_version_number_unique"),
            models.UniqueConstraint(fields=("corpus",), condition=Q(active=True), name="corpus_version_one_active"),
        )

    def __str__(self) -> str:
        return f"{self.corpus}, version {self.number}"


class RowChange(models.Model):
    """A row that a version changed, as it was before: the whole row of its table, or nothing where there was none.

    `origin` tells the rows of a table apart through all versions: by their key, or by what they were when they came.
    """

    version = models.ForeignKey(CorpusVersion, models.CASCADE, related_name="rows")
    table = models.CharField(max_length=50)
    origin = models.CharField(max_length=250)
    before = models.JSONField(null=True)

    class Meta:
        ordering = ("-version__number", "table", "origin")
        constraints = (
            filled("table", name="row_change_table_filled"),
            filled("origin", name="row_change_origin_filled"),
            models.UniqueConstraint(fields=("version", "table", "origin"), name="row_change_once_a_version"),
        )
        indexes = (models.Index(fields=("table", "origin"), name="row_change_row"),)

    def __str__(self) -> str:
        return f"{self.version}: {self.table} {self.origin}"

    @property
    def values_before(self) -> dict[str, Any]:
        """The values of the row's columns before the change."""
        return self.before or {}
