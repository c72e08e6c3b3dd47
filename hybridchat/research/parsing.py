"""Scores the parser's queries against utterances with gold constraints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import Any

from asgiref.sync import sync_to_async

from agent.networks.encoder import Encoder
from agent.protocols.errors import AgentError
from agent.record import TurnState
from agent.systems.function_calling import FunctionCalling
from agent.turn import Agent
from hybridchat.agents import conversation_for
from hybridchat.research import wanted
from hybridchat.research.query_slots import Scorer, Verdict
from hybridchat.talk import Talk, ignore

SETS = ("restaurants.jsonl",)


async def evaluate(
    agent: Agent, items: list[dict[str, Any]], now: Callable[[], datetime]
) -> tuple[dict[str, Any], str]:
    """The report and the same for a person to read.

    Items are `{"id", "utterance", "gold": {slot: value}}` about restaurants, or `{"id", "assistant", "messages",
    "gold": line}` about any corpus: the last message is scored, and `wanted` says how the line is read.
    """
    score, rows = scorer(), []
    for item in items:
        suqls = await queries(agent, item, now)
        verdict = score(suqls, item["gold"])
        rows.append(
            {
                **item,
                "utterance": " // ".join(messages(item)),
                "suql": "; ".join(suqls),
                "strict": verdict.strict,
                "lenient": verdict.lenient,
                "wrong": verdict.wrong,
            }
        )
    halves = {half: [row for row in rows if row.get("half") == half] for half in sorted(_halves(rows))}
    report = {
        "utterances": len(rows),
        "strict": _share(rows, "strict"),
        "lenient": _share(rows, "lenient"),
        "halves": {half: [_share(some, "strict"), _share(some, "lenient")] for half, some in halves.items()},
        "wrong_slots": dict(Counter(slot for row in rows for slot in row["wrong"]).most_common()),
    }
    return {**report, "rows": rows}, _table(report, rows)


def scorer() -> Callable[[list[str], Any], Verdict]:
    """Return what scores the queries of a message by its gold: slots of restaurants, or a line about any corpus."""
    slots = Scorer(_similarity)

    def score(suqls: list[str], gold: Any) -> Verdict:
        if isinstance(gold, str):
            return wanted.score(suqls, gold, _similarity)
        return slots.score("".join(suqls[:1]), gold)

    return score


def messages(item: dict[str, Any]) -> list[str]:
    """Return the messages of an item, of which the last is scored."""
    return list(item["messages"]) if "messages" in item else [item["utterance"]]


async def queries(agent: Agent, item: dict[str, Any], now: Callable[[], datetime]) -> list[str]:
    """Return the queries of the last message; those before it are answered, so that it can refer to their rows."""
    *before, last = messages(item)
    talk = Talk(agent, item.get("assistant", "restaurants"), now)
    for message in before:
        await talk.say(message)
    conversation = await sync_to_async(conversation_for)(talk.assistant, talk.states, now())
    try:
        parsed = await agent.parse_turn(TurnState(message=last, conversation=conversation), ignore)
        if isinstance(agent, FunctionCalling):  # writes its queries while it answers
            parsed = await agent.execute_turn(parsed, ignore)
    except AgentError:
        return []  # scored as a query that asks for nothing
    return [query.suql for query in parsed.queries or () if query.suql]


@lru_cache(maxsize=20_000)
def _similarity(one: str, other: str) -> float:
    """How near two phrases are in meaning: the cosine of their vectors."""
    left, right = Encoder.load().encode([one, other])
    return float(left @ right)


def _halves(rows: list[dict[str, Any]]) -> set[str]:
    """The parts that a set says it has: what was looked at while the parser was written, and what was only scored."""
    return {row["half"] for row in rows if "half" in row}


def _share(rows: list[dict[str, Any]], name: str) -> float:
    return round(sum(row[name] for row in rows) / len(rows), 4) if rows else 0.0


def _table(report: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    lines = [
        f"{row['id']:6} {_verdict(row):7} {row['utterance']}\n       {row['suql']}"
        + (f"\n       differs in: {', '.join(row['wrong'])}" if row["wrong"] else "")
        for row in rows
    ]
    figures = [f"{name:12} {report[name]}" for name in ("utterances", "strict", "lenient", "halves", "wrong_slots")]
    return "\n".join([*lines, "", *figures])


def _verdict(row: dict[str, Any]) -> str:
    return next((name for name in ("strict", "lenient") if row[name]), "wrong")
