"""Work that gives way: it gets the processor when nothing else wants it, so that chats do not wait for an import."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from django.db import connection

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
