"""A problem that was told before its task was begun: "I was charged twice." … "Can you open a ticket for that?"

Its words are the text that the task asks for, and may make choices in it. All of it is shown before anything is done.
"""

from __future__ import annotations

from itertools import takewhile

from agent.language import PastTurn
from agent.parsing.tasks.closeness import spoken
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import Form, Message
from agent.parsing.tasks.shapes import Shape, is_long
from agent.parsing.tasks.spotting import Branch, Spotter
from agent.parsing.tasks.workspace import Place, Sheet

MOST = 3  # messages before that belong together
_FEW = 1  # content words that a mere request has beside those that name the task


def told(past: tuple[PastTurn, ...]) -> str:
    """What the messages just before told, and searched for: their statements."""
    recent = list(takewhile(lambda turn: turn.queries, reversed(past)))[:MOST]
    pieces = [
        message.words(one.start, one.stop).strip()
        for message in (Message(turn.user) for turn in reversed(recent))
        for one in message.of(Form.STATEMENT)
        if len(spoken(message.low[one.start : one.stop])) > _FEW
    ]
    return " ".join(piece if piece.endswith((".", "!", "?")) else f"{piece}." for piece in pieces).rstrip(".")


def branches(draft: Draft, root: Sheet, text: str, spotter: Spotter) -> list[Branch]:
    """The choices inside a task that words told before make."""
    spotted = spotter.spot(draft.workspace, Message(text), {})
    return [branch for one in spotted if one.worksheet is root.worksheet for branch in one.branches]


def put_down(draft: Draft, root: Sheet, text: str) -> None:
    """Words told before as the text that the task asks for, where it has none."""
    places = [one for one in draft.workspace.places(root) if is_text(one)]
    if not any(one.known for one in places):
        inner = [one for one in places if one.opened and one.sheet is not root]
        own = [one for one in places if one.sheet is root]
        for place in [*inner, *own][:1]:
            draft.assign(place, text, text)


def only_asks(message: Message) -> bool:
    """Whether a message that begins a task tells nothing else."""
    rest = message.rest(0, len(message.text)).lower()
    return len(spoken(rest)) <= _FEW and not message.of(Form.QUESTION)


def is_text(place: Place) -> bool:
    """Whether a field takes a text in somebody's own words and asks for it."""
    return place.shape is Shape.WORDS and place.field.ask and is_long(place.field)
