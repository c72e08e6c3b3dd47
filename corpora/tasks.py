"""What Celery workers do for the corpora: work on imports, look for those that were left behind, index whole tables."""

from __future__ import annotations

from celery import shared_task

from corpora.catalogue.imported import whole_catalogue
from corpora.embedding import embedder
from corpora.importing.steps import WORK_ON
from corpora.importing.working import work_on
from corpora.models import Import
from corpora.passages.indexing import index
from corpora.passages.vector_indexes import bring_vector_indexes_in_step
from corpora.politeness import politely
from corpora.services import INDEX_TABLES

LONGEST = 12 * 3600  # seconds; one import of a large corpus takes far longer than any other task
SWEPT_EVERY = 10.0  # seconds


@shared_task(name=WORK_ON, soft_time_limit=LONGEST, time_limit=LONGEST + 60)
def work_on_import(pk: int) -> None:
    """Do what is due on an import; nothing if another worker is at it."""
    work_on(pk)


@shared_task(name="corpora.tasks.sweep_imports")
def sweep_imports() -> int:
    """Ask for work on the imports that wait for a worker, in case one was killed; returns how many there are."""
    waiting = list(Import.objects.filter(state__in=Import.WORKING).order_by("pk").values_list("pk", flat=True))
    for pk in waiting:
        work_on_import.apply_async([pk], expires=SWEPT_EVERY)
    return len(waiting)


@shared_task(name=INDEX_TABLES, soft_time_limit=LONGEST, time_limit=LONGEST + 60)
def index_tables(tables: list[str]) -> None:
    """Bring the passages of some tables in step with their texts and titles; what is in step costs little."""
    politely(lambda: index(whole_catalogue(), embedder(), tables=tables))
    politely(bring_vector_indexes_in_step)
