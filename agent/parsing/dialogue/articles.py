"""A question to articles after others: what it goes on from."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.parsing.dialogue import cues
from agent.parsing.dialogue.history import Past
from agent.parsing.dialogue.references import with_chosen
from agent.parsing.frame import Frame
from agent.parsing.semantics import english

ELLIPTICAL = 5  # words: a question to articles that is this short is read as going on from the one before it
POINTING = 3  # words: one this short says next to nothing by itself
CLAUSE = 9  # words: in a longer one, "it" and "that" more likely refer to something in the message itself
CLOSED = 12  # words: the same, where "it" or "that" closes the only clause of the message

_TIMES = (
    "autumn fall winter spring summer quarter semester term terms date dates day days week weeks weekend month months "
    "year years january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday"
)
_RULES = (
    "amount charge charges cost costs deadline deadlines due early exception exceptions fee fees first form happen "
    "happens hours last late later latest limit limits long maximum minimum miss missed number price rule rules steps "
    "time times usual whats"
)
_OF_ANYTHING = frozenset(f"s m {_TIMES} {_RULES}".split())  # what any matter has: "the deadline for spring"

_POINTS = re.compile(r"\b(?:it|its|they|them|that|this|those|these)\b", re.IGNORECASE)
_ENDS_POINTING = re.compile(r"^[^,;.!?]*\b(?:it|them|that|this|those|these)\W*$", re.IGNORECASE)


def with_name(left: str, right: str, first: Frame) -> str:
    """A question with the values of the article that the one before it asked of in place of the word for them: "is X
    required for it" as "is X required for the BS in AI"."""
    said = [left.find(node.words) for node in first.where]
    if first.presentation != "article" or not said or min(said) < 0:
        return right
    stop = max(at + len(node.words) for at, node in zip(said, first.where, strict=True))
    return with_chosen(right, re.sub(r"^(?:for|in|of|by|to|from) ", "", left[min(said) : stop]))


def going_on(message: str, read: Callable[..., Frame], base: Frame, past: Past) -> Frame:
    """The question, found by its own words or, where those say too little, by the talk, answered or not."""
    new = read(message)
    topic, length = past.topic(message), len(message.split())
    points = length <= POINTING or _points(message, length) or (length <= CLAUSE and is_bare(message))
    before = f"{topic} {base.words} ".lstrip() if points else ""
    order = tuple(
        term.model_copy(
            update={"words": f"{before}{term.words}", "context": f"{topic}: {term.words}" if topic else term.context}
        )
        for term in new.order
    )
    found = new.model_copy(update={"order": order})
    if not (points or length <= ELLIPTICAL or cues.connects(message)):
        return found
    about = f" (about: {base.words.rstrip('?!. ')})"
    projections = tuple(
        one.model_copy(update={"question": one.question + about}) if one.question else one for one in found.projections
    )
    return found.model_copy(update={"projections": projections, "words": base.words})


def is_bare(message: str) -> bool:
    """Whether a message names no matter of its own: the deadline that it asks for is one of what the talk is on."""
    return all(word in _OF_ANYTHING for word in english.content(re.findall(r"[a-z]+", message.lower())))


def _points(message: str, length: int) -> bool:
    """Whether a message of so many words refers to what was said before it."""
    return (length <= CLAUSE and _POINTS.search(message) is not None) or (
        length <= CLOSED and _ENDS_POINTING.match(message) is not None
    )
