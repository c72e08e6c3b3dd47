"""What Celery workers do for the corpora: work on imports, look for those that were left behind, index whole tables.

What takes long is done where the worker has a place for it, so that it always has a process for turns.
"""

from __future__ import annotations

import time

from celery import Task, shared_task
from django.db import ProgrammingError

from corpora.catalogue.imported import whole_catalogue
from corpora.embedding import embedder
from corpora.importing.steps import WORK_ON
from corpora.importing.working import work_on
from corpora.models import Import
from corpora.passages.indexing import help_along, index
from corpora.passages.vector_indexes import bring_vector_indexes_in_step
from corpora.politeness import place, politely
from corpora.proposals import LONGEST as DRAFT_LIMIT
from corpora.proposals import WRITE_DRAFT, write
from corpora.services import HELP_TO_INDEX, INDEX_TABLES, asking_others
from corpora.vectors import forget_unused

LONGEST = 12 * 3600  # seconds; one import of a large corpus takes far longer than any other task
SWEPT_EVERY = 10.0  # seconds
HELPED_FOR = 60.0  # seconds, and to the end of the part that was begun; then it is asked for anew


@shared_task(name=WORK_ON, soft_time_limit=LONGEST, time_limit=LONGEST + 60)
def work_on_import(pk: int) -> None:
    """Do what is due on an import; nothing if another worker is at it."""
    with place() as free:
        if free:  # otherwise the sweep asks again
            work_on(pk)


@shared_task(name="corpora.tasks.sweep_imports")
def sweep_imports() -> int:
    """Ask for work on the imports that wait for a worker, in case one was killed; returns how many there are."""
    waiting = list(Import.objects.filter(state__in=Import.WORKING).order_by("pk").values_list("pk", flat=True))
    for pk in waiting:
        work_on_import.apply_async([pk], expires=SWEPT_EVERY)
    return len(waiting)


@shared_task(name=INDEX_TABLES, bind=True, max_retries=None, soft_time_limit=LONGEST, time_limit=LONGEST + 60)
def index_tables(self: Task, tables: list[str]) -> None:
    """Bring the passages of some tables in step with their texts and titles; what is in step costs little."""
    with place() as free:
        if not free:
            raise self.retry(countdown=SWEPT_EVERY)
        politely(lambda: index(whole_catalogue(), embedder(), tables=tables, wanted=asking_others()))
        politely(bring_vector_indexes_in_step)


@shared_task(name=HELP_TO_INDEX)
def help_to_index(tables: list[str], after: str | None) -> None:
    """Take some of the work of a worker that indexes tables and is at the row after one of the first of them."""
    with place() as free:
        if free:
            politely(lambda: _help(tables, after, time.monotonic() + HELPED_FOR))


def _help(tables: list[str], after: str | None, until: float) -> None:
    catalogue = whole_catalogue()
    try:
        help_along(
            catalogue,
            embedder(),
            tables,
            after,
            go_on=lambda: time.monotonic() < until and whole_catalogue() is catalogue,
        )
    except ProgrammingError:
        if whole_catalogue() is catalogue:
            raise  # otherwise the tables have gone, with their corpus or the rows they had


@shared_task(name="corpora.tasks.forget_vectors", soft_time_limit=LONGEST, time_limit=LONGEST + 60)
def forget_vectors() -> None:
    """Delete the vectors of texts that nobody has any more; another time where the worker has no place for it."""
    with place() as free:
        if free:
            politely(forget_unused)


@shared_task(
    name=WRITE_DRAFT, bind=True, max_retries=None, soft_time_limit=DRAFT_LIMIT + 30, time_limit=DRAFT_LIMIT + 60
)
def write_draft(self: Task, pk: int) -> None:
    """Have a language model draft what may be said of a corpus; nothing if that was done, or is not wanted any more."""
    with place() as free:
        if not free:
            raise self.retry(countdown=SWEPT_EVERY)
        write(pk)
