"""Live progress, in words."""

from __future__ import annotations

from collections.abc import Sequence

from agent.record import Query
from hybridchat.chat.models import Turn, TurnEvent
from hybridchat.chat.rendering import ProgressView

Kind = TurnEvent.Kind

AT_REST = {
    Turn.Status.RECEIVED: "One moment",
    Turn.Status.PARSING: "Reading your question",
    Turn.Status.PARSED: "Starting the search",
    Turn.Status.EXECUTING: "Searching",
    Turn.Status.DONE: "Done",
    Turn.Status.FAILED: "This did not work",
    Turn.Status.STOPPED: "Stopped",
}
TELLING = {Kind.UNDERSTOOD, Kind.SEARCHING, Kind.RELAXED, Kind.OUTCOME, Kind.TEXT, Kind.RESUMED}


def place_in_line(place: int) -> ProgressView:
    """Return where a turn stands in line; 0 if it has just been taken up."""
    if not place:
        return ProgressView(AT_REST[Turn.Status.PARSING])
    return ProgressView("You are next" if place == 1 else f"You are number {place:,} in line")


def progress_of(status: str, events: Sequence[TurnEvent], queries: Sequence[Query]) -> ProgressView:
    """Return what is being done now, from the last event that tells."""
    if status not in Turn.RUNNING:
        return ProgressView(AT_REST[Turn.Status(status)])
    last = next((event for event in reversed(events) if event.kind in TELLING), None)
    if last is None:
        return ProgressView(AT_REST[Turn.Status(status)])
    return _told(last, status, queries)


def _told(event: TurnEvent, status: str, queries: Sequence[Query]) -> ProgressView:
    payload = event.payload
    if event.kind == Kind.SEARCHING and payload.get("total"):
        done, total = payload["done"], payload["total"]
        return ProgressView(f"Looking at {done:,} of {total:,} {payload.get('noun', 'rows')}", done, total)
    if event.kind == Kind.RELAXED:
        return ProgressView("Nothing matches everything; widening the search")
    if event.kind == Kind.OUTCOME and payload["query"] + 1 < len(queries):
        return ProgressView("Moving on to your next question")
    if event.kind in (Kind.OUTCOME, Kind.TEXT):
        return ProgressView("Writing the answer")
    if event.kind == Kind.RESUMED:
        return ProgressView("Interrupted; picking it up again")
    if event.kind == Kind.UNDERSTOOD and status == Turn.Status.PARSING:
        return ProgressView("Working out what to search for")
    return ProgressView(AT_REST[Turn.Status(status)])
