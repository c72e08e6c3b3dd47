"""Our agent that falls back to the model alone where a search finds nothing (BlendSQL, section 5.1)."""

from __future__ import annotations

from dataclasses import dataclass

from agent.language import Reply, UnderstandRequest
from agent.protocols.errors import AgentError
from agent.record import TurnState
from agent.systems.end_to_end import Converser
from agent.turn import WAITING, Agent, Emit


@dataclass(frozen=True)
class Fallback(Agent):
    """An agent whose model answers from what it knows wherever every query of a turn failed or was empty."""

    async def parse_turn(self, state: TurnState, emit: Emit) -> TurnState:
        """Stages 1 and 2. Raises AgentError where there is no model to fall back to."""
        if not isinstance(self.language, Converser):
            raise AgentError("This assistant needs a language model, and none is connected.")
        return await super().parse_turn(state, emit)

    async def _reply(self, state: TurnState, emit: Emit) -> Reply:
        if not fell_short(state) or not isinstance(self.language, Converser):
            return await super()._reply(state, emit)
        request = UnderstandRequest(message=state.message, conversation=state.conversation)
        return await self.language.converse(request)


def fell_short(state: TurnState) -> bool:
    """Whether there was something to look up, and nothing was found; a form that is being filled in is no question."""
    in_a_form = state.effects or any(act.act in WAITING for act in state.acts)
    return bool(state.outcomes) and not in_a_form and all(one.error or not one.rows for one in state.outcomes)
