"""Keeps the process that forks minds, and opens connections to new ones."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from functools import lru_cache

from django.conf import settings

from hybridchat.guard.failures import MindDied, Passing
from hybridchat.guard.wire import Frame, read_frame, write_frame
from hybridchat.services.folder import CHECKOUT

logger = logging.getLogger(__name__)

PAUSE = 1.0  # seconds before a process that died is started again
TO_SAY = 0.1  # seconds that a stuck mind gets to write where it is into the log
POLITE = 1.0  # seconds that a mind gets to let go of its work before it is killed
LOADING = 120.0  # seconds until a mind is ready, if everything has to be loaded first


class Mind:
    """A connection to one mind, made on the event loop that uses it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pid: int) -> None:
        self.pid, self._reader, self._writer = pid, reader, writer
        self.loop = asyncio.get_running_loop()
        self.gone = False

    @property
    def ended(self) -> bool:
        """Whether it is known to be gone."""
        return self.gone or self._reader.at_eof()

    async def send(self, frame: Frame) -> None:
        """Send a frame. Raises MindDied."""
        try:
            await write_frame(self._writer, frame)
        except ConnectionError as error:
            self.kill()
            raise MindDied(f"mind {self.pid} is gone") from error

    async def receive(self) -> Frame:
        """The next frame. Raises MindDied."""
        frame = await read_frame(self._reader)
        if frame is None:
            self.kill()
            raise MindDied(f"mind {self.pid} ended in the middle of its work")
        return frame

    async def interrupt(self) -> None:
        """Make it let go of its work, or end it."""
        try:
            async with asyncio.timeout(POLITE):
                await self.send({"cancel": True})
                while not {"state", "error"} & (await self.receive()).keys():
                    pass
        except TimeoutError:
            logger.warning("mind %s is stuck; it says where, and is ended", self.pid)
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGUSR1)
            await asyncio.sleep(TO_SAY)
            self.kill()
        except MindDied:
            self.kill()

    def kill(self) -> None:
        """End it at once, stuck or not."""
        if not self.gone:
            self.gone = True
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            if not self.loop.is_closed():
                self._writer.close()


class Nursery:
    """The forking process, restarted when it dies. Processes forked from the one that keeps it may use it too."""

    def __init__(self, factory: str, environment: Mapping[str, str] | None = None) -> None:
        self._door, self.inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._factory, self._environment = factory, environment
        self._keeping = threading.Lock()
        self._kept_by = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._over = threading.Event()
        self._mind: Mind | None = None

    def keep(self) -> None:
        """Start the process, unless this one or the one it was forked from does so already."""
        with self._keeping:
            if not self._kept_by:
                self._kept_by = os.getpid()
                threading.Thread(target=self._keep, name="nursery", daemon=True).start()

    def close(self) -> None:
        """End the process and the mind in use."""
        self._over.set()
        if self._mind is not None:
            self._mind.kill()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._door.close()
        self.inner.close()

    async def mind(self) -> Mind:
        """The mind of this process, a new one where the last is gone. Raises `Passing` where none comes."""
        loop = asyncio.get_running_loop()
        if self._mind is None or self._mind.ended or self._mind.loop is not loop:
            if self._mind is not None:
                self._mind.kill()
            self._mind = await self._forked()
        return self._mind

    async def _forked(self) -> Mind:
        self.keep()
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._door, [b"+"], [theirs.fileno()])
        ours.setblocking(False)
        reader, writer = await asyncio.open_unix_connection(sock=ours)
        ready = None
        try:
            async with asyncio.timeout(LOADING):
                ready = await read_frame(reader)
        except TimeoutError:
            pass  # told below
        finally:
            if ready is None:
                writer.close()
        if ready is None:
            raise Passing("no mind came out of the nursery")
        return Mind(reader, writer, ready["ready"])

    def _keep(self) -> None:
        while not self._over.is_set():
            self._process = subprocess.Popen(
                [sys.executable, "-m", "hybridchat.guard.mind", str(self.inner.fileno()), self._factory],
                pass_fds=[self.inner.fileno()],
                stdin=subprocess.DEVNULL,
                cwd=CHECKOUT,
                env=self._environment,
            )
            self._process.wait()
            self._over.wait(PAUSE)


@lru_cache(maxsize=1)
def nursery() -> Nursery:
    """The nursery of this process and of its forks."""
    return Nursery(settings.AGENT_FACTORY)
