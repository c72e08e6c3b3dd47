"""Work that gives way: it gets the processor when nothing else wants it, and leaves each worker a process for turns."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, connections

from corpora.locks import give_back, take

LAST = 19  # the niceness of whoever comes after everybody else

T = TypeVar("T")


def politely(work: Callable[[], T]) -> T:
    """Do something in a thread of its own that gives way, and return what it returns, or raise what it raises.

    On Linux a thread has a niceness of its own; that of a process could not be taken back by whoever is not root.
    The thread has its own database connection: what it does is not part of a transaction of the caller.
    """
    found: list[T] = []
    problems: list[BaseException] = []
    over = threading.Event()

    def run() -> None:
        with suppress(OSError):  # where threads have none, the work is done at the usual pace
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LAST)
        try:
            found.append(work())
        except BaseException as error:  # raised again in the thread that waits
            problems.append(error)
        finally:
            try:
                connection.close()
            finally:
                over.set()

    threading.Thread(target=run, name="polite").start()
    try:
        over.wait()  # unlike `join`, it can be waited for again after an interruption
    except BaseException:  # a time limit: whoever takes the work up again must not meet it still being done
        over.wait()
        raise
    if problems:
        raise problems[0]
    return found[0]


@contextmanager
def place() -> Iterator[bool]:
    """Hold one of this worker's places for long work, and say whether one was free.

    There is one fewer than the worker has processes. It is held as a lock of a database session of its own, which goes
    when the process goes. A worker with a single process has to do both.
    """
    worker = f"{socket.gethostname()} {os.getppid()}"
    session = connections.create_connection(DEFAULT_DB_ALIAS)
    session.settings_dict = connections[DEFAULT_DB_ALIAS].settings_dict
    names = [f"place {number} of {worker}" for number in range(max(settings.CELERY_WORKER_CONCURRENCY - 1, 1))]
    try:
        held = next((name for name in names if take(name, session)), "")
        try:
            yield bool(held)
        finally:
            if held:
                give_back(held, session)
    finally:
        session.close()
