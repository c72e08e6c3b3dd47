"""Conversations, turns and owners to test with, and an agent that does what the message says."""

from __future__ import annotations

import time
from collections.abc import Iterator
from uuid import uuid4

import pytest
from channels.layers import channel_layers
from django.core.cache import cache
from django.db import connection

from hybridchat.chat import leases, runner, services
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.owners import Owner, key_of
from tests.chat import fakes

QUIET_WITHIN = 5.0  # seconds


@pytest.fixture
def owner() -> Owner:
    return Owner(key_of("a session's token"))


@pytest.fixture
def conversation(transactional_db: None, owner: Owner) -> Iterator[Conversation]:
    yield services.new_conversation(owner, "restaurants")
    until_nobody_queries()


def until_nobody_queries() -> None:
    """Wait for the queries of threads that outlived their test: emptying the tables beside them may be a deadlock."""
    until = time.monotonic() + QUIET_WITHIN
    with connection.cursor() as cursor:
        while time.monotonic() < until:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'"
            )
            if cursor.fetchone() == (0,):
                return
            time.sleep(0.02)


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
