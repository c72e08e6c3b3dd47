"""What Celery workers do for the chat: bring a turn to its end, and look for turns that were left behind."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from functools import cache
from typing import Any
from uuid import UUID

from celery import shared_task
from celery.signals import worker_process_init
from django.db import transaction
from django.utils import timezone

from hybridchat.chat import hints, languages, leases, limits, runner
from hybridchat.chat.models import Turn

logger = logging.getLogger(__name__)


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


@cache
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
