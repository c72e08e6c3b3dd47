"""The process that thinks.

    python -m hybridchat.guard.mind DESCRIPTOR FACTORY

It loads the agent once, then waits at the socket DESCRIPTOR. Each descriptor that it is handed there is the connection
of a new mind, which it forks: the fork has everything loaded and answers within milliseconds. A mind works on one
request at a time and ends with its connection. SIGUSR1 makes it write into the log where it is, however stuck.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import logging
import os
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import django
import psutil
from asgiref.sync import SyncToAsync, sync_to_async
from django.utils.module_loading import import_string

from hybridchat.guard.wire import Frame, read_frame, write_frame

logger = logging.getLogger(__name__)

NICE = 3  # whoever waits for a page comes before whoever thinks
PAUSE = 1.0  # seconds until a database that is away is asked again
LONGEST = 600.0  # seconds after which a step ends its process, in case nobody is left to do that
Factory = Callable[[str], Any]  # the name of a language → its agent


def main(descriptor: int, factory: str) -> None:
    """Load, then fork a mind for each connection that is handed over, until nobody is left who could hand one."""
    faulthandler.register(signal.SIGUSR1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started this
    os.nice(NICE)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hybridchat.settings")
    django.setup()
    agent_for: Factory = import_string(factory)
    with socket.socket(fileno=descriptor) as control:
        while not _loaded(agent_for):
            if _is_deserted(control):
                return
            time.sleep(PAUSE)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for minds
        while True:
            data, descriptors, _, _ = socket.recv_fds(control, 1, 1)
            if not data:
                break
            if os.fork() == 0:
                control.close()
                _think(descriptors[0], agent_for)
            os.close(descriptors[0])
    for mind in psutil.Process().children():  # whoever asked them is gone; a stuck one would not notice
        mind.kill()


def _is_deserted(control: socket.socket) -> bool:
    """Whether nobody is left who could ask for a mind."""
    try:
        return not control.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False


def _loaded(agent_for: Factory) -> bool:
    """Load the language that is in use; False where the database is away. Any other error is one that a mind meets
    again, with a turn to tell it about."""
    from hybridchat.guard.failures import is_passing

    try:
        _load(agent_for)
    except Exception as error:
        logger.exception("the language could not be loaded")
        return not is_passing(error)
    return True


def _load(agent_for: Factory) -> None:
    """Load the language that is in use, with what it loads when it is asked first, and let go of the database."""
    from django.db import connection, connections

    from hybridchat.chat.languages import current_language

    language = current_language()
    agent = agent_for(language)
    if rehearse := getattr(sys.modules[agent_for.__module__], "rehearse", None):
        asyncio.run(rehearse(agent))
    connections.close_all()
    connection.close_pool()  # a fork may not share a connection, nor has it the threads of the pool


def _think(descriptor: int, agent_for: Factory) -> None:
    """The life of a mind. Never returns."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    SyncToAsync.single_thread_executor = ThreadPoolExecutor(max_workers=1)  # a fork has none of the threads before it
    status = 1
    try:
        asyncio.run(_serve(socket.socket(fileno=descriptor), agent_for))
        status = 0
    except BaseException:
        logger.exception("a mind broke")
    finally:
        os._exit(status)


async def _serve(connection: socket.socket, agent_for: Factory) -> None:
    """Answer requests, one at a time, until the connection ends; another frame in between cancels the work."""
    reader, writer = await asyncio.open_unix_connection(sock=connection)
    await write_frame(writer, {"ready": os.getpid()})
    while (request := await read_frame(reader)) is not None:
        if request.get("cancel"):
            continue  # it came too late
        work = asyncio.create_task(_answer(request, writer, agent_for))
        interrupted = asyncio.create_task(read_frame(reader))
        await asyncio.wait({work, interrupted}, return_when=asyncio.FIRST_COMPLETED)
        if not interrupted.done():
            interrupted.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await interrupted
        if not work.done():
            work.cancel()
        with contextlib.suppress(asyncio.CancelledError, ConnectionError):
            await work
        if interrupted.done() and not interrupted.cancelled() and interrupted.result() is None:
            return


async def _answer(request: Frame, writer: asyncio.StreamWriter, agent_for: Factory) -> None:
    """Do one step of a turn; the last frame says how it ended."""
    faulthandler.dump_traceback_later(LONGEST, exit=True)
    try:
        ending = {"state": await _step(request, writer, agent_for)}
    except asyncio.CancelledError:
        ending = {"error": "cancelled"}
    except Exception as error:
        ending = _told(error)
    finally:
        faulthandler.cancel_dump_traceback_later()
    await write_frame(writer, ending)


async def _step(request: Frame, writer: asyncio.StreamWriter, agent_for: Factory) -> dict[str, Any]:
    from agent.record import TurnState
    from agent.suql import Budget
    from corpora.calls import current_turn

    async def emit(kind: str, payload: dict[str, Any]) -> None:
        await write_frame(writer, {"event": kind, "payload": payload})

    current_turn.set(UUID(request["turn"]) if request["turn"] else None)
    agent = (await sync_to_async(agent_for)(request["language"])).within(Budget(**request["budget"]))
    step = agent.parse_turn if request["step"] == "parse" else agent.execute_turn
    state = await step(TurnState.model_validate(request["state"]), emit)
    return state.model_dump(mode="json")


def _told(error: Exception) -> Frame:
    """An error as a frame: what the engine has a sentence for, what passes, and what nobody foresaw."""
    from agent.errors import AgentError
    from hybridchat.guard.failures import is_passing

    if is_passing(error):
        return {"error": "passing", "detail": repr(error)}
    if isinstance(error, AgentError):
        return {"error": "agent", "sentence": error.sentence, "detail": error.detail or repr(error)}
    return {"error": "broke", "detail": "".join(traceback.format_exception(error))[-4000:]}


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
