"""The fork server.

    python -m hybridchat.guard.forking DESCRIPTOR FACTORY

It loads the agent once, then waits at the socket DESCRIPTOR. Each descriptor that arrives there is the connection of a
new agent process, which it forks: the fork has everything loaded and is ready within milliseconds. When corpora are
imported, it loads the agent anew before it forks again, or sooner if nothing else is asked of it.
"""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import os
import select
import signal
import socket
import sys
import threading
import time

import django
import psutil
from django.utils.module_loading import import_string

from hybridchat.guard.serving import Factory, serve

logger = logging.getLogger(__name__)

NICE = 3  # serving pages comes before computing answers
PAUSE = 1.0  # seconds until a database that is away is asked again
LOOK = 3.0  # seconds without a request after which it looks for newly imported corpora


class Loaded:
    """The agent in this process, and which corpora it knows."""

    def __init__(self, agent_for: Factory) -> None:
        self.agent_for = agent_for
        self.versions: tuple[tuple[int, ...], ...] | None = None

    def refresh(self) -> bool:
        """Load the agent if it is not loaded or if corpora were imported since; False if the database is away.

        Any other error is logged: an agent process meets it again, and can report it for the turn it works on.
        """
        from corpora.catalogue.imported import state_of_corpora
        from hybridchat.guard.failures import is_passing

        versions = self.versions
        try:
            versions = state_of_corpora()  # before loading, so that an import meanwhile is not missed
            if versions != self.versions:
                self._load()
        except Exception as error:
            logger.exception("the agent could not be loaded")
            if is_passing(error):
                return False
        finally:
            _disconnect()
        self.versions = versions
        return True

    def _load(self) -> None:
        """Load the language in use, including what it would load when it is first asked something."""
        from hybridchat.chat.languages import current_language

        agent = self.agent_for(current_language())
        if rehearse := getattr(sys.modules[self.agent_for.__module__], "rehearse", None):
            asyncio.run(rehearse(agent))


def _disconnect() -> None:
    """A fork can neither share a database connection nor use the threads of a pool."""
    from django.db import connection, connections

    connections.close_all()
    connection.close_pool()


def main(descriptor: int, factory: str) -> None:
    """Load the agent, then fork an agent process for each connection that arrives, until the worker has ended."""
    faulthandler.register(signal.SIGUSR1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    os.nice(NICE)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hybridchat.settings")
    django.setup()
    loaded, loading = Loaded(import_string(factory)), threading.Event()
    with socket.socket(fileno=descriptor) as requests:
        loading.set()
        threading.Thread(target=_end_if_deserted, args=[requests, loading], daemon=True).start()
        while not loaded.refresh():
            time.sleep(PAUSE)
        loading.clear()
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for agent processes
        while _forked_next(requests, loaded):
            pass
    for process in psutil.Process().children():  # the worker is gone, and a stuck process would not notice
        process.kill()


def _end_if_deserted(requests: socket.socket, loading: threading.Event) -> None:
    """End this process while it is still loading, which may take a minute, if nobody is left to ask it for a fork."""
    hung_up = select.poll()
    hung_up.register(requests, 0)  # a hang-up is reported unasked
    hung_up.poll()
    if loading.is_set():
        os._exit(0)


def _forked_next(requests: socket.socket, loaded: Loaded) -> bool:
    """Fork an agent process for the next connection; False when nobody is left to ask for one."""
    while not select.select([requests], [], [], LOOK)[0]:
        loaded.refresh()
    data, descriptors, _, _ = socket.recv_fds(requests, 1, 1)
    if not data:
        return False
    loaded.refresh()
    if os.fork() == 0:
        requests.close()
        serve(descriptors[0], loaded.agent_for, loaded.versions)
    os.close(descriptors[0])
    return True


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
