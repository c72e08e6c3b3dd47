"""Imports as curators carry them out, step by step, with the files they brought."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.files.storage import FileSystemStorage, Storage
from django.db import models
from django.db.models import F, Q

from corpora.models.columns import at_least, filled
from corpora.models.versions import CorpusVersion


class ImportStorage(FileSystemStorage):
    """Where uploaded files lie: in the var folder, which web processes and workers share. Never served."""

    @property
    def base_location(self) -> str:  # looked up anew, so that tests have a folder of their own
        return str(settings.VAR / "imports")

    @property
    def location(self) -> str:
        return self.base_location


def import_storage() -> Storage:
    """Return the storage of uploaded files."""
    return ImportStorage()


def _folder(file: Any, name: str) -> str:
    return f"{file.of_id}/{name}"


class Import(models.Model):
    """Files on their way into a corpus, or a database, which is copied into a file first.

    `address` is that database's, without its password; `only` names the tables that are wanted of it, all where empty.
    `sealed` is the encrypted password, until the copy is made or has failed.
    `described` is what was recognised of them and what the curator made of that (`corpora.importing.describing`);
    `counts` is what the dry run, and later the import, found for each table. In the states of `WORKING` a worker does
    the next step; in the others a person does.
    """

    class State(models.TextChoices):
        COPYING = "copying", "being copied"
        RECOGNISING = "recognising", "being recognised"
        DESCRIBING = "describing", "to be described"
        CHECKING = "checking", "in a dry run"
        CHECKED = "checked", "ready to be imported"
        STORING = "storing", "being stored"
        EMBEDDING = "embedding", "being embedded"
        INDEXING = "indexing", "being indexed"
        DONE = "done", "imported"
        FAILED = "failed", "failed"
        CANCELLED = "cancelled", "cancelled"

    WORKING = (State.COPYING, State.RECOGNISING, State.CHECKING, State.STORING, State.EMBEDDING, State.INDEXING)

    corpus = models.CharField(max_length=50)
    state = models.CharField(max_length=20, choices=State.choices, default=State.RECOGNISING)
    encoding = models.CharField(max_length=40, blank=True)
    address = models.CharField(max_length=500, blank=True)
    only = models.JSONField(default=list, blank=True)
    sealed = models.TextField(blank=True, editable=False)
    described = models.JSONField(default=dict, blank=True)
    overwrite_edits = models.BooleanField(default=False)
    counts = models.JSONField(default=dict, blank=True)
    notes = models.JSONField(default=list, blank=True)
    times_refused = models.IntegerField(default=0)
    refused = models.FileField(storage=import_storage, max_length=300, blank=True)
    problem = models.TextField(blank=True)
    done = models.IntegerField(default=0)
    total = models.IntegerField(default=0)
    since = models.DateTimeField(null=True, blank=True)
    cancel_asked = models.BooleanField(default=False)
    version = models.ForeignKey(CorpusVersion, models.SET_NULL, null=True, blank=True, related_name="imports")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created",)
        constraints = (
            filled("corpus", name="import_corpus_filled"),
            at_least("times_refused", 0, name="import_refused_not_negative"),
            at_least("done", 0, name="import_done_not_negative"),
            models.CheckConstraint(
                condition=Q(total=0) | Q(done__lte=F("total")),
                name="import_done_within_total",
                violation_error_message="More cannot be done than there is.",
            ),
            models.CheckConstraint(
                condition=Q(
                    state__in=["copying", "recognising", "describing", "checking", "checked", "storing", "embedding",
                               "indexing", "done", "failed", "cancelled"]
                ),
                name="import_state_known",
                violation_error_message="An import is in one of its known states.",
            ),
            models.CheckConstraint(
                condition=Q(sealed="") | Q(state="copying"),
                name="import_password_gone_once_copied",
                violation_error_message="A password is kept for no longer than the copy takes.",
            ),
            models.CheckConstraint(
                condition=~Q(state="copying") | ~Q(address=""),
                name="import_copies_an_address",
                violation_error_message="A copy needs an address.",
            ),
            models.CheckConstraint(
                condition=~Q(state="failed") | ~Q(problem=""),
                name="import_failure_says_why",
                violation_error_message="An import that failed has to say why.",
            ),
            models.CheckConstraint(
                condition=~Q(
                    state__in=["describing", "checking", "checked", "storing", "embedding", "indexing", "done"]
                )
                | Q(described__has_key="tables"),
                name="import_described_once_recognised",
                violation_error_message="An import is described once its files are recognised.",
            ),
        )  # fmt: skip

    def __str__(self) -> str:
        return f"{self.corpus}: {self.get_state_display()}"

    @property
    def can_be_tried_again(self) -> bool:
        """Whether there is something to go on from: what was recognised, or files that are kept."""
        return bool(self.described) or self.files.exists()

    @property
    def working(self) -> bool:
        """Whether a worker is at it."""
        return self.state in self.WORKING


class ImportFile(models.Model):
    """A file of an import, as it was uploaded."""

    of = models.ForeignKey(Import, models.CASCADE, related_name="files")
    name = models.CharField(max_length=255)
    file = models.FileField(upload_to=_folder, storage=import_storage, max_length=300)

    class Meta:
        ordering = ("pk",)
        constraints = (
            filled("name", name="import_file_name_filled"),
            models.UniqueConstraint(fields=("of", "name"), name="import_file_name_unique"),
        )

    def __str__(self) -> str:
        return self.name
