"""An agent whose model decides by itself what to look up: no message is parsed before the model sees it."""

from __future__ import annotations

from dataclasses import dataclass

from agent.language import Understanding
from agent.record import TurnState
from agent.turn import Agent, Emit


@dataclass(frozen=True)
class Unparsed(Agent):
    """An agent without stages 1 and 2."""

    async def parse_turn(self, state: TurnState, emit: Emit) -> TurnState:
        """Return the turn with nothing understood and no query."""
        understanding = Understanding()
        await emit("understood", understanding.model_dump(mode="json"))
        await emit("parsed", {"queries": []})
        return state.model_copy(update={"understanding": understanding, "queries": ()})
