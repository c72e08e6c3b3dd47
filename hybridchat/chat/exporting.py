"""Everything that is stored about each turn: one record a turn, as JSON lines or CSV, written as it is read.

`hybridchat.research.exports` has whole conversations, more formats, and takes personal data out.

People, conversations and turns are named by keyed hashes, wherever they stand in a record, so that two exports agree on
who is who while neither leads back to a session or to a row. Texts are as people wrote them, and what they filled in is
in them: names, addresses, student numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet
from django.forms.models import model_to_dict
from django.utils.crypto import salted_hmac

from corpora.models import ModelCall
from corpora.spreadsheets import csv_line, neutral
from hybridchat.chat.configurations import exported
from hybridchat.chat.models import Conversation, Turn

BATCH = 200
_IDENTIFIER = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.IGNORECASE)
COLUMNS = (
    "conversation", "assistant", "title", "person", "language", "turn", "position", "kind", "origin", "status",
    "created", "finished_at", "user", "agent", "suggestions", "understanding", "queries", "outcomes", "acts", "effects",
    "events",
    "timings", "usage", "calls", "configuration", "error", "error_detail", "attempts", "rating",
    "reasons", "comment", "meant", "feedback_updated", "state",
)  # fmt: skip


def jsonl_lines(turns: QuerySet[Turn]) -> Iterator[str]:
    """Yield the turns as lines of JSON, by conversation, in order."""
    for record in records(turns):
        yield _json(record) + "\n"


def csv_lines(turns: QuerySet[Turn]) -> Iterator[str]:
    """The turns as lines of CSV under a line of `COLUMNS`; what is nested is JSON in its cell."""
    yield csv_line(COLUMNS)
    for record in records(turns):
        yield csv_line([cell(record[column]) for column in COLUMNS])


def records(turns: QuerySet[Turn]) -> Iterator[dict[str, Any]]:
    """Yield one record per turn, with the keys `COLUMNS`."""
    ordered = turns.select_related("conversation", "feedback", "configuration").prefetch_related("events")
    chosen = ordered.order_by("conversation__created", "conversation_id", "position")
    for batch in _batches(chosen.iterator(chunk_size=BATCH)):
        calls = _calls(batch)
        for turn in batch:
            yield _unlinked(_record(turn, calls.get(turn.pk, [])))


def pseudonym(conversation: Conversation) -> str:
    """Who a conversation belongs to, without saying who: the same for all conversations of a session or user."""
    return hashed(conversation.owner_key or f"user {conversation.user_id}")


def hashed(name: str) -> str:
    """Return the keyed hash by which exports name a person, a conversation or a turn."""
    return salted_hmac("hybridchat.chat.export", name, algorithm="sha256").hexdigest()[:16]


def _unlinked(value: Any) -> Any:
    """The value with a keyed hash in the place of every identifier of a row (they are all UUIDs)."""
    if isinstance(value, UUID):
        return hashed(str(value))
    if isinstance(value, str):
        return _IDENTIFIER.sub(lambda found: hashed(found[0].lower()), value)
    if isinstance(value, dict):
        return {_unlinked(name): _unlinked(one) for name, one in value.items()}
    return [_unlinked(one) for one in value] if isinstance(value, list | tuple) else value


def _record(turn: Turn, calls: list[dict[str, Any]]) -> dict[str, Any]:
    conversation, state = turn.conversation, turn.state
    reply = state.get("reply") or {}
    feedback = getattr(turn, "feedback", None)
    return {
        "conversation": conversation.pk,
        "assistant": conversation.assistant,
        "title": conversation.title,
        "person": pseudonym(conversation),
        "language": conversation.language,
        "turn": turn.pk,
        "position": turn.position,
        "kind": turn.kind,
        "origin": turn.origin_id,
        "status": turn.status,
        "created": turn.created,
        "finished_at": turn.finished_at,
        "user": turn.message,
        "agent": reply.get("text", ""),
        "suggestions": reply.get("suggestions", []),
        "understanding": state.get("understanding"),
        "queries": state.get("queries") or [],
        "outcomes": state.get("outcomes", []),
        "acts": state.get("acts", []),
        "effects": state.get("effects", []),
        "events": [
            {"seq": event.seq, "kind": event.kind, "payload": event.payload, "created": event.created}
            for event in sorted(turn.events.all(), key=lambda event: event.seq)
        ],
        "timings": turn.timings,
        "usage": turn.usage,
        "calls": calls,
        "configuration": exported(turn.configuration) if turn.configuration else None,
        "error": turn.error,
        "error_detail": turn.error_detail,
        "attempts": turn.attempts,
        "rating": feedback.rating if feedback else None,
        "reasons": feedback.reasons if feedback else [],
        "comment": feedback.comment if feedback else "",
        "meant": feedback.meant if feedback else "",
        "feedback_updated": feedback.updated if feedback else None,
        "state": state,
    }


def _calls(turns: Iterable[Turn]) -> dict[Any, list[dict[str, Any]]]:
    """The calls to language models, by turn, in order."""
    found: dict[Any, list[dict[str, Any]]] = {}
    for call in ModelCall.objects.filter(turn__in=[turn.pk for turn in turns]).order_by("created", "pk"):
        found.setdefault(call.turn, []).append({**model_to_dict(call, exclude=["id", "turn"]), "created": call.created})
    return found


def _batches(turns: Iterable[Turn]) -> Iterator[list[Turn]]:
    batch: list[Turn] = []
    for turn in turns:
        batch.append(turn)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def cell(value: Any) -> str:
    """Return a value as a neutral cell of CSV; what is nested is JSON."""
    if value is None:
        return ""
    return neutral(value) if isinstance(value, str) else _json(value).strip('"')


def _json(value: Any) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)


LINES: dict[str, Callable[[QuerySet[Turn]], Iterator[str]]] = {"jsonl": jsonl_lines, "csv": csv_lines}
"""The formats of an export."""
