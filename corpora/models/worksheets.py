"""The assistants' worksheets, in editions: a conversation goes on with the one it began with."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from corpora.models.columns import at_least
from corpora.models.registry import Assistant


class WorksheetEdition(models.Model):
    """One edition of an assistant's specification. Its document never changes: a change is another edition.

    `document` is the specification in the form of `agent.worksheets.formats.document`. `shipped` editions came with
    the project. At most one edition of an assistant is active: the one that new conversations begin with.
    """

    assistant = models.ForeignKey(Assistant, models.CASCADE, related_name="editions")
    version = models.PositiveIntegerField()
    document = models.JSONField()
    note = models.CharField(max_length=300, blank=True, help_text="What changed, for other curators.")
    shipped = models.BooleanField(default=False, editable=False)
    active = models.BooleanField(default=False, help_text="New conversations use it.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("assistant", "-version")
        constraints = (
            models.UniqueConstraint(fields=("assistant", "version"), name="worksheet_edition_version_unique"),
            models.UniqueConstraint(
                fields=("assistant",), condition=Q(active=True), name="worksheet_edition_one_active"
            ),
            at_least("version", 1, name="worksheet_edition_version_from_1"),
            models.CheckConstraint(
                condition=Q(document__has_key="worksheets"),
                name="worksheet_edition_has_worksheets",
                violation_error_message="The document has no worksheets.",
            ),
        )

    def __str__(self) -> str:
        return f"{self.assistant}, edition {self.version}"
