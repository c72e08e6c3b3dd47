"""The line as the pages of this process see it: one look at the database for all of them, while anybody waits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from uuid import UUID

from hybridchat.chat import line
from hybridchat.chat.threads import in_reading_thread
from hybridchat.guard.failures import is_passing

LOOK = 0.2  # seconds between two looks at the line
A_CROWD = 2  # with so many before somebody, their place is said before their message is stored

Tell = Callable[[UUID, int], Awaitable[None]]  # a turn and its place; 0 when it has left the line
logger = logging.getLogger(__name__)


class Lookout:
    """Tells pages their places in line."""

    def __init__(self) -> None:
        self._told: dict[tuple[Tell, UUID], int | None] = {}
        self._length = 0
        self._arriving = 0
        self._looking: asyncio.Task[None] | None = None

    def watch(self, turn: UUID, tell: Tell) -> None:
        """Report the turn's place whenever it changes, until it leaves the line."""
        self._told.setdefault((tell, turn), None)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.get_running_loop().create_task(self._look())

    def forget(self, tell: Tell) -> None:
        """Stop reporting to this page."""
        for known in [known for known in self._told if known[0] == tell]:
            del self._told[known]

    @contextmanager
    def arriving(self) -> Iterator[int]:
        """While a message is being stored: how many are before it, where they are a crowd, else 0."""
        before = self._length + self._arriving
        self._arriving += 1
        try:
            yield before if before >= A_CROWD else 0
        finally:
            self._arriving -= 1

    async def _look(self) -> None:
        while self._told:
            await asyncio.sleep(LOOK)
            try:
                places = await in_reading_thread(line.places)
            except Exception as error:
                if not is_passing(error):
                    raise
                continue
            self._length = len(places)
            await self._tell(places)
        self._length = 0

    async def _tell(self, places: dict[UUID, int]) -> None:
        for (tell, turn), before in list(self._told.items()):
            place = places.get(turn, 0)
            if place == before or (tell, turn) not in self._told:
                continue
            self._told[tell, turn] = place
            if not place:
                del self._told[tell, turn]
            if place or before:
                try:
                    await tell(turn, place)
                except Exception:
                    logger.exception("a page could not be told its place")
                    self.forget(tell)


lookout = Lookout()
