"""Threads of the chat's own: for the database, and for keeping a lease.

The default threads of an event loop are also where the builtin language reads texts. Behind a long queue of that,
events would be late and leases would run out. What a page is shown does not wait behind what a crowd sends: reads for
pages have threads of their own.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.db import DatabaseError, connection

from hybridchat.chat import limits

logger = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")

_database = ThreadPoolExecutor(max_workers=8, thread_name_prefix="chat-database")
_shown = ThreadPoolExecutor(max_workers=2, thread_name_prefix="chat-shown")


async def in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return a service or selector, called from asynchronous code with a database connection of its own."""
    call = database_sync_to_async(function, thread_sensitive=False, executor=_database)
    return await call(*args, **kwargs)


async def in_reading_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what a page is shown, read beside whatever waits for `in_thread`."""
    call = database_sync_to_async(function, thread_sensitive=False, executor=_shown)
    return await call(*args, **kwargs)


@contextmanager
def beating(beat: Callable[[], bool]) -> Iterator[None]:
    """Call `beat` every `limits.HEARTBEAT` seconds on a thread, however busy the event loop is, until it says False."""
    over = threading.Event()

    def keep_beating() -> None:
        while not over.wait(limits.HEARTBEAT):
            try:
                if not beat():
                    return
            except DatabaseError:  # the next beat may get through; if none does, the lease runs out, as it should
                logger.exception("a heartbeat did not get through")
            finally:
                connection.close()

    thread = threading.Thread(target=keep_beating, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
