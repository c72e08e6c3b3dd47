"""What the process that works on a turn may write.

Every write locks the turn's row and checks that the writer still holds the lease, so of two processes that believe they
work on a turn only one leaves a trace. A process that loses its lease gets `LeaseLost` and has nothing to clean up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from hybridchat.chat import hints, limits, line
from hybridchat.chat.configurations import configuration_of
from hybridchat.chat.errors import LeaseLost
from hybridchat.chat.holders import is_gone
from hybridchat.chat.models import Conversation, Turn, TurnEvent

Status = Turn.Status
GAVE_UP = "I could not finish this: it was interrupted {attempts} times. Please try again."
LOOKED_AT = 50  # turns of the line that are tried before the rest is left to the next look


class Standing(Enum):
    """How a lease stands when it is renewed."""

    HELD = "held"
    STOP = "stop"  # held, and the user pressed Stop
    LOST = "lost"


def take_next(holder: str) -> Turn | None:
    """Take the next waiting turn; None if there is none."""
    release_what_the_dead_hold()
    for turn_id in line.queue()[:LOOKED_AT]:
        if turn := take(turn_id, holder):
            return turn
    return None


def take(turn_id: UUID, holder: str) -> Turn | None:
    """Take a running turn's lease and move it to the step that is due; None if there is nothing to take.

    A turn whose step was taken up too often fails here, and one whose owner pressed Stop stops.
    """
    with transaction.atomic():
        due = Turn.objects.running().select_related("conversation", "origin")
        turn = due.select_for_update(of=("self",), skip_locked=True).filter(pk=turn_id).first()
        if turn is None or (turn.lease_holder and turn.lease_until > timezone.now()):
            return None
        if turn.stop_requested:
            end(turn, Status.STOPPED)
            return None
        if turn.attempts >= limits.ATTEMPTS:
            end(turn, Status.FAILED, GAVE_UP.format(attempts=turn.attempts), f"last held by {turn.lease_holder}")
            return None
        resumed = turn.status in (Status.PARSING, Status.EXECUTING)
        turn.status = Status.PARSING if turn.status in (Status.RECEIVED, Status.PARSING) else Status.EXECUTING
        turn.lease_holder, turn.lease_until = holder, timezone.now() + limits.LEASE
        turn.attempts += 1
        turn.started_at = turn.started_at or timezone.now()
        turn.configuration = configuration_of(turn.conversation, turn.conversation.language)
        if resumed:
            add_event(turn, "resumed", {"step": turn.status, "attempt": turn.attempts})
        turn.save()
        return turn


def renew(turn_id: UUID, holder: str) -> Standing:
    """Renew the lease and return whether to continue."""
    held = Turn.objects.running().filter(pk=turn_id, lease_holder=holder)
    if not held.update(lease_until=timezone.now() + limits.LEASE):
        return Standing.LOST
    stop = Turn.objects.filter(pk=turn_id, stop_requested=True).exists()
    return Standing.STOP if stop else Standing.HELD


def release(turn_id: UUID, holder: str) -> None:
    """Give the turn back unfinished because its holder shuts down or is gone."""
    with transaction.atomic():
        held = Turn.objects.running().filter(pk=turn_id, lease_holder=holder)
        if held.update(lease_holder="", lease_until=timezone.now()):
            hints.work_is_due(turn_id)


def give_back(turn_id: UUID, holder: str) -> None:
    """Give the turn back because something it needs was unavailable. It is retried shortly."""
    held = Turn.objects.running().filter(pk=turn_id, lease_holder=holder)
    held.update(lease_holder="", lease_until=timezone.now() + limits.AWAY, attempts=F("attempts") - 1)


def failed_by_itself(turn_id: UUID, holder: str, sentence: str, detail: str) -> None:
    """Count a failure caused by the turn itself: it is retried once, then fails with the sentence."""
    with _held(turn_id, holder) as turn:
        turn.failures += 1
        if turn.failures >= limits.FAILURES:
            end(turn, Status.FAILED, sentence, detail)
            return
        turn.error_detail = detail
        turn.lease_holder, turn.lease_until = "", timezone.now()
        hints.work_is_due(turn.pk)


def release_what_the_dead_hold() -> list[tuple[UUID, str]]:
    """Free the turns whose holder was a process of this machine that is gone; returns them with their holders. Leases
    of processes elsewhere run out by themselves."""
    holders = Turn.objects.running().exclude(lease_holder="").values_list("pk", "lease_holder")
    gone = [(turn_id, holder) for turn_id, holder in holders if is_gone(holder)]
    for turn_id, holder in gone:
        release(turn_id, holder)
    return gone


def append_event(
    turn_id: UUID, holder: str, kind: str, payload: Mapping[str, Any], state: dict[str, Any] | None = None
) -> int:
    """Add the turn's next event, and with it the `state` it brings the turn to; returns its number."""
    fields = ("last_event",) if state is None else ("last_event", "state")
    with _held(turn_id, holder, *fields) as turn:
        if state is not None:
            turn.state = state
        return add_event(turn, kind, payload)


def go_on(turn_id: UUID, holder: str, state: dict[str, Any], timings: Mapping[str, float]) -> None:
    """Move the turn from parsing to searching, under the same holder."""
    with _held(turn_id, holder) as turn:
        turn.state = state
        turn.timings |= timings
        turn.status, turn.attempts = Status.EXECUTING, 1


def finish(
    turn_id: UUID, holder: str, state: dict[str, Any], timings: Mapping[str, float], usage: Mapping[str, float]
) -> None:
    """Finish the turn as answered."""
    with _held(turn_id, holder) as turn:
        turn.state = state
        turn.timings |= timings
        turn.usage = dict(usage)
        end(turn, Status.DONE)


def fail(turn_id: UUID, holder: str, sentence: str, detail: str) -> None:
    """Finish the turn as failed; `sentence` is for the user, `detail` for the developer."""
    with _held(turn_id, holder) as turn:
        end(turn, Status.FAILED, sentence, detail)


def stop(turn_id: UUID, holder: str) -> None:
    """Finish the turn as stopped on request."""
    with _held(turn_id, holder) as turn:
        end(turn, Status.STOPPED)


def end(turn: Turn, status: Turn.Status, sentence: str = "", detail: str = "") -> None:
    """Finish a turn whose row the caller has locked, and save it."""
    turn.status, turn.error, turn.error_detail = status, sentence, detail
    turn.lease_holder, turn.lease_until = "", None
    turn.finished_at = max(timezone.now(), turn.created)
    add_event(turn, status, {"sentence": sentence} if sentence else {})
    turn.save()
    Conversation.objects.filter(pk=turn.conversation_id).update(updated=turn.finished_at)


def add_event(turn: Turn, kind: str, payload: Mapping[str, Any]) -> int:
    """Add the next event of a turn whose row the caller has locked and will save; returns its number."""
    turn.last_event += 1
    TurnEvent.objects.create(turn=turn, seq=turn.last_event, kind=kind, payload=dict(payload))
    hints.reached(turn.conversation_id, turn.pk, turn.last_event)
    return turn.last_event


@contextmanager
def _held(turn_id: UUID, holder: str, *fields: str) -> Iterator[Turn]:
    """The turn, locked and with a lease that the holder has; its `fields` (all, where none is named) are saved."""
    with transaction.atomic():
        held = Turn.objects.select_for_update().running().filter(pk=turn_id, lease_holder=holder)
        turn = (held.defer("state") if fields else held).first()  # states grow; an event need not read one
        if turn is None:
            raise LeaseLost("This turn is finished, or another process works on it.")
        yield turn
        turn.save(update_fields=fields or None)
