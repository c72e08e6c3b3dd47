"""A connection to one agent process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal

from hybridchat.guard.failures import ProcessDied
from hybridchat.guard.wire import Frame, read_frame, write_frame

logger = logging.getLogger(__name__)

TRACEBACK = 0.1  # seconds that a stuck process gets to write its traceback to the log
GRACE = 1.0  # seconds that a process gets to cancel its work before it is killed


class AgentProcess:
    """A connection to one agent process, to be used on the event loop that made it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pid: int) -> None:
        self.pid, self._reader, self._writer = pid, reader, writer
        self.loop = asyncio.get_running_loop()
        self.killed = False

    @property
    def ended(self) -> bool:
        """Whether it is known to have ended."""
        return self.killed or self._reader.at_eof()

    async def send(self, frame: Frame) -> None:
        """Send a frame. Raises ProcessDied."""
        try:
            await write_frame(self._writer, frame)
        except ConnectionError as error:
            self.kill()
            raise ProcessDied(f"agent process {self.pid} has ended") from error

    async def receive(self) -> Frame:
        """Return the next frame. Raises ProcessDied."""
        frame = await read_frame(self._reader)
        if frame is None:
            self.kill()
            raise ProcessDied(f"agent process {self.pid} ended in the middle of its work")
        return frame

    async def interrupt(self) -> None:
        """Have it cancel its work; kill it if it does not."""
        try:
            async with asyncio.timeout(GRACE):
                await self.send({"cancel": True})
                while not {"state", "current", "error"} & (await self.receive()).keys():
                    pass
        except TimeoutError:
            logger.warning("agent process %s is stuck; killing it after a traceback", self.pid)
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGUSR1)
            await asyncio.sleep(TRACEBACK)
            self.kill()
        except ProcessDied:
            self.kill()

    def kill(self) -> None:
        """Kill it, stuck or not."""
        if not self.killed:
            self.killed = True
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            if not self.loop.is_closed():
                self._writer.close()
