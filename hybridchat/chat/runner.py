"""Working on a turn, in a worker.

The worker takes the turn's lease, has an agent process do the steps that are due (`hybridchat.guard`), and
stores what happens as it happens. A thread beside the work renews the lease, and a task listens for Stop; when it
hears it, or finds the lease lost, the work is cancelled, which also cancels what it asked of the database and of
language models, or ends the process that is stuck.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import UUID

from channels.layers import get_channel_layer
from django.utils import timezone
from pydantic import TypeAdapter
from redis.exceptions import RedisError

from agent.protocols.errors import AgentError
from agent.record import TurnState
from agent.worksheets.statements import Statement
from corpora.calls import current_turn
from hybridchat.chat import allowance, hints, leases, limits, selectors
from hybridchat.chat.errors import LeaseLost
from hybridchat.chat.holders import new_holder
from hybridchat.chat.journal import Journal
from hybridchat.chat.leases import Standing
from hybridchat.chat.models import Turn
from hybridchat.chat.overrides import overrides_of
from hybridchat.chat.owners import Owner
from hybridchat.chat.threads import beating, in_thread
from hybridchat.guard.agent import GuardedAgent
from hybridchat.guard.failures import ProcessBroke, ProcessDied, is_passing

if TYPE_CHECKING:
    from agent.language import Conversation
    from agent.suql import Budget

logger = logging.getLogger(__name__)

TOO_LONG = "This took longer than {seconds:.0f} seconds, so I stopped. A narrower question may be quicker."
NOT_UNDERSTOOD = (
    "I could not work out within {seconds:.0f} seconds what this asks for, so I stopped. "
    "Fewer words, or one question at a time, may help."
)
BROKEN = "Something went wrong on our side while I worked on this. Please try again."


async def work_on_next() -> bool:
    """Take up the turn whose turn it is, and bring it to its end; False if nobody waits."""
    holder = new_holder("worker")
    turn = await in_thread(leases.take_next, holder)
    if turn is not None:
        await _work(turn, holder)
    return turn is not None


async def work_on(turn_id: UUID) -> None:
    """Take this turn up where it stands and bring it to its end; nothing where another works on it."""
    holder = new_holder("worker")
    turn = await in_thread(leases.take, turn_id, holder)
    if turn is not None:
        await _work(turn, holder)


async def _work(turn: Turn, holder: str) -> None:
    began = time.monotonic()
    with beating(lambda: leases.renew(turn.pk, holder) is not Standing.LOST):
        await _watched(turn, holder)
    logger.info("worked on turn %s for %.2f s", turn.pk, time.monotonic() - began)


async def _watched(turn: Turn, holder: str) -> None:
    """Work on the turn until it is done, stopped or taken over by another process."""
    turn_id = turn.pk
    work = asyncio.create_task(_guarded(turn, holder))
    watch = asyncio.create_task(_until_stopped(turn_id, holder))
    try:
        await asyncio.wait({work, watch}, return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            work.result()
        else:
            await _cancelled(work)
            if watch.result() is Standing.STOP:
                with contextlib.suppress(LeaseLost):  # the last step was finished before the news arrived
                    await in_thread(leases.stop, turn_id, holder)
    except asyncio.CancelledError:
        await _cancelled(work)
        await in_thread(leases.release, turn_id, holder)
        raise
    finally:
        await _cancelled(watch)


def agent_for(language: str) -> GuardedAgent:
    """Return the agent, which runs in a process that can be ended."""
    return GuardedAgent(language)


def conversation_for(turn: Turn) -> Conversation:
    """Return what the turn is understood against."""
    from hybridchat import agents

    now = timezone.localtime(turn.created)
    dialogue = selectors.dialogue_before(turn)
    past = selectors.past_states(turn)
    return agents.conversation_for(turn.conversation.assistant, past, now, dialogue, str(turn.conversation_id))


async def _steps(turn: Turn, holder: str) -> None:
    """Parse if that is due, then search."""
    arm = overrides_of(turn.conversation)
    agent = agent_for(arm.spoken(turn.conversation.language))
    if arm.system != "suql":
        agent = replace(agent, system=arm.system)
    await agent.ready()
    current_turn.set(turn.pk)
    state = await in_thread(_opening, turn)
    journal = Journal(turn, holder, state)
    if turn.status == Turn.Status.PARSING:
        journal.mark("parsing")
        async with asyncio.timeout(limits.of_understanding(turn.conversation.language)):
            state = await agent.parse_turn(state, journal.emit)
        journal.mark("parsed")
        await in_thread(leases.go_on, turn.pk, holder, _plain(state), journal.timings)
        turn.status = Turn.Status.EXECUTING
    journal.mark("executing")
    budget = await in_thread(_budget, turn, agent.budget)
    async with asyncio.timeout(limits.STEP_LIMIT):
        state = await agent.within(budget).execute_turn(state, journal.emit)
    journal.mark("done")
    await in_thread(leases.finish, turn.pk, holder, _plain(state), journal.timings, _usage(state))


def _budget(turn: Turn, budget: Budget) -> Budget:
    """What a query of the turn may spend: of the agent's budget, what the owner's day leaves."""
    conversation = turn.conversation
    owner = Owner(conversation.owner_key, conversation.user_id)
    return allowance.left(owner, conversation.language, budget)


def _opening(turn: Turn) -> TurnState:
    """The turn as it was stored last, or as it begins."""
    if turn.state:
        return TurnState.model_validate(turn.state)
    given = TypeAdapter(tuple[Statement, ...]).validate_python(turn.given)
    return TurnState(message=turn.message, conversation=conversation_for(turn), given=given)


async def _guarded(turn: Turn, holder: str) -> None:
    """Do the steps; whatever goes wrong ends the turn with a sentence, or gives it back to be tried again."""
    turn_id = turn.pk
    try:
        await _steps(turn, holder)
    except LeaseLost:
        logger.info("turn %s was taken over while %s worked on it", turn_id, holder)
    except Exception as error:
        await _written_down(_failure(turn, error), turn_id, holder)


def _failure(turn: Turn, error: Exception) -> Callable[[UUID, str], None]:
    """What is to be written down about a turn that failed."""
    if is_passing(error):
        logger.warning("turn %s is given back: %r", turn.pk, error)
        return leases.give_back
    if isinstance(error, AgentError):
        logger.warning("turn %s failed: %s", turn.pk, error)
        return partial(leases.fail, sentence=error.sentence, detail=error.detail or repr(error))
    if isinstance(error, TimeoutError):
        logger.warning("turn %s took too long while it was %s", turn.pk, turn.status)
        return partial(leases.fail, sentence=_too_long(turn), detail=f"{error!r} while {turn.status}")
    logger.error("turn %s broke", turn.pk, exc_info=error)
    detail = str(error) if isinstance(error, ProcessBroke | ProcessDied) else repr(error)
    return partial(leases.failed_by_itself, sentence=BROKEN, detail=detail)


def _too_long(turn: Turn) -> str:
    """What took too long, in words."""
    if turn.status == Turn.Status.PARSING:
        return NOT_UNDERSTOOD.format(seconds=limits.of_understanding(turn.conversation.language))
    return TOO_LONG.format(seconds=limits.STEP_LIMIT)


async def _written_down(write: Callable[[UUID, str], None], turn_id: UUID, holder: str) -> None:
    """Write it while the lease holds, however often it takes: the database may be away as well. After that, whoever
    takes the turn over goes on."""
    until = time.monotonic() + limits.LEASE.total_seconds()
    while True:
        try:
            return await in_thread(write, turn_id, holder)
        except LeaseLost:
            return None
        except Exception as error:
            if not is_passing(error) or time.monotonic() > until:
                raise
            await asyncio.sleep(limits.AWAY.total_seconds())


async def _until_stopped(turn_id: UUID, holder: str) -> Standing:
    """Wait until the lease is lost or the user presses Stop; says which. Without Redis, Stop is heard a heartbeat
    later; without the database, the lease is held as far as anybody knows."""
    layer, group = get_channel_layer(), hints.turn_group(turn_id)
    channel = ""
    try:
        while True:
            try:
                if not channel:
                    channel = await layer.new_channel()
                    await layer.group_add(group, channel)
                if (standing := await in_thread(leases.renew, turn_id, holder)) is not Standing.HELD:
                    return standing
                async with asyncio.timeout(limits.HEARTBEAT):
                    await layer.receive(channel)
            except TimeoutError:
                pass
            except Exception as error:
                if not is_passing(error):
                    raise
                channel = ""
                await asyncio.sleep(limits.AWAY.total_seconds())
    finally:
        if channel:
            with contextlib.suppress(RedisError):
                await layer.group_discard(group, channel)


async def _cancelled(task: asyncio.Task[Any]) -> None:
    """Cancel a task and wait for its end."""
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


def _plain(state: TurnState) -> dict[str, Any]:
    return state.model_dump(mode="json")


def _usage(state: TurnState) -> dict[str, float]:
    """What the turn's queries cost together."""
    total: dict[str, float] = {}
    for outcome in state.outcomes:
        for name, amount in outcome.usage.items():
            total[name] = total.get(name, 0) + amount
    return total
