"""Where the conversations of a replay come from: this site, an export, or a file of messages.

Addresses in what people said are replaced by ones that lead nowhere, so that no letter of a replay reaches anybody.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agent.record import TurnState
from hybridchat.chat.models import Conversation, Turn
from hybridchat.research.exports.choosing import Filters, chosen
from hybridchat.research.exports.folding import unfold
from hybridchat.research.exports.importing import opened
from hybridchat.research.exports.naming import through
from hybridchat.research.exports.personal import EMAIL
from hybridchat.research.exports.records import conversations
from hybridchat.talk import turn_report

SAID = (Turn.Kind.MESSAGE, Turn.Kind.FORM)
"""Kinds of turns that are said again; a retry or a search with one condition less follows from what was said."""


@dataclass(frozen=True, slots=True)
class Source:
    """A conversation to be held again. `turns` have the message, what a form gave, the report of how it went, if it is
    known, the seconds it took, and what it cost in US dollars."""

    name: str
    assistant: str
    turns: list[dict[str, Any]]
    conversation: Any = None


def stored(filters: Filters) -> Iterator[Source]:
    """The conversations of this site that the filters choose."""
    for pk in list(chosen(filters).values_list("pk", flat=True)):
        for conversation, record in conversations(Conversation.objects.filter(pk=pk)):
            yield _source(record, str(conversation), conversation)


def exported(path: Path) -> Iterator[Source]:
    """The conversations of an export in JSON lines, or of a file of `{"id", "assistant", "messages": […]}`."""
    with opened(path) as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                record = json.loads(line)
                yield _typed(record, number) if "messages" in record else _source(unfold(record), record["id"])


def _typed(record: dict[str, Any], number: int) -> Source:
    turns = [_turn(message if isinstance(message, str) else message["content"]) for message in _user(record)]
    return Source(str(record.get("id", number)), record.get("assistant", ""), turns)


def _user(record: dict[str, Any]) -> list[Any]:
    """The messages to be said: all of them, or a user's among an assistant's."""
    return [one for one in record["messages"] if isinstance(one, str) or one["role"] == "user"]


def _source(record: dict[str, Any], name: str, conversation: Any = None) -> Source:
    said = [turn for turn in record["turns"] if turn["kind"] in SAID]
    turns = [_turn(turn["message"], turn["given"], _report(turn), _seconds(turn), _cost(turn)) for turn in said]
    return Source(name, record["assistant"], turns, conversation)


def _turn(
    message: str, given: Any = (), before: Any = None, seconds: float | None = None, cost: float | None = None
) -> dict[str, Any]:
    told = {"message": message, "given": list(given), "before": before, "seconds": seconds, "cost": cost}
    return through(told, lambda text: EMAIL.sub("person@example.invalid", text))


def _report(turn: dict[str, Any]) -> dict[str, Any] | None:
    """How a turn went; None where it was stored by a version that said so otherwise."""
    try:
        state = TurnState.model_validate(turn["state"])
    except ValidationError:
        return None
    return turn_report(turn["position"], state, turn["error"])


def _seconds(turn: dict[str, Any]) -> float | None:
    done = turn["timings"].get("done") or max(turn["timings"].values(), default=None)
    return round(done / 1000, 3) if done is not None else None


def _cost(turn: dict[str, Any]) -> float:
    return sum(call["cost"] for call in turn["calls"])
