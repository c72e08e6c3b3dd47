"""What changes the corpora, besides loading files."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from corpora.catalogue.imported import whole_catalogue
from corpora.embedding import embedder
from corpora.importing.reverting import go_back
from corpora.importing.storing import views_ever
from corpora.models import CorpusVersion
from corpora.passages.indexing import index


def index_rows_on_commit(table: str, keys: Collection[str]) -> None:
    """Once this transaction is committed, bring the passages of some rows of `kb` in step with their texts.

    For a handful of rows, as a curator edits them: it takes a few milliseconds a passage, and happens at once.
    """
    named = sorted(set(keys))
    transaction.on_commit(lambda: index(whole_catalogue(), embedder(), keys={table: named}))


def go_back_and_index(to: CorpusVersion, by: AbstractBaseUser | None) -> CorpusVersion:
    """Let a corpus be what it was at a version, its passages included. Raises NotThere."""
    version = go_back(to, by)
    index(whole_catalogue(), embedder(), tables=views_ever(to.corpus))
    return version
