"""What Celery workers do for the chat: bring a turn to its end, and look for turns that were left behind."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from functools import lru_cache
from typing import Any
from uuid import UUID

from celery import shared_task
from celery.signals import worker_process_init, worker_ready
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from corpora.vectors import remember_passages
from hybridchat.chat import hints, languages, leases, limits, runner
from hybridchat.chat.models import Turn

PREPARING = "chat:preparing-the-reader"  # one batch of sentences at a time is computed ahead
PREPARING_LIMIT = 300  # seconds after which a worker that said it would is taken for dead
PAUSE = 0.5  # seconds between two batches, so that turns come first

logger = logging.getLogger(__name__)


@worker_ready.connect
def prepare(**_: object) -> None:
    """A worker that has nothing better to do computes ahead what reading needs."""
    prepare_reader.delay()


@shared_task(name="hybridchat.chat.tasks.prepare_reader")
def prepare_reader() -> int:
    """Encode one batch of sentences, and come back for the next; returns how many passages are left."""
    if not cache.add(PREPARING, True, timeout=PREPARING_LIMIT):
        return 0  # another worker is at it
    try:
        left = remember_passages(batches=1)
    finally:
        cache.delete(PREPARING)
    if left:
        prepare_reader.apply_async(countdown=PAUSE)
    return left


@worker_process_init.connect
def warm_up(**_: object) -> None:
    """A worker process loads the language it will be asked for first."""
    runner.warm_up(languages.current_language())


@shared_task(name=hints.EXECUTE_TURN)
def execute_turn(turn_id: str) -> None:
    """Bring the turn to its end from wherever it stands. Run twice, or while another works on it, it does nothing."""
    _complete(runner.work_on(UUID(turn_id)))


@shared_task(name="hybridchat.chat.tasks.sweep")
def sweep() -> int:
    """Hand out the turns that nobody works on any more; returns how many there were."""
    leases.release_what_the_dead_hold()
    with transaction.atomic():
        left = list(Turn.objects.abandoned().select_for_update(skip_locked=True).order_by("lease_until")[:100])
        for turn in left:
            logger.warning("turn %s was left %s by %s", turn.pk, turn.status, turn.lease_holder or "nobody")
            turn.lease_holder, turn.lease_until = "", timezone.now() + limits.HANDOVER
            turn.save(update_fields=["lease_holder", "lease_until"])
            hints.work_is_due(turn.pk)
    return len(left)


@lru_cache(maxsize=1)
def _loop() -> asyncio.AbstractEventLoop:
    """The event loop of this worker process, kept from task to task with the connections that were made on it."""
    return asyncio.new_event_loop()


def _complete(work: Coroutine[Any, Any, None]) -> None:
    """Run to the end; where Celery's time limit breaks in, the work is cancelled and the turn given back."""
    task = _loop().create_task(work)
    try:
        _loop().run_until_complete(task)
    except BaseException:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            _loop().run_until_complete(task)
        raise
