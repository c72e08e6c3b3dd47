"""Fixtures: conversations as the chat stores them, to be exported, annotated and run again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache

from agent.language import Conversation as Context
from agent.record import Outcome, TurnState
from agent.worksheets.state import DialogueState, Instance, Slot, SlotStatus
from corpora.models import ModelCall
from hybridchat import talk as talks
from hybridchat.chat import leases, services
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.owners import Owner, key_of
from tests.chat import fakes

Answer = Callable[..., Turn]


@pytest.fixture(autouse=True)
def lies_in_a_folder_of_its_own(settings: Any, tmp_path: Path, transactional_db: None) -> None:
    settings.VAR = tmp_path / "var"
    cache.clear()


@pytest.fixture
def answer() -> Answer:
    """Stores an answered turn, of a new conversation unless one is given; `given` are values of a form by field."""

    def store(
        message: str, *, conversation: Conversation | None = None, owner: str = "a session", **given: str
    ) -> Turn:
        owned = conversation or services.new_conversation(Owner(key_of(owner)), "restaurants")
        turn, _ = services.receive(owned, uuid4(), message)
        leases.take(turn.pk, "me")
        query = fakes.query_for(message)
        outcome = Outcome(query=query, columns=("name",), rows=(fakes.card(1), fakes.card(2)), usage={"calls": 3})
        slots = {name: Slot(status=SlotStatus.SET, value=value) for name, value in given.items()}
        booking = Instance(name="book_restaurant_1", worksheet="BookRestaurant", slots=slots)
        state = TurnState(
            message=message,
            conversation=fakes.conversation_for(turn).model_copy(update={"id": str(owned.pk)}),
            queries=(query,),
            outcomes=(outcome,),
            dialogue=DialogueState(application="restaurants", instances=(booking,)) if given else None,
            reply={"text": f"Here is what I found for {message}", "suggestions": ["Something cheaper"]},
        ).model_dump(mode="json")
        leases.append_event(turn.pk, "me", "outcome", {"query": 0, "outcome": state["outcomes"][0]})
        leases.append_event(turn.pk, "me", "replied", state["reply"])
        leases.finish(turn.pk, "me", state, {"done": 12.5}, {"calls": 3})
        ModelCall.objects.create(turn=turn.pk, task="answer", model="small", prompt_tokens=10, cost=0.25)
        turn.refresh_from_db()
        return turn

    return store


@pytest.fixture
def talk(answer: Answer) -> Turn:
    """The last turn of a conversation of three, which was rated, and which gave an e-mail address and a name."""
    first = answer("somewhere romantic in Palo Alto for two of us tomorrow evening")
    answer("a cheaper one, please", conversation=first.conversation)
    last = answer(
        "I am Ada Byron, ada@example.org",
        conversation=first.conversation,
        full_name="Ada Byron",
        email="ada@example.org",
    )
    services.give_feedback(last, -1, "=wrong, call +1 650 555 0100")
    return last


@pytest.fixture(autouse=True)
def without_corpora(monkeypatch: pytest.MonkeyPatch) -> None:
    """Conversations are understood against nothing: no corpus is loaded here."""

    def conversation_for(assistant: str, states: object, now: object, dialogue: object, name: str) -> object:
        return Context(id=name, assistant=assistant, tables=("restaurants",), now=datetime(2026, 11, 20, tzinfo=UTC))

    monkeypatch.setattr(talks, "conversation_for", conversation_for)
