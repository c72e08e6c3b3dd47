"""`agent.turn.Agent` from the outside: the same steps, done by a mind that can be ended."""

from __future__ import annotations

import asyncio
import dataclasses
from dataclasses import dataclass, field

from django.conf import settings

from agent.errors import AgentError
from agent.record import TurnState
from agent.suql import Budget
from agent.turn import Emit
from corpora.calls import current_turn
from hybridchat.guard.failures import MindBroke, Passing
from hybridchat.guard.nursery import Nursery, nursery
from hybridchat.guard.wire import Frame


def own_budget() -> Budget:
    """What the settings let a query spend."""
    return Budget(seconds=settings.QUERY_SECONDS, calls=settings.QUERY_CALLS)


@dataclass(frozen=True)
class GuardedAgent:
    """The agent that speaks a language, in a process of its own. Cancelling a step ends it there, if need be by force.

    The steps raise AgentError as the agent does, `Passing` where something was away, `MindDied` where the process
    ended, and `MindBroke` for errors that nobody foresaw.
    """

    language: str
    nursery: Nursery = field(default_factory=nursery)
    budget: Budget = field(default_factory=own_budget)

    async def ready(self) -> None:
        """Return when a mind is there to think; it may have to load first."""
        await self.nursery.mind()

    def within(self, budget: Budget) -> GuardedAgent:
        """The same agent, whose queries may spend that much."""
        return dataclasses.replace(self, budget=budget)

    async def parse_turn(self, state: TurnState, emit: Emit) -> TurnState:
        """Stages 1 and 2."""
        return await self._step("parse", state, emit)

    async def execute_turn(self, state: TurnState, emit: Emit) -> TurnState:
        """Run the queries, decide, and put it all into words."""
        return await self._step("execute", state, emit)

    async def _step(self, step: str, state: TurnState, emit: Emit) -> TurnState:
        mind = await self.nursery.mind()
        turn = current_turn.get()
        request = {
            "step": step,
            "language": self.language,
            "budget": dataclasses.asdict(self.budget),
            "turn": str(turn) if turn else "",
            "state": state.model_dump(mode="json"),
        }
        try:
            await mind.send(request)
            while True:
                frame = await mind.receive()
                if "event" in frame:
                    await emit(frame["event"], frame["payload"])
                elif "state" in frame:
                    return TurnState.model_validate(frame["state"])
                else:
                    break
        except BaseException:
            if not mind.gone:
                await asyncio.shield(mind.interrupt())
            raise
        raise _error(frame)


def _error(frame: Frame) -> Exception:
    detail: str = frame.get("detail", "")
    match frame["error"]:
        case "agent":
            return AgentError(frame["sentence"], detail)
        case "passing":
            return Passing(detail)
    return MindBroke(detail)
