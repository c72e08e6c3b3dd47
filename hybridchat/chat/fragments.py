"""Frames for an open page: what changed since the last event it has seen, as elements that replace their like by id.

Nothing is appended twice and nothing depends on an earlier frame having arrived, except that a page which has seen
position P has the turns up to P: a new turn comes in the frame that moves the page's cursor past it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

from hybridchat.chat import selectors
from hybridchat.chat.models import Conversation, Turn, TurnEvent
from hybridchat.chat.owners import Owner
from hybridchat.chat.presenting import turn_views
from hybridchat.chat.progress import place_in_line
from hybridchat.chat.rendering import TurnView
from hybridchat.chat.sheets import sheets_of

Kind = TurnEvent.Kind
REGIONS = {
    Kind.PARSED: ("searched",),
    Kind.ROW: ("rows",),
    Kind.RELAXED: ("searched", "rows"),
    Kind.OUTCOME: ("searched", "rows"),
    Kind.RESUMED: ("searched", "rows", "text"),
    Kind.DECIDED: ("card",),
    Kind.TEXT: ("text",),
    Kind.REPLIED: ("text", "foot"),
}
ORDER = ("searched", "text", "card", "rows", "foot")


@dataclass(frozen=True, slots=True, order=True)
class Cursor:
    """The last event a page has seen: event `seq` of turn number `position`."""

    position: int
    seq: int

    def __str__(self) -> str:
        return f"{self.position}.{self.seq}"

    @classmethod
    def read(cls, text: str, conversation: Conversation) -> Cursor:
        """Read a browser's cursor; if it is missing or invalid, return the beginning of the last turn."""
        last = conversation.turns.order_by("position").last()
        latest = cls(last.position, last.last_event) if last else cls(0, 0)
        position, _, seq = text.partition(".")
        if position.isdecimal() and seq.isdecimal() and len(text) < 20:
            given = cls(int(position), int(seq))
            if given <= latest:
                return given
        return cls(latest.position, 0)


@dataclass(frozen=True, slots=True)
class Frame:
    """HTML to send ("" if nothing changed), the cursor it brings the page to, and whether a turn is running; if that
    one waits in line, which it is."""

    html: str
    cursor: Cursor
    running: bool
    in_line: UUID | None = None


def since(conversation: Conversation, owner: Owner, cursor: Cursor) -> Frame:
    """Render what happened after `cursor`."""
    turns = list(selectors.turns_after(conversation, cursor.position, cursor.seq))
    if not turns:
        return Frame("", cursor, conversation.turns.running().exists())
    pieces: list[str] = []
    views = turn_views(turns)
    for turn, view in zip(turns, views, strict=True):
        pieces += _new_turn(view) if turn.position > cursor.position else _changes(turn, view, cursor.seq)
    latest = views[-1]
    if latest.position > cursor.position or not latest.running:
        pieces.append(_render("chat/_composer.html", running=latest if latest.running else None))
        if not conversation.closing_word:  # a page that ends with a word has no list of conversations beside it
            pieces.append(_history(owner, conversation))
        pieces.append(_render("chat/_sheets.html", sheets=sheets_of(conversation)))
    frame = framed(pieces, Cursor(latest.position, latest.last_event), latest.running)
    return replace(frame, in_line=latest.uuid) if turns[-1].in_line else frame


def changed(conversation: Conversation, turn_id: UUID) -> str:
    """Render the foot of a turn whose feedback changed; "" if the turn is gone."""
    turn = selectors.turns_of(conversation).filter(pk=turn_id).first()
    return _render("chat/_turn_foot.html", turn=turn_views([turn])[0]) if turn else ""


def refusal(problem: str, answers: str = "") -> str:
    """Render a sentence about something that was not accepted; `answers` is the identifier of the refused frame."""
    return _render("chat/_refusal.html", problem=problem, answers=answers) + arriving(0)


def arriving(place: int) -> str:
    """Render the place in line of a message that is being stored; 0 if that is over."""
    return _render("chat/_line.html", place=place, words=place_in_line(place).sentence)


def in_line(turn: UUID, place: int) -> str:
    """Render the status of a turn that waits in line, or has just left it."""
    waiting = {"uuid": turn, "running": True}
    return _render("chat/_turn_status.html", turn=waiting, progress=place_in_line(place))


def framed(pieces: list[str], cursor: Cursor, running: bool) -> Frame:
    """Join the pieces and append the cursor they bring the page to."""
    mark = format_html('<div id="cursor" data-after="{}" hidden hx-swap-oob="true"></div>', str(cursor))
    return Frame("\n".join([*pieces, mark]), cursor, running)


def _new_turn(view: TurnView) -> list[str]:
    whole = render_to_string("chat/turn.html", {"turn": view, "oob": False})
    added = format_html('<div hx-swap-oob="beforeend:#turns">{}</div>', SafeString(whole))
    return [added, *_announcement(view), refusal("")]


def _changes(turn: Turn, view: TurnView, seq: int) -> list[str]:
    """A finished turn as a whole; of a running one the regions that its new events touch, and its status."""
    if not view.running:
        return [_render("chat/turn.html", turn=view), *_announcement(view), refusal("")]  # who had to wait need not now
    kinds = set(turn.events.filter(seq__gt=seq).values_list("kind", flat=True))
    touched = {region for kind in kinds for region in REGIONS.get(Kind(kind), ())}
    regions = [_render(f"chat/_turn_{region}.html", turn=view) for region in ORDER if region in touched]
    return [*regions, _render("chat/_turn_status.html", turn=view, progress=view.progress)]


def _announcement(view: TurnView) -> list[str]:
    return [] if view.running else [_render("chat/_announcement.html", turn=view)]


def _history(owner: Owner, conversation: Conversation) -> str:
    return _render("chat/_history.html", history=selectors.history(owner), conversation=conversation, query="")


def _render(template: str, **context: Any) -> str:
    return render_to_string(template, {**context, "oob": True})
