"""Times turns as the site takes them, step by step, over the questions of the development set."""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID, uuid4

from hybridchat.chat import runner, services
from hybridchat.chat.models import Conversation, Turn, TurnEvent
from hybridchat.chat.owners import Owner, key_of
from hybridchat.chat.threads import in_thread

STEPS = ("first event", "understand and parse", "execute and respond", "whole turn")
PAUSE = 0.005  # seconds between two looks whether a worker has finished a turn


async def time_turns(language: str, items: Iterable[dict[str, Any]]) -> dict[str, list[float]]:
    """Return milliseconds after the message was stored, by step, one number per turn, in the order of the items.

    Turns take the way they take on the site: stored, leased, worked on in an agent process, and every event stored.
    A worker that runs may take them, otherwise this process does. The conversations are deleted afterwards.
    """
    found: dict[str, list[float]] = defaultdict(list)
    for item in items:
        async with held(language, item["assistant"], item["messages"]) as (_, times):
            for spans in times:
                for step, milliseconds in zip(STEPS, spans, strict=True):
                    found[step].append(milliseconds)
    return found


@asynccontextmanager
async def held(
    language: str, assistant: str, messages: Iterable[str]
) -> AsyncIterator[tuple[Conversation, list[tuple[float, ...]]]]:
    """Hold a conversation as the site does; it is there with the times of its turns, and deleted afterwards."""
    conversation = await in_thread(_begun, assistant, language)
    times = []
    try:
        for message in messages:
            turn, _ = await in_thread(services.receive, conversation, uuid4(), message)
            await runner.work_on(turn.pk)
            times.append(await in_thread(_ended, turn.pk))
        yield conversation, times
    finally:
        await in_thread(services.delete, conversation)


def _begun(assistant: str, language: str) -> Conversation:
    conversation = services.new_conversation(Owner(key_of(str(uuid4()))), assistant)
    if language:
        conversation.language = language
        conversation.save(update_fields=["language"])
    return conversation


def _ended(turn_id: UUID) -> tuple[float, ...]:
    """Wait until the turn has ended and return its times. Raises RuntimeError if it failed."""
    while (spans := _spans(turn_id)) is None:
        time.sleep(PAUSE)
    return spans


def _spans(turn_id: UUID) -> tuple[float, ...] | None:
    turn = Turn.objects.get(pk=turn_id)
    if turn.running:
        return None
    if turn.status != Turn.Status.DONE:
        raise RuntimeError(f"{turn.message!r} was not answered: {turn.error}")
    reached = {
        kind: (created - turn.created).total_seconds() * 1000
        for kind, created in turn.events.order_by("-seq").values_list("kind", "created")  # the first of a kind stays
    }
    first, parsed = reached[TurnEvent.Kind.UNDERSTOOD], turn.timings["parsed"]
    done = reached[TurnEvent.Kind.DONE]
    return first, parsed, done - parsed, done


def table(times: dict[str, list[float]]) -> str:
    """Median and 95th percentile of each step, in milliseconds."""
    lines = [f"{'step':24}{'median ms':>12}{'p95 ms':>12}{'turns':>8}"]
    for step in STEPS:
        lines.append(f"{step:24}{median(times[step]):12.1f}{percentile(times[step], 95):12.1f}{len(times[step]):8}")
    return "\n".join(lines)


def median(values: list[float]) -> float:
    return statistics.median(values) if values else 0.0


def percentile(values: list[float], share: int) -> float:
    """The least value that `share` per cent of the values do not exceed (nearest rank)."""
    ranked = sorted(values)
    return ranked[max(0, -(-len(ranked) * share // 100) - 1)] if ranked else 0.0
