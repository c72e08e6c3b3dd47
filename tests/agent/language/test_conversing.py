"""The model alone: it is given the talk, and what it says is the reply."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from agent.backends.openai import OpenAILanguage
from agent.catalogue.values import ValueMemory
from agent.language import Conversation, PastTurn
from agent.protocols.errors import AgentError
from agent.record import TurnState
from agent.suql import Catalogue
from agent.suql.correction import Corrector
from agent.systems.end_to_end import EndToEnd
from tests.agent.language.model_server import ModelServer, Say

NOTHING = Catalogue(tables=(), foreign_keys=(), schema="kb")
TALK = Conversation(
    assistant="places",
    tables=(),
    past=(PastTurn(user="something by the sea", agent="Try The Pier."),),
    now=datetime(2026, 11, 20, 10),
)


async def turn(language: Any) -> tuple[TurnState, list[str]]:
    agent: Any = EndToEnd(language, None, NOTHING, Corrector(NOTHING, ValueMemory({})))  # type: ignore[arg-type]
    told: list[str] = []

    async def emit(kind: str, payload: dict[str, Any]) -> None:
        told.append(kind)

    state = await agent.parse_turn(TurnState(message="is it dear?", conversation=TALK), emit)
    return await agent.execute_turn(state, emit), told


async def test_the_model_answers_from_the_talk_alone(server: ModelServer, speak: Callable[..., OpenAILanguage]) -> None:
    server.will(Say(json.dumps({"text": "Not very."})))
    async with speak() as language:
        done, told = await turn(language)
    assert done.reply is not None
    assert done.reply.text == "Not very."
    assert told == ["understood", "parsed", "replied"]
    assert "Try The Pier." in str(server.requests[0]["messages"])
    assert len(server.requests) == 1


async def test_without_a_model_it_says_that_it_needs_one() -> None:
    with pytest.raises(AgentError, match="needs a language model"):
        await turn(object())
