"""Times turns of the agent, step by step, over the questions of the development set."""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from asgiref.sync import sync_to_async

from agent.record import TurnState
from agent.turn import Agent
from hybridchat.agents import conversation_for
from hybridchat.research.commands import clock

STEPS = ("first event", "understand and parse", "execute and respond", "whole turn")


async def time_turns(agent: Agent, items: Iterable[dict[str, Any]], now: str) -> dict[str, list[float]]:
    """Milliseconds by step, one number per turn, in the order of the items."""
    found: dict[str, list[float]] = defaultdict(list)
    for item in items:
        states: list[TurnState] = []
        for message in item["messages"]:
            started = time.perf_counter()
            marks: list[float] = []

            async def emit(kind: str, payload: dict[str, Any], marks: list[float] = marks) -> None:
                marks.append(time.perf_counter())

            conversation = await sync_to_async(conversation_for)(item.get("assistant", ""), states, clock(now)())
            state = TurnState(message=message, conversation=conversation)
            state = await agent.parse_turn(state, emit)
            parsed = time.perf_counter()
            state = await agent.execute_turn(state, emit)
            done = time.perf_counter()
            states.append(state)
            spans = (marks[0] - started, parsed - started, done - parsed, done - started)
            for step, span in zip(STEPS, spans, strict=True):
                found[step].append(span * 1000)
    return found


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
