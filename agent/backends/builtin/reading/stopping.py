"""Work on another thread that ends soon after nobody waits for it any more.

A thread cannot be cancelled from outside, so the work is given a flag to look at between texts. Without it a turn that
was stopped would go on taking processor time from the next one.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


class Abandoned(Exception):
    """Nobody waits for the result any more. Raised on the working thread only, where it ends the work unseen."""


class Wanted:
    """Whether somebody still waits for the work; safe to share between threads."""

    def __init__(self) -> None:
        self._gone = threading.Event()

    def withdraw(self) -> None:
        """Nobody waits any more."""
        self._gone.set()

    def check(self) -> None:
        """Raise Abandoned once nobody waits. Cheap enough to be called for every text."""
        if self._gone.is_set():
            raise Abandoned


async def on_a_thread(work: Callable[[Wanted], Result]) -> Result:
    """Return the result of `work` on a thread of its own; when the caller is cancelled, its next check ends it."""
    wanted = Wanted()
    try:
        return await asyncio.to_thread(work, wanted)
    finally:
        wanted.withdraw()
