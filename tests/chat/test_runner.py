"""Working on a turn, in this process."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from datetime import timedelta
from types import FrameType
from typing import Any
from uuid import uuid4

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError
from psycopg_pool import PoolTimeout
from redis.exceptions import ConnectionError as RedisConnectionError

from hybridchat.chat import leases, limits, runner, services, tasks
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.overrides import Overrides
from hybridchat.chat.owners import Owner
from hybridchat.chat.threads import beating, in_thread
from hybridchat.variants import Variant
from tests.chat import fakes

PATIENCE = 10.0


def kinds(turn: Turn) -> list[str]:
    return list(turn.events.order_by("seq").values_list("kind", flat=True))


def saying(conversation: Conversation, message: str) -> Turn:
    return services.receive(conversation, uuid4(), message)[0]


async def working_on(turn: Turn, until: str) -> asyncio.Task[None]:
    """Work on the turn that has come to an event of a kind."""
    work = asyncio.create_task(runner.work_on(turn.pk))
    for _ in range(int(PATIENCE / 0.05)):
        if until in await in_thread(kinds, turn):
            return work
        await asyncio.sleep(0.05)
    raise AssertionError(f"no {until} came")


async def test_a_process_that_shuts_down_gives_its_turn_back(conversation: Conversation, scripted: None) -> None:
    turn = await in_thread(saying, conversation, "slow-parse")
    work = await working_on(turn, until="understood")
    work.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await work
    await in_thread(turn.refresh_from_db)
    assert (turn.status, turn.lease_holder) == (Turn.Status.PARSING, "")
    assert await in_thread(tasks.sweep) == 1


def test_a_turn_is_answered_by_the_variant_that_its_conversation_overrides(
    owner: Owner, transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(runner, "agent_for", lambda name: asked.append(name) or fakes.ScriptedAgent())
    pinned = Overrides(language="builtin", few_shot="none", memory=False)
    turn = saying(services.new_conversation(owner, "restaurants", overrides=pinned), "hello")
    asyncio.run(runner.work_on(turn.pk))
    assert [Variant.of(name) for name in asked] == [Variant(language="builtin", few_shot="none", memory=False)]
    turn.refresh_from_db()
    assert turn.configuration is not None
    assert turn.configuration.document["variant"] == {"few_shot": "none", "memory": False}


def test_a_task_that_runs_twice_does_its_effect_once(turn: Turn, scripted: None) -> None:
    tasks.execute_turn(str(turn.pk))
    tasks.execute_turn(str(turn.pk))
    assert [kinds(turn).count(kind) for kind in ("understood", "replied", "done")] == [1, 1, 1]


def test_a_task_that_reaches_celerys_time_limit_gives_its_turn_back(
    conversation: Conversation, scripted: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = saying(conversation, "slow rows=90")

    def too_late(_: int, frame: FrameType | None) -> None:
        while frame is not None:  # what is raised inside a callback, the event loop logs and forgets
            if frame.f_code is asyncio.Handle._run.__code__:
                signal.setitimer(signal.ITIMER_REAL, 0.01)
                return
            frame = frame.f_back
        raise SoftTimeLimitExceeded

    before = signal.signal(signal.SIGALRM, too_late)
    signal.setitimer(signal.ITIMER_REAL, 1.0)
    try:
        with pytest.raises(SoftTimeLimitExceeded):
            tasks.execute_turn(str(turn.pk))
    finally:
        signal.signal(signal.SIGALRM, before)
    turn.refresh_from_db()
    assert (turn.status, turn.lease_holder) == (Turn.Status.EXECUTING, "")
    Turn.objects.filter(pk=turn.pk).update(state=turn.state | {"message": "quick"})
    tasks.execute_turn(str(turn.pk))  # the same loop goes on working
    turn.refresh_from_db()
    assert turn.status == Turn.Status.DONE


async def test_two_workers_at_once_do_the_effect_once(turn: Turn, scripted: None) -> None:
    await asyncio.gather(*(runner.work_on(turn.pk) for _ in range(4)))
    assert [(await in_thread(kinds, turn)).count(kind) for kind in ("understood", "replied", "done")] == [1, 1, 1]


def test_a_task_for_a_turn_that_was_deleted_does_nothing(turn: Turn, scripted: None) -> None:
    services.delete(turn.conversation)
    tasks.execute_turn(str(turn.pk))
    assert not Turn.objects.exists()


async def test_deleting_a_conversation_ends_the_work_on_it(conversation: Conversation, scripted: None) -> None:
    turn = await in_thread(saying, conversation, "slow rows=90")
    work = await working_on(turn, until="row")
    await in_thread(services.delete, conversation)
    await asyncio.wait_for(work, PATIENCE)


async def test_who_finds_the_turn_taken_over_leaves_it_alone(conversation: Conversation, scripted: None) -> None:
    turn = await in_thread(saying, conversation, "slow rows=90")
    work = await working_on(turn, until="row")
    await in_thread(Turn.objects.filter(pk=turn.pk).update, lease_holder="another")
    await asyncio.wait_for(work, PATIENCE)
    await in_thread(turn.refresh_from_db)
    assert (turn.status, turn.lease_holder) == (Turn.Status.EXECUTING, "another")


def test_earlier_turns_are_what_a_new_one_is_understood_against(conversation: Conversation, scripted: None) -> None:
    for message in ("first", "second"):
        tasks.execute_turn(str(services.receive(conversation, uuid4(), message)[0].pk))
    past = conversation.turns.get(position=2).state["conversation"]["past"]
    assert [one["user"] for one in past] == ["first"]
    assert past[0]["queries"][0]["keys"] == ["place-0", "place-1"]


def test_a_search_without_a_constraint_is_not_parsed_again(
    conversation: Conversation, scripted: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks.execute_turn(str(services.receive(conversation, uuid4(), "first")[0].pk))
    monkeypatch.setattr(services, "relieved", lambda query, chip: query.model_copy(update={"suql": "SELECT 1"}))
    again, _ = services.search_without(conversation.turns.get(), uuid4(), 0, "c0")
    tasks.execute_turn(str(again.pk))
    assert "understood" not in kinds(again)
    again.refresh_from_db()
    assert again.state["outcomes"][0]["query"]["suql"] == "SELECT 1"


def test_a_turn_that_met_a_database_that_was_away_is_answered_afterwards(
    turn: Turn, scripted: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "AWAY", timedelta(0))
    append, away = leases.append_event, [OperationalError("the server closed the connection"), PoolTimeout("too long")]

    def sometimes(*arguments: Any) -> int:
        if away:
            raise away.pop()
        return append(*arguments)

    monkeypatch.setattr(leases, "append_event", sometimes)
    for _ in range(3):
        assert not kinds(turn).count("done")
        tasks.execute_turn(str(turn.pk))
    turn.refresh_from_db()
    assert (turn.status, turn.failures) == (Turn.Status.DONE, 0)


def test_without_redis_a_turn_is_answered_all_the_same(
    turn: Turn, scripted: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Away:
        async def new_channel(self) -> str:
            raise RedisConnectionError("connection refused")

    monkeypatch.setattr(runner, "get_channel_layer", Away)
    tasks.execute_turn(str(turn.pk))
    assert kinds(turn)[-1] == "done"


def test_a_heartbeat_stops_when_it_is_told_that_there_is_no_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hybridchat.chat.limits.HEARTBEAT", 0.01)
    beats: list[bool] = []

    def beat() -> bool:
        beats.append(len(beats) < 2)
        return beats[-1]

    with beating(beat):
        asyncio.run(asyncio.sleep(0.3))
    assert beats == [True, True, False]


def test_a_worker_takes_nothing_that_another_has(held: Turn, scripted: None) -> None:
    tasks.execute_turn(str(held.pk))
    assert kinds(held) == ["received"]
    assert leases.renew(held.pk, "me") is leases.Standing.HELD
