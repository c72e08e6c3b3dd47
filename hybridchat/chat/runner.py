"""Working on a turn: the same steps in the web process (stages 1 and 2) and in the worker (whatever is due).

A process takes the turn's lease, does the step that is due, and stores what happens as it happens. A thread beside the
work renews the lease, and a task listens for Stop; when it hears it, or finds the lease lost, the work is cancelled,
which also cancels what it asked of the database and of language models.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from typing import TYPE_CHECKING, Any
from uuid import UUID

from channels.layers import get_channel_layer
from django.db import connections
from django.utils import timezone
from pydantic import TypeAdapter

from agent.errors import AgentError
from agent.record import TurnState
from agent.worksheets.statements import Statement
from corpora.calls import current_turn
from hybridchat.chat import allowance, hints, leases, limits, selectors
from hybridchat.chat.errors import LeaseLost
from hybridchat.chat.holders import new_holder
from hybridchat.chat.journal import Journal
from hybridchat.chat.leases import Standing
from hybridchat.chat.models import Turn
from hybridchat.chat.owners import Owner
from hybridchat.chat.threads import beating, in_thread

if TYPE_CHECKING:
    from agent.language.tasks import Conversation
    from agent.suql import Budget
    from agent.turn import Agent

logger = logging.getLogger(__name__)

TOO_LONG = "This took longer than {seconds:.0f} seconds, so I stopped. A narrower question may be quicker."
BROKEN = "Something went wrong on our side while I worked on this. Please try again."

_started: set[asyncio.Task[None]] = set()
_loading = threading.Lock()


def start_parsing(turn_id: UUID) -> None:
    """Begin stages 1 and 2 in this process. The task belongs to the process: a closed tab does not end it."""
    task = asyncio.get_running_loop().create_task(work_on(turn_id, parse_only=True))
    _started.add(task)
    task.add_done_callback(_started.discard)


async def work_on(turn_id: UUID, *, parse_only: bool = False) -> None:
    """Take the turn up where it stands and bring it as far as this process may; nothing where another works on it."""
    holder = new_holder("web" if parse_only else "worker")
    turn = await in_thread(leases.take, turn_id, holder, parse_only=parse_only)
    if turn is None:
        return
    with beating(lambda: leases.renew(turn_id, holder) is not Standing.LOST):
        await _watched(turn, holder, parse_only)


async def _watched(turn: Turn, holder: str, parse_only: bool) -> None:
    """Work on the turn until it is done, stopped or taken over by another process."""
    turn_id = turn.pk
    work = asyncio.create_task(_guarded(_steps(turn, holder, parse_only), turn_id, holder))
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


def agent_for(language: str) -> Agent:
    """The agent of this process. It loads the encoder and the catalogue, so it is imported by the first turn."""
    from hybridchat import agents

    with _loading:
        return agents.agent_for(language)


def warm_up(language: str) -> None:
    """Load the agent beside what is going on, so that the first turn need not wait for it."""

    def load() -> None:
        try:
            agent_for(language)
        finally:
            connections.close_all()

    threading.Thread(target=load, name="warm-up", daemon=True).start()


def conversation_for(turn: Turn) -> Conversation:
    """What the turn is understood against."""
    from hybridchat import agents

    now = timezone.localtime(turn.created)
    dialogue = selectors.dialogue_before(turn)
    past = selectors.past_states(turn)
    return agents.conversation_for(turn.conversation.assistant, past, now, dialogue, str(turn.conversation_id))


async def _steps(turn: Turn, holder: str, parse_only: bool) -> None:
    """Parse if that is due, then search, unless that is for a worker to do."""
    agent = await in_thread(agent_for, turn.conversation.language)
    current_turn.set(turn.pk)
    state = await in_thread(_opening, turn)
    journal = Journal(turn, holder, state)
    if turn.status == Turn.Status.PARSING:
        journal.mark("parsing")
        async with asyncio.timeout(limits.STEP_LIMIT):
            state = await agent.parse_turn(state, journal.emit)
        journal.mark("parsed")
        step = leases.hand_over if parse_only else leases.go_on
        await in_thread(step, turn.pk, holder, _plain(state), journal.timings)
        if parse_only:
            return
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


async def _guarded(steps: Any, turn_id: UUID, holder: str) -> None:
    """Run the steps; whatever goes wrong ends the turn with a sentence, never with silence."""
    try:
        await steps
    except LeaseLost:
        logger.info("turn %s was taken over while %s worked on it", turn_id, holder)
    except TimeoutError as error:
        await _failed(turn_id, holder, TOO_LONG.format(seconds=limits.STEP_LIMIT), repr(error))
    except AgentError as error:
        logger.warning("turn %s failed: %s", turn_id, error)
        await _failed(turn_id, holder, error.sentence, error.detail or repr(error))
    except Exception as error:
        logger.exception("turn %s broke", turn_id)
        await _failed(turn_id, holder, BROKEN, repr(error))


async def _failed(turn_id: UUID, holder: str, sentence: str, detail: str) -> None:
    with contextlib.suppress(LeaseLost):
        await in_thread(leases.fail, turn_id, holder, sentence, detail)


async def _until_stopped(turn_id: UUID, holder: str) -> Standing:
    """Wait until the lease is lost or the user presses Stop; says which."""
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add(hints.turn_group(turn_id), channel)
    try:
        while (standing := await in_thread(leases.renew, turn_id, holder)) is Standing.HELD:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(limits.HEARTBEAT):
                    await layer.receive(channel)
        return standing
    finally:
        await layer.group_discard(hints.turn_group(turn_id), channel)


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
