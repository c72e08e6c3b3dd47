"""The diary of a step: what the agent says is happening, written down as the turn's events."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils import timezone

from agent.record import TurnState
from hybridchat.chat import leases
from hybridchat.chat.models import Turn, TurnEvent
from hybridchat.chat.threads import in_thread

REPEATED = {TurnEvent.Kind.SEARCHING, TurnEvent.Kind.TEXT}  # each such event replaces the one before
PAUSE = 0.1  # seconds between two of them that are worth storing
LIVE_ROWS = 24  # rows of a query that are shown before all of them are; the others come with the outcome


class Journal:
    """Stores events in order, and with those that complete a step the turn's state, to be taken up from there.

    `timings` are milliseconds after the message arrived, by step.
    """

    def __init__(self, turn: Turn, holder: str, state: TurnState) -> None:
        self.timings: dict[str, float] = {}
        self._state = state.model_dump(mode="json")
        self._turn_id: UUID = turn.pk
        self._created = turn.created
        self._holder = holder
        self._last: dict[str, float] = {}

    async def emit(self, kind: str, payload: Mapping[str, Any]) -> None:
        """Store an event (`agent.turn.Emit`). Raise `LeaseLost` if another process has the turn."""
        if not self._too_soon(kind) and not self._too_many(kind, payload):
            state = self._advanced(kind, payload)
            await in_thread(leases.append_event, self._turn_id, self._holder, kind, payload, state)

    def mark(self, step: str) -> None:
        """Record when a step was reached."""
        self.timings[step] = round((timezone.now() - self._created).total_seconds() * 1000, 1)

    def _advanced(self, kind: str, payload: Mapping[str, Any]) -> dict[str, Any] | None:
        """The turn's state after the event, where the event brings it on."""
        if kind == TurnEvent.Kind.UNDERSTOOD:
            self._state = {**self._state, "understanding": dict(payload)}
        elif kind == TurnEvent.Kind.PARSED:
            self._state = {**self._state, "queries": payload["queries"]}
        elif kind == TurnEvent.Kind.OUTCOME:
            self._state = {**self._state, "outcomes": [*self._state["outcomes"], payload["outcome"]]}
        elif kind == TurnEvent.Kind.DECIDED:
            self._state = {**self._state, **payload}
        else:
            return None
        return self._state

    def _too_many(self, kind: str, payload: Mapping[str, Any]) -> bool:
        return kind == TurnEvent.Kind.ROW and payload["position"] >= LIVE_ROWS

    def _too_soon(self, kind: str) -> bool:
        if kind not in REPEATED:
            return False
        now = time.monotonic()
        if now - self._last.get(kind, 0.0) < PAUSE:
            return True
        self._last[kind] = now
        return False
