"""What changes the corpora, besides loading files."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection

from celery import current_app
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from kombu.exceptions import OperationalError

from corpora.catalogue.imported import whole_catalogue
from corpora.embedding import embedder
from corpora.importing.removing import bring_back
from corpora.importing.reverting import go_back
from corpora.importing.storing import views_ever
from corpora.models import CorpusVersion
from corpora.passages.indexing import index
from corpora.passages.sharing import Wanted

INDEX_TABLES = "corpora.tasks.index_tables"
HELP_TO_INDEX = "corpora.tasks.help_to_index"
ASKED_EVERY = 5.0  # seconds after which one more worker is asked

logger = logging.getLogger(__name__)


def index_rows_on_commit(table: str, keys: Collection[str]) -> None:
    """Once this transaction is committed, bring the passages of some rows of `kb` in step with their texts.

    For a handful of rows, as a curator edits them: it takes a few milliseconds a passage, and happens at once.
    """
    named = sorted(set(keys))
    transaction.on_commit(lambda: index(whole_catalogue(), embedder(), keys={table: named}))


def bring_back_and_index(corpus: str, by: AbstractBaseUser | None) -> CorpusVersion:
    """Let a corpus that was removed be there again, and its passages with it. Raises NotThere, NameTaken."""
    version = bring_back(corpus, by)
    index_later(views_ever(corpus))
    return version


def index_later(tables: Collection[str]) -> None:
    """Once this transaction is committed, have a worker bring the passages of whole tables in step with their texts."""
    named = sorted(tables)
    transaction.on_commit(lambda: current_app.send_task(INDEX_TABLES, [named]), robust=True)


def asking_others() -> Wanted:
    """Return what asks the workers, now and then, to help with what is being indexed: whoever has nothing else to do.

    Nothing depends on it. What takes a moment is done before anybody is asked.
    """
    asked = time.monotonic()

    def ask(tables: list[str], after: str | None) -> None:
        nonlocal asked
        if time.monotonic() - asked < ASKED_EVERY:
            return
        asked = time.monotonic()
        try:
            current_app.send_task(HELP_TO_INDEX, [tables, after], expires=ASKED_EVERY)
        except OperationalError as error:
            logger.warning("no worker could be asked to help with %s: %s", tables, error)

    return ask


def go_back_and_index(to: CorpusVersion, by: AbstractBaseUser | None) -> CorpusVersion:
    """Let a corpus be what it was at a version, its passages included. Raises NotThere."""
    version = go_back(to, by)
    index(whole_catalogue(), embedder(), tables=views_ever(to.corpus))
    return version
