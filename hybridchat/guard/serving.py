"""What an agent process does: one step of a turn at a time, until its connection ends.

SIGUSR1 makes it write its traceback to the log, however stuck it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import logging
import os
import signal
import socket
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NoReturn
from uuid import UUID

from asgiref.sync import SyncToAsync, sync_to_async

from hybridchat.guard.wire import Frame, read_frame, write_frame

logger = logging.getLogger(__name__)

LONGEST = 600.0  # seconds after which a step ends its process, in case nobody is left to do that
Factory = Callable[[str], Any]  # the name of a language → its agent


def serve(descriptor: int, agent_for: Factory, versions: tuple[tuple[int, ...], ...] | None) -> NoReturn:
    """Live as an agent process whose agent was loaded with this state of the corpora."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    SyncToAsync.single_thread_executor = ThreadPoolExecutor(max_workers=1)  # a fork has none of its parent's threads
    status = 1
    try:
        asyncio.run(_served(socket.socket(fileno=descriptor), Server(agent_for, versions)))
        status = 0
    except BaseException:
        logger.exception("an agent process broke")
    finally:
        os._exit(status)


async def _served(connection: socket.socket, server: Server) -> None:
    """Answer requests, one at a time, until the connection ends; another frame in between cancels the work."""
    reader, writer = await asyncio.open_unix_connection(sock=connection)
    await write_frame(writer, {"ready": os.getpid()})
    while (request := await read_frame(reader)) is not None:
        if request.get("cancel"):
            continue  # it came too late
        work = asyncio.create_task(server.answer(request, writer))
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


@dataclass(frozen=True)
class Server:
    """Answers requests with an agent, loaded with this state of the corpora."""

    agent_for: Factory
    versions: tuple[tuple[int, ...], ...] | None

    async def answer(self, request: Frame, writer: asyncio.StreamWriter) -> None:
        """Do what is asked; the last frame says how it ended."""
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        try:
            if request["step"] == "check":
                ending: Frame = {"current": await self._is_current()}
            else:
                ending = {"state": await self._step(request, writer)}
        except asyncio.CancelledError:
            ending = {"error": "cancelled"}
        except Exception as error:
            ending = _reported(error)
        finally:
            faulthandler.cancel_dump_traceback_later()
        await write_frame(writer, ending)

    async def _is_current(self) -> bool:
        """Whether the agent knows the corpora there are now; otherwise building it again would delay the turn."""
        from corpora.catalogue.imported import state_of_corpora

        return await sync_to_async(state_of_corpora)() == self.versions

    async def _step(self, request: Frame, writer: asyncio.StreamWriter) -> dict[str, Any]:
        from agent.record import TurnState
        from agent.suql import Budget
        from corpora.calls import current_turn
        from hybridchat.systems import arranged

        async def emit(kind: str, payload: dict[str, Any]) -> None:
            await write_frame(writer, {"event": kind, "payload": payload})

        current_turn.set(UUID(request["turn"]) if request["turn"] else None)
        agent = arranged(await sync_to_async(self.agent_for)(request["language"]), request["system"])
        agent = agent.within(Budget(**request["budget"]))
        step = agent.parse_turn if request["step"] == "parse" else agent.execute_turn
        state = await step(TurnState.model_validate(request["state"]), emit)
        return state.model_dump(mode="json")


def _reported(error: Exception) -> Frame:
    """An error as a frame: what the engine has a sentence for, what passes, and what nobody foresaw."""
    from agent.protocols.errors import AgentError
    from hybridchat.guard.failures import is_passing

    if is_passing(error):
        return {"error": "passing", "detail": repr(error)}
    if isinstance(error, AgentError):
        return {"error": "agent", "sentence": error.sentence, "detail": error.detail or repr(error)}
    return {"error": "broke", "detail": "".join(traceback.format_exception(error))[-4000:]}
