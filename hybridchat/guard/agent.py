"""`agent.turn.Agent` from the outside: the same steps, done in a process that can be ended."""

from __future__ import annotations

import asyncio
import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.conf import settings

from agent.protocols.errors import AgentError
from agent.record import TurnState
from agent.suql import Budget
from corpora.calls import current_turn
from hybridchat.guard.failures import Passing, ProcessBroke
from hybridchat.guard.fork_server import ForkServer, fork_server
from hybridchat.guard.process import AgentProcess
from hybridchat.guard.wire import Frame

if TYPE_CHECKING:
    from agent.turn import Emit

STUCK = "This took longer than {seconds:.0f} seconds, so I stopped."


def settings_budget() -> Budget:
    """What the settings let a query spend."""
    return Budget(seconds=settings.QUERY_SECONDS, calls=settings.QUERY_CALLS)


@dataclass(frozen=True)
class GuardedAgent:
    """The agent that speaks a language, or the `system` made of its parts, in a process of its own. Cancelling a step
    cancels it there, or ends it.

    The steps raise AgentError as the agent does, `Passing` if something was away for a moment, `ProcessDied` if the
    process ended, and `ProcessBroke` for errors that nobody foresaw. A step that takes more than `longest` seconds is
    ended with an AgentError; without, whoever asks cancels it.
    """

    language: str
    fork_server: ForkServer = field(default_factory=fork_server)
    budget: Budget = field(default_factory=settings_budget)
    longest: float | None = None
    system: str = "suql"

    async def ready(self) -> None:
        """Return when there is an agent process that knows the corpora there are now; it may have to load first."""
        while not await self._is_current(process := await self.fork_server.process()):
            process.kill()

    def within(self, budget: Budget) -> GuardedAgent:
        """Return the same agent, whose queries may spend that much."""
        return dataclasses.replace(self, budget=budget)

    async def parse_turn(self, state: TurnState, emit: Emit) -> TurnState:
        """Stages 1 and 2."""
        return await self._step("parse", state, emit)

    async def execute_turn(self, state: TurnState, emit: Emit) -> TurnState:
        """Run the queries, decide, and put it all into words."""
        return await self._step("execute", state, emit)

    async def _is_current(self, process: AgentProcess) -> bool:
        ending = await _asked(process, {"step": "check"})
        return bool(ending["current"])

    async def _step(self, step: str, state: TurnState, emit: Emit) -> TurnState:
        turn = current_turn.get()
        request = {
            "step": step,
            "language": self.language,
            "system": self.system,
            "budget": dataclasses.asdict(self.budget),
            "turn": str(turn) if turn else "",
            "state": state.model_dump(mode="json"),
        }
        process = await self.fork_server.process()
        try:
            async with asyncio.timeout(self.longest):
                ending = await _asked(process, request, emit)
        except TimeoutError as error:
            raise AgentError(STUCK.format(seconds=self.longest), f"while it was to {step}") from error
        return TurnState.model_validate(ending["state"])


async def _asked(process: AgentProcess, request: Frame, emit: Emit | None = None) -> Frame:
    """Send a request, pass its events on, and return the last frame. Raises the error that it reports."""
    try:
        await process.send(request)
        while "event" in (frame := await process.receive()):
            if emit is not None:
                await emit(frame["event"], frame["payload"])
    except BaseException:
        if not process.killed:
            await asyncio.shield(process.interrupt())
        raise
    if "error" in frame:
        raise _error(frame)
    return frame


def _error(frame: Frame) -> Exception:
    detail: str = frame.get("detail", "")
    match frame["error"]:
        case "agent":
            return AgentError(frame["sentence"], detail)
        case "passing":
            return Passing(detail)
    return ProcessBroke(detail)
