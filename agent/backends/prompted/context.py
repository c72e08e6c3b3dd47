"""What a prompt is told of the conversation so far."""

from __future__ import annotations

import re
from typing import Any

from agent.language import Conversation, PastQuery, PastTurn

_ADDRESS = re.compile(r"(?:https?:/)?/\S+$")

TURNS = 6
"""Earlier turns shown in full; what came before them rarely matters and always costs."""

ROWS = 12
"""Rows of an earlier result shown by key and name; those of the latest one with their values."""

VALUE_CHARACTERS = 80
"""Longer values of earlier rows are not shown."""

REPLY_CHARACTERS = 600
"""How much of an earlier reply is shown."""


def past(conversation: Conversation) -> list[dict[str, Any]]:
    """Return the last turns, oldest first, with their queries and what those found.

    What the latest search found comes with its values, which "cheaper" and "that one's hours" refer to; older rows are
    pointed at by name or place, and repeating their values would be most of the prompt.
    """
    turns = conversation.past[-TURNS:]
    latest = next((turn for turn in reversed(turns) if any(query.keys for query in turn.queries)), None)
    return [_turn(turn, with_values=turn is latest) for turn in turns]


def said(conversation: Conversation, turns: int) -> list[dict[str, str]]:
    """Return what was said in the last turns, oldest first, without what was looked up for it."""
    return [{"user": turn.user, "assistant": _beginning(turn.agent)} for turn in conversation.past[-turns:]]


def clock(conversation: Conversation) -> str:
    """Return the date and time of the turn, with the day of the week: "Friday 2026-11-20 10:00"."""
    return conversation.now.strftime("%A %Y-%m-%d %H:%M")


def already_asked(conversation: Conversation, what: str) -> bool:
    """Return whether the agent has asked for this before in the conversation: nothing is asked twice."""
    return any(turn.asked == what for turn in conversation.past)


def linked(value: Any) -> bool:
    """Is it the address of a page or a picture? No sentence needs it, except where it is asked for."""
    return isinstance(value, str) and _ADDRESS.match(value) is not None


def _turn(turn: PastTurn, *, with_values: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {"user": turn.user, "assistant": _beginning(turn.agent)}
    if turn.queries:
        shown["queries"] = [_query(query, with_values) for query in turn.queries]
    if turn.asked:
        shown["assistant_asked_for"] = turn.asked
    return shown


def _beginning(reply: str) -> str:
    """A reply, or as much of it as is shown: whole words, with a mark where it goes on."""
    if len(reply) <= REPLY_CHARACTERS:
        return reply
    kept = reply[: REPLY_CHARACTERS + 1].rsplit(maxsplit=1)[0]
    return f"{kept[:REPLY_CHARACTERS]} …"


def _query(query: PastQuery, with_values: bool) -> dict[str, Any]:
    return {
        "question": query.question,
        "suql": query.suql,
        "rows_shown_in_order": [_row(query, place, with_values) for place in range(min(len(query.keys), ROWS))],
    }


def _row(query: PastQuery, place: int, with_values: bool) -> dict[str, Any]:
    """A row by key and name, and with the short values it showed where they are asked for."""
    row: dict[str, Any] = {"key": query.keys[place]}
    if place < len(query.titles):
        row["name"] = query.titles[place]
    if with_values and place < len(query.rows):
        told = (None, "", [], *row.values())
        plain = {name: value for name, value in query.rows[place].items() if value not in told and not linked(value)}
        row |= {name: value for name, value in plain.items() if name not in row and len(str(value)) <= VALUE_CHARACTERS}
    return row
