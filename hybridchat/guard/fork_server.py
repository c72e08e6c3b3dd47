"""Keeps the fork server running, and asks it for agent processes."""

from __future__ import annotations

import asyncio
import copy
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from functools import lru_cache

from django.conf import settings

from hybridchat.celery import ONE_THREAD
from hybridchat.guard.failures import Passing
from hybridchat.guard.process import AgentProcess
from hybridchat.guard.wire import read_frame
from hybridchat.services.folder import CHECKOUT

PAUSE = 1.0  # seconds before a fork server that died is started again
LOADING = 120.0  # seconds until an agent process is ready, if everything has to be loaded first


class ForkServer:
    """The fork server, restarted when it dies. Forks of the process that keeps it may use it too."""

    def __init__(self, factory: str, environment: Mapping[str, str] | None = None) -> None:
        self._requests, self.inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._factory = factory
        self._environment = {**ONE_THREAD, **(os.environ if environment is None else environment)}
        self._keeping = threading.Lock()
        self._kept_by = 0
        self._server: subprocess.Popen[bytes] | None = None
        self._over = threading.Event()
        self._process: AgentProcess | None = None
        self._beside: list[ForkServer] = []

    def beside(self) -> ForkServer:
        """Return the same fork server with an agent process of its own, for steps that run at the same time."""
        self.keep()
        other = copy.copy(self)
        other._process = None
        self._beside.append(other)
        return other

    def keep(self) -> None:
        """Start the fork server, unless this process or the one it was forked from did so already."""
        with self._keeping:
            if not self._kept_by:
                self._kept_by = os.getpid()
                threading.Thread(target=self._keep, name="fork server", daemon=True).start()

    def close(self) -> None:
        """End the fork server and the agent processes in use."""
        self._over.set()
        for one in (self, *self._beside):
            if one._process is not None:
                one._process.kill()
        if self._server is not None:
            self._server.kill()
            self._server.wait()
        self._requests.close()
        self.inner.close()

    async def process(self) -> AgentProcess:
        """Return this process's agent process, a new one if the last has ended. Raises Passing if none starts."""
        loop = asyncio.get_running_loop()
        if self._process is None or self._process.ended or self._process.loop is not loop:
            if self._process is not None:
                self._process.kill()
            self._process = await self._forked()
        return self._process

    async def _forked(self) -> AgentProcess:
        self.keep()
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._requests, [b"+"], [theirs.fileno()])
        ours.setblocking(False)
        reader, writer = await asyncio.open_unix_connection(sock=ours)
        ready = None
        try:
            async with asyncio.timeout(LOADING):
                ready = await read_frame(reader)
        except TimeoutError:
            pass  # reported below
        finally:
            if ready is None:
                writer.close()
        if ready is None:
            raise Passing("the fork server did not start an agent process")
        return AgentProcess(reader, writer, ready["ready"])

    def _keep(self) -> None:
        while not self._over.is_set():
            self._server = subprocess.Popen(
                [sys.executable, "-m", "hybridchat.guard.forking", str(self.inner.fileno()), self._factory],
                pass_fds=[self.inner.fileno()],
                stdin=subprocess.DEVNULL,
                cwd=CHECKOUT,
                env=self._environment,
            )
            self._server.wait()
            self._over.wait(PAUSE)


@lru_cache(maxsize=1)
def fork_server() -> ForkServer:
    """Return the fork server of this process and of its forks."""
    return ForkServer(settings.AGENT_FACTORY)
