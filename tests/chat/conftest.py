"""Conversations, turns and owners to test with, and an agent that does what the message says."""

from __future__ import annotations

from uuid import uuid4

import pytest
from channels.layers import channel_layers
from django.core.cache import cache

from hybridchat.chat import leases, runner, services
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.owners import Owner, key_of
from tests.chat import fakes


@pytest.fixture
def owner() -> Owner:
    return Owner(key_of("a session's token"))


@pytest.fixture
def conversation(transactional_db: None, owner: Owner) -> Conversation:
    return services.new_conversation(owner, "restaurants")


@pytest.fixture
def turn(conversation: Conversation) -> Turn:
    return services.receive(conversation, uuid4(), "somewhere romantic")[0]


@pytest.fixture
def held(turn: Turn) -> Turn:
    """A turn that the process "me" works on."""
    taken = leases.take(turn.pk, "me")
    assert taken is not None
    return taken


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process answers with the scripted agent."""
    monkeypatch.setattr(runner, "agent_for", lambda language: fakes.ScriptedAgent())
    monkeypatch.setattr(runner, "conversation_for", fakes.conversation_for)


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """What earlier tests sent does not count against anybody."""
    cache.clear()


@pytest.fixture(autouse=True)
def fresh_channel_layer() -> None:
    """A channel layer of its own for each test: its locks belong to the event loop that first waited for them."""
    channel_layers.backends.clear()
