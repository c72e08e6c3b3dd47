"""Feedback as CSV, one line each: for people who count, without names, sessions or formulas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from corpora.spreadsheets import csv_line, neutral
from hybridchat.chat.models import Feedback
from hybridchat.research.exports.naming import Names
from hybridchat.research.selectors import queries_of, with_conversations

COLUMNS = (
    *("turn", "conversation", "person", "assistant", "asked_at", "asked", "answered", "suql"),
    *("rating", "reasons", "comment", "meant", "meant_suql", "status", "assigned", "labels", "answers", "updated"),
)

NAMES = Names("feedback")


def csv_lines(chosen: QuerySet[Feedback]) -> Iterator[str]:
    """Yield feedback as lines of CSV under a line of `COLUMNS`."""
    yield csv_line(COLUMNS)
    rows = with_conversations(chosen).prefetch_related("answers")
    for feedback in rows.order_by("turn__created").iterator(chunk_size=200):
        record = _record(feedback)
        yield csv_line([_cell(record[column]) for column in COLUMNS])


def _record(feedback: Feedback) -> dict[str, Any]:
    turn = feedback.turn
    reply = turn.state.get("reply") or {}
    return {
        "turn": NAMES.of(str(turn.pk)),
        "conversation": NAMES.of(str(turn.conversation_id)),
        "person": NAMES.person(turn.conversation.owner_key, turn.conversation.user_id),
        "assistant": turn.conversation.assistant,
        "asked_at": turn.created,
        "asked": turn.message,
        "answered": reply.get("text", "") or turn.error,
        "suql": _suql(turn),
        "rating": feedback.rating,
        "reasons": ", ".join(feedback.reasons),
        "comment": feedback.comment,
        "meant": feedback.meant,
        "meant_suql": _suql(feedback.correction) if feedback.correction else "",
        "status": feedback.status,
        "assigned": feedback.assignee_id is not None,
        "labels": ", ".join(feedback.labels),
        "answers": len(feedback.answers.all()),
        "updated": feedback.updated,
    }


def _cell(value: Any) -> str:
    return neutral(value.isoformat() if hasattr(value, "isoformat") else str(value))


def _suql(turn: Any) -> str:
    return "; ".join(query.suql for query in queries_of(turn) if query.suql)
