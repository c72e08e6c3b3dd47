"""What changes the corpora, besides loading files."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from corpora.catalogue import catalogue
from corpora.embedding import embedder
from corpora.passages.indexing import index


def index_rows_on_commit(table: str, keys: Collection[str]) -> None:
    """Once this transaction is committed, bring the passages of some rows of `kb` in step with their texts.

    For a handful of rows, as a curator edits them: it takes a few milliseconds a passage, and happens at once.
    """
    named = sorted(set(keys))
    transaction.on_commit(lambda: index(catalogue(), embedder(), keys={table: named}))
