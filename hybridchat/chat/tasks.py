"""What Celery workers do for the chat: bring a turn to its end, and look for turns that were left behind."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from functools import lru_cache
from typing import Any

from celery import shared_task
from celery.signals import worker_init, worker_ready
from django.conf import settings
from django.core.cache import cache

from corpora import kept_pictures
from corpora.vectors import remember_passages
from hybridchat.chat import hints, leases, runner, services
from hybridchat.chat.models import Turn
from hybridchat.guard.fork_server import fork_server

PREPARING = "chat:preparing-the-reader"  # one batch of sentences at a time is computed ahead
PREPARING_LIMIT = 300  # seconds after which a worker that said it would is taken for dead
HINTS = 8  # a sweep
PAUSE = 0.5  # seconds between two batches, so that turns come first

logger = logging.getLogger(__name__)


@worker_ready.connect
def prepare(**_: object) -> None:
    """A worker that begins takes up what was left, and with nothing better to do computes ahead what reading needs."""
    sweep.delay()
    prepare_reader.delay()


@shared_task(name="hybridchat.chat.tasks.prepare_reader")
def prepare_reader(after: int = 0) -> None:
    """Encode one batch of sentences, of the passages after one, and come back for the next."""
    if not cache.add(PREPARING, True, timeout=PREPARING_LIMIT):
        return  # another worker is at it
    try:
        done = next(remember_passages(after), None)
    finally:
        cache.delete(PREPARING)
    if done:
        prepare_reader.apply_async([done.after], countdown=PAUSE)


@worker_init.connect
def load(**_: object) -> None:
    """A worker starts its fork server, which loads the agent once for all processes of the worker."""
    fork_server().keep()


@shared_task(name=hints.EXECUTE_TURN)
def execute_turn(turn_id: str) -> None:
    """Bring a turn to its end from wherever it stands: the one whose turn it is, which need not be the one that asked.

    There is one such task for each turn that waits, so each is served; run twice, it does nothing.
    """
    complete(runner.work_on_next())


@shared_task(name="hybridchat.chat.tasks.sweep")
def sweep() -> int:
    """Ask for work on turns that wait, in case a hint was lost; returns how many wait.

    A few hints a sweep are enough to keep every process of a worker busy.
    """
    for turn_id, holder in leases.release_what_the_dead_hold():
        logger.warning("turn %s was left behind by %s", turn_id, holder)
    waiting = list(Turn.objects.waiting().order_by("lease_until").values_list("pk", flat=True))
    for turn_id in waiting[:HINTS]:
        hints.work_is_due(turn_id)
    return len(waiting)


@shared_task(name="hybridchat.chat.tasks.forget_addresses")
def forget_addresses() -> int:
    """Forget where turns came from after a day; returns of how many."""
    return services.forget_addresses()


@shared_task(name="hybridchat.chat.tasks.delete_old")
def delete_old() -> int:
    """Delete some of the conversations that are older than the site keeps them; returns how many."""
    return services.delete_old(settings.CONVERSATION_DAYS)


@lru_cache(maxsize=1)
def _loop() -> asyncio.AbstractEventLoop:
    """The event loop of this worker process, kept from task to task with the connections that were made on it."""
    return asyncio.new_event_loop()


def complete(work: Coroutine[Any, Any, None]) -> None:
    """Run to the end; where Celery's time limit breaks in, the work is cancelled and the turn given back."""
    task = _loop().create_task(work)
    try:
        _loop().run_until_complete(task)
    except BaseException:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            _loop().run_until_complete(task)
        raise


@shared_task(time_limit=60, soft_time_limit=50)
def fetch_picture(key: int) -> None:
    """Fetch a picture that a card showed, to serve it from here."""
    kept_pictures.fetch(key)
