"""The model alone, a baseline: it answers from what it knows and from what was said, and looks nothing up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from agent.language import Reply, UnderstandRequest
from agent.protocols.errors import AgentError
from agent.record import TurnState
from agent.systems.unparsed import Unparsed
from agent.turn import Emit


@runtime_checkable
class Converser(Protocol):
    """A language that can hold a conversation by itself."""

    async def converse(self, request: UnderstandRequest) -> Reply: ...


@dataclass(frozen=True)
class EndToEnd(Unparsed):
    """An agent that hands the conversation to the model and passes its reply on."""

    async def execute_turn(self, state: TurnState, emit: Emit) -> TurnState:
        """Has the model answer. Raises AgentError where there is none."""
        if not isinstance(self.language, Converser):
            raise AgentError("This assistant needs a language model, and none is connected.")
        request = UnderstandRequest(message=state.message, conversation=state.conversation)
        reply = await self.language.converse(request)
        await emit("replied", reply.model_dump(mode="json"))
        return state.model_copy(update={"reply": reply})
