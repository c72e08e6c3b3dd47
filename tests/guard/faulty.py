"""A faulty agent that does what the message says: get stuck, die, break, find the database away, or answer."""

from __future__ import annotations

import asyncio
import os
import re

from django.db import OperationalError

from agent.protocols.errors import ModelUnavailable
from agent.record import TurnState
from agent.suql import Budget
from agent.turn import Emit


class FaultyAgent:
    """Implements what the guard asks of `agent.turn.Agent`."""

    def within(self, budget: Budget) -> FaultyAgent:
        return self

    async def parse_turn(self, state: TurnState, emit: Emit) -> TurnState:
        await emit("understood", {"pid": os.getpid()})
        match state.message:
            case "stuck":
                re.match(r"(x+x+)+y", "x" * 60)  # holds the interpreter for longer than anybody would wait
            case "die":
                os._exit(1)
            case "break":
                raise ZeroDivisionError("a bug")
            case "away":
                raise OperationalError("the server closed the connection unexpectedly")
            case "refuse":
                raise ModelUnavailable("The language model does not answer.", "timed out")
            case "wait":
                await asyncio.sleep(60)
        return state.model_copy(update={"message": f"{state.message}, understood"})

    async def execute_turn(self, state: TurnState, emit: Emit) -> TurnState:
        return state


def agent_for(language: str) -> FaultyAgent:
    return FaultyAgent()
