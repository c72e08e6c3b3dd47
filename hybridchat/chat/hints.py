"""Hints: "turn T reached event k", sent when the transaction that made it so has committed.

A hint may be lost or doubled and carries nothing but where to look; whoever hears it reads the database.
"""

from __future__ import annotations

from uuid import UUID

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

from hybridchat.celery import app

EXECUTE_TURN = "hybridchat.chat.tasks.execute_turn"


def conversation_group(conversation: UUID) -> str:
    """Return the channel group of the browsers that show a conversation."""
    return f"conversation.{conversation.hex}"


def turn_group(turn: UUID) -> str:
    """Return the channel group of the process working on a turn."""
    return f"turn.{turn.hex}"


def reached(conversation: UUID, turn: UUID, seq: int) -> None:
    """Tell the browsers, after commit, that the turn has another event."""
    _on_commit(conversation_group(conversation), {"type": "turn.reached", "turn": str(turn), "seq": seq})


def changed(conversation: UUID, turn: UUID) -> None:
    """Tell the browsers, after commit, that the turn changed without an event (feedback)."""
    _on_commit(conversation_group(conversation), {"type": "turn.changed", "turn": str(turn)})


def stop_requested(turn: UUID) -> None:
    """Tell the process working on the turn, after commit, to check whether it should stop."""
    _on_commit(turn_group(turn), {"type": "stop"})


def work_is_due(turn: UUID) -> None:
    """Ask a worker, after commit, to take up a waiting turn. The sweeper repeats a lost hint."""
    transaction.on_commit(lambda: app.send_task(EXECUTE_TURN, [str(turn)]), robust=True)


def _on_commit(group: str, message: dict[str, str | int]) -> None:
    transaction.on_commit(lambda: async_to_sync(get_channel_layer().group_send)(group, message), robust=True)
