"""A message can get stuck, or end its agent process, and costs only the person who sent it."""

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

from agent.language import Conversation as Context
from agent.protocols.errors import AgentError
from agent.record import TurnState
from hybridchat import services as servers
from hybridchat.chat import leases, limits, runner, services, tasks
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.owners import Owner, key_of
from hybridchat.guard.agent import GuardedAgent
from hybridchat.guard.failures import Passing, ProcessBroke, ProcessDied
from hybridchat.guard.fork_server import ForkServer
from hybridchat.services.folder import CHECKOUT
from tests.chat.fakes import conversation_for

pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def fork_server(django_db_setup: None) -> Iterator[ForkServer]:
    database = servers.postgres().server.database_url(connection.settings_dict["NAME"])
    kept = ForkServer("tests.guard.faulty.agent_for", {**os.environ, "DATABASE_URL": database})
    yield kept
    kept.close()


@pytest.fixture
def agent(fork_server: ForkServer) -> GuardedAgent:
    return GuardedAgent("builtin", fork_server)


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


async def test_steps_run_in_an_agent_process_that_is_kept(agent: GuardedAgent) -> None:
    first, second = await parsed(agent, "hello"), await parsed(agent, "hello")
    assert first == second
    assert first[0] == "hello, understood"
    assert first[1] != os.getpid()


async def test_a_stuck_process_is_killed_and_replaced_at_once(agent: GuardedAgent) -> None:
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


async def test_a_process_whose_work_was_cancelled_does_the_next(agent: GuardedAgent) -> None:
    _, pid = await parsed(agent, "hello")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await parsed(agent, "wait")
    assert await parsed(agent, "hello") == ("hello, understood", pid)


@pytest.mark.parametrize(
    ("message", "error"),
    [("die", ProcessDied), ("break", ProcessBroke), ("away", Passing), ("refuse", AgentError)],
)
async def test_how_a_process_failed_is_reported(agent: GuardedAgent, message: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        await parsed(agent, message)
    assert (await parsed(agent, "hello"))[0] == "hello, understood"


def test_a_fork_server_that_cannot_load_ends_with_its_worker() -> None:
    environment = {**os.environ, "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing"}
    kept = ForkServer("tests.guard.faulty.agent_for", environment)
    inner = kept.inner.fileno()
    command = [sys.executable, "-m", "hybridchat.guard.forking", str(inner), "tests.guard.faulty.agent_for"]
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
