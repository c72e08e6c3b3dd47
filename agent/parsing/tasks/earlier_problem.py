"""A problem that was told before its task was begun ("I was charged twice." … "Can you open a ticket for that?"), and
what is told of something else than the task ("it's my birthday today").

Its words are the text that the task asks for, and may make choices in it. All of it is shown before anything is done.
"""

from __future__ import annotations

import re
from itertools import takewhile

from agent.language import PastTurn
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import Form, Message
from agent.parsing.tasks.phrases import said
from agent.parsing.tasks.shapes import Shape, is_long
from agent.parsing.tasks.similarity import shared, spoken
from agent.parsing.tasks.spotting import Branch, Spotter
from agent.parsing.tasks.values import MEAL, Values
from agent.parsing.tasks.workspace import Place, Sheet
from agent.text import grammar
from agent.text.readers.reading import Reading

MOST = 3  # messages before that belong together
_FEW = 1  # content words that a mere request has beside those that name the task
_STOPS = re.compile(r"[,;.!?\n]|\b(?:and|but|so|then)\b")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_FINITE = ("VBZ", "VBP", "VBD")
_SHORT = ("'s", "'m", "'re")  # "it's"
_WISHES = re.compile(
    r"\b(?:says?|said|wants?|prefers?|needs?|likes?|suggests?|asks?|asked|works?|suits?|fits?|"
    r"(?:should|must|has to|have to|can|could|would|will|'ll|'d))\b"
)
_SUITS = re.compile(
    r"(?:free|available|able|good|better|best|fine|great|ok|okay|nice|perfect|possible|easier|easiest|ideal|right|sure)$"
)


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


def is_beside(low: str, reading: Reading, found: Values, task: str) -> bool:
    """Whether the clause of a value is a sentence of its own about a thing that is no value and no part of the task."""
    before = list(_STOPS.finditer(low, 0, reading.start))
    after = _STOPS.search(low, reading.stop)
    start, stop = before[-1].end() if before else 0, after.start() if after else len(low)
    clause = low[start:stop]
    if said("request", clause) or said("correction", clause) or _WISHES.search(clause):
        return False
    values = [one for readings in found.found.values() for one in readings]
    words = list(_WORD.finditer(low, start, stop))
    tags = grammar.tags(tuple(match.group() for match in words))
    tells = any(tag in _FINITE or word.group().endswith(_SHORT) for word, tag in zip(words, tags, strict=True))
    return tells and any(
        _is_other(word, tag, reading, task)
        for word, tag in zip(words, tags, strict=True)
        if not any(one.start < word.end() and word.start() < one.stop for one in values)
    )


def _is_other(word: re.Match[str], tag: str, reading: Reading, task: str) -> bool:
    """Whether a word names a thing, or says how something is on the day that follows ("is hot today")."""
    if shared(word.group(), task) or (MEAL.search(word.group()) and MEAL.search(task)):
        return False
    describes = tag.startswith("JJ") and word.end() <= reading.start and _SUITS.match(word.group()) is None
    return tag.startswith("NN") or describes
