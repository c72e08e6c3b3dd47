"""A message can get stuck, or end the process that thinks, and costs nobody but who sent it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import psutil
import pytest
from django.db import connection

from agent.errors import AgentError
from agent.language.tasks import Conversation as Context
from agent.record import TurnState
from hybridchat import services as servers
from hybridchat.chat import leases, limits, runner, services, tasks
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.owners import Owner, key_of
from hybridchat.guard.agent import GuardedAgent
from hybridchat.guard.failures import MindBroke, MindDied, Passing
from hybridchat.guard.nursery import Nursery
from hybridchat.services.folder import CHECKOUT
from tests.chat.fakes import conversation_for

pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def nursery(django_db_setup: None) -> Iterator[Nursery]:
    database = servers.postgres().server.database_url(connection.settings_dict["NAME"])
    kept = Nursery("tests.guard.thinkers.agent_for", {**os.environ, "DATABASE_URL": database})
    yield kept
    kept.close()


@pytest.fixture
def agent(nursery: Nursery) -> GuardedAgent:
    return GuardedAgent("builtin", nursery)


def saying(message: str) -> TurnState:
    return TurnState(
        message=message, conversation=Context(assistant="", tables=(), now=datetime(2026, 11, 20, tzinfo=UTC))
    )


async def parsed(agent: GuardedAgent, message: str) -> tuple[str, int]:
    """The message as it was understood, and the process that did so."""
    said: list[dict[str, Any]] = []

    async def emit(kind: str, payload: dict[str, Any]) -> None:
        said.append(payload)

    state = await agent.parse_turn(saying(message), emit)
    return state.message, said[0]["pid"]


async def test_a_mind_thinks_in_a_process_of_its_own_and_is_kept(agent: GuardedAgent) -> None:
    first, second = await parsed(agent, "hello"), await parsed(agent, "hello")
    assert first == second
    assert first[0] == "hello, understood"
    assert first[1] != os.getpid()


async def test_a_stuck_mind_is_ended_and_the_next_is_there_at_once(agent: GuardedAgent) -> None:
    _, pid = await parsed(agent, "hello")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await parsed(agent, "stuck")
    for _ in range(100):
        if not psutil.pid_exists(pid):
            break
        await asyncio.sleep(0.05)
    assert not psutil.pid_exists(pid)
    message, other = await parsed(agent, "hello")
    assert (message, other != pid) == ("hello, understood", True)


async def test_a_mind_that_lets_go_of_its_work_goes_on_with_the_next(agent: GuardedAgent) -> None:
    _, pid = await parsed(agent, "hello")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await parsed(agent, "wait")
    assert await parsed(agent, "hello") == ("hello, understood", pid)


@pytest.mark.parametrize(
    ("message", "error"),
    [("die", MindDied), ("break", MindBroke), ("away", Passing), ("refuse", AgentError)],
)
async def test_how_a_mind_failed_is_told(agent: GuardedAgent, message: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        await parsed(agent, message)
    assert (await parsed(agent, "hello"))[0] == "hello, understood"


def test_a_nursery_that_cannot_load_ends_with_who_started_it() -> None:
    environment = {**os.environ, "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing"}
    kept = Nursery("tests.guard.thinkers.agent_for", environment)
    inner = kept.inner.fileno()
    command = [sys.executable, "-m", "hybridchat.guard.mind", str(inner), "tests.guard.thinkers.agent_for"]
    with subprocess.Popen(command, pass_fds=[inner], env=environment, cwd=CHECKOUT) as process:
        kept.close()
        assert process.wait(120) == 0


@pytest.fixture
def conversation(transactional_db: None, agent: GuardedAgent, monkeypatch: pytest.MonkeyPatch) -> Conversation:
    """A conversation that this process answers, with a guarded agent."""
    monkeypatch.setattr(runner, "agent_for", lambda language: agent)
    monkeypatch.setattr(runner, "conversation_for", conversation_for)
    return services.new_conversation(Owner(key_of("somebody")), "restaurants")


def test_a_message_that_gets_stuck_costs_one_clear_error(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "UNDERSTANDING_LIMIT", 1.0)
    turn, _ = services.receive(conversation, uuid4(), "stuck")
    tasks.execute_turn(str(turn.pk))
    turn.refresh_from_db()
    assert turn.status == Turn.Status.FAILED
    assert "could not work out within 1 seconds what this asks for" in turn.error
    assert "language model" not in turn.error


@pytest.mark.parametrize("message", ["die", "break"])
def test_a_turn_that_fails_by_itself_is_given_up_at_the_second_time(conversation: Conversation, message: str) -> None:
    turn, _ = services.receive(conversation, uuid4(), message)
    tasks.execute_turn(str(turn.pk))
    turn.refresh_from_db()
    assert (turn.running, turn.failures) == (True, 1)
    tasks.execute_turn(str(turn.pk))
    turn.refresh_from_db()
    assert (turn.status, turn.error) == (Turn.Status.FAILED, runner.BROKEN)


def test_a_turn_is_given_back_when_the_database_was_away(conversation: Conversation) -> None:
    turn, _ = services.receive(conversation, uuid4(), "away")
    tasks.execute_turn(str(turn.pk))
    turn.refresh_from_db()
    assert (turn.running, turn.lease_holder, turn.failures, turn.attempts) == (True, "", 0, 0)


async def test_stop_ends_a_stuck_message(conversation: Conversation) -> None:
    turn, _ = await runner.in_thread(services.receive, conversation, uuid4(), "stuck")
    began = time.monotonic()
    work = asyncio.create_task(runner.work_on(turn.pk))
    while not await runner.in_thread(turn.events.filter(kind="understood").exists):
        await asyncio.sleep(0.05)
        assert time.monotonic() - began < 60
    await runner.in_thread(services.request_stop, turn)
    await asyncio.wait_for(work, 8)
    await runner.in_thread(turn.refresh_from_db)
    assert turn.status == Turn.Status.STOPPED
    assert await runner.in_thread(leases.take_next, "another") is None
