"""The passages that free text is cut into, with their embeddings and search vectors."""

from __future__ import annotations

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Length
from pgvector.django import HalfVectorField

from corpora.models.columns import at_least, filled

DIMENSIONS = 384


class Passage(models.Model):
    """A stretch of one text: what is searched, read and shown as evidence.

    `owner_table` and `owner_key` name a row of the knowledge schema (its key, as text) and `column_name` the column;
    `text_index` is the place of the text in a list of texts. `start` and `stop` are character offsets in that text,
    whose md5 is `text_md5`: a passage whose text has changed is recognised as stale by it. `embedder` is the model
    that made `embedding`; vectors of different models do not compare. `heading` is the title of its row: it is
    embedded with the body ("Add or drop a class. The deadline is …") and not shown with it. Where a column has many
    passages, they have an HNSW index of their own (`corpora.passages.vector_indexes`).
    """

    owner_table = models.CharField(max_length=50)
    owner_key = models.CharField(max_length=100)
    column_name = models.CharField(max_length=50)
    text_index = models.IntegerField(default=0)
    text_md5 = models.CharField(max_length=32)
    start = models.IntegerField()
    stop = models.IntegerField()
    body = models.TextField()
    dated = models.DateField(null=True, blank=True)
    label = models.CharField(max_length=200, blank=True)
    heading = models.CharField(max_length=300, blank=True)
    embedder = models.CharField(max_length=100)
    embedding = HalfVectorField(dimensions=DIMENSIONS)
    search = models.GeneratedField(
        expression=SearchVector("body", config="english"), output_field=SearchVectorField(), db_persist=True
    )

    class Meta:
        ordering = ("owner_table", "owner_key", "column_name", "text_index", "start")
        constraints = (
            models.UniqueConstraint(
                fields=("owner_table", "owner_key", "column_name", "text_index", "start"), name="passage_place_unique"
            ),
            models.CheckConstraint(
                condition=Q(text_md5__regex=r"^[0-9a-f]{32}$"),
                name="passage_md5_is_one",
                violation_error_message="The hash of the text is no MD5 in hexadecimal.",
            ),
            at_least("text_index", 0, name="passage_index_not_negative"),
            at_least("start", 0, name="passage_start_not_negative"),
            models.CheckConstraint(
                condition=Q(stop=F("start") + Length("body")),
                name="passage_offsets_fit_body",
                violation_error_message="Start and stop have to fit the length of the body.",
            ),
            filled("body", name="passage_body_filled"),
        )
        indexes = (
            GinIndex(name="passage_search", fields=["search"]),
            models.Index(name="passage_text", fields=["text_md5"]),
        )

    def __str__(self) -> str:
        return f"{self.owner_table} {self.owner_key}, {self.column_name}: {self.body[:60]}"
