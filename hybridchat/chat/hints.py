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
    """The channel group of the browsers that look at a conversation."""
    return f"conversation.{conversation.hex}"


def turn_group(turn: UUID) -> str:
    """The channel group of the process that works on a turn."""
    return f"turn.{turn.hex}"


def reached(conversation: UUID, turn: UUID, seq: int) -> None:
    """After commit: tell the browsers that the turn has an event more."""
    _on_commit(conversation_group(conversation), {"type": "turn.reached", "turn": str(turn), "seq": seq})


def changed(conversation: UUID, turn: UUID) -> None:
    """After commit: tell the browsers that something about the turn changed that is no event (feedback)."""
    _on_commit(conversation_group(conversation), {"type": "turn.changed", "turn": str(turn)})


def stop_requested(turn: UUID) -> None:
    """After commit: tell the process that works on the turn to look whether it should stop."""
    _on_commit(turn_group(turn), {"type": "stop"})


def work_is_due(turn: UUID) -> None:
    """After commit: ask a worker to take up a turn, since this one waits. A lost hint is sent again by the sweeper."""
    transaction.on_commit(lambda: app.send_task(EXECUTE_TURN, [str(turn)]), robust=True)


def _on_commit(group: str, message: dict[str, str | int]) -> None:
    transaction.on_commit(lambda: async_to_sync(get_channel_layer().group_send)(group, message), robust=True)
