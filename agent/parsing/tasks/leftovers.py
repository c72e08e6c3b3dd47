"""What of a message to a form became no value, no answer and no question: it is said, not dropped."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from agent.parsing.dialogue.chitchat import chat_kind
from agent.parsing.tasks.closeness import shared
from agent.parsing.tasks.message import Form, Message
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.readers import answers
from agent.worksheets.statements import Abandon, Fill, Start, Statement, Unclear

_PARTS = re.compile(r"[,;:\n]+\s|\s[–—-]+\s|,?\s\b(?:and|but|also|so|because)\s")
_SAYS_NOTHING = re.compile(compiled(r"(?<![\w'])(?:{filler}|{apology}|{correction})(?![\w'])").pattern, re.IGNORECASE)
_FOR_US = re.compile(
    r"(?<=\w )(?:me|us)\b|\b(?:i|we) (?=(?:will|would|need|want|must|have to|should|can|could)\b)|"
    r"\b(?:i|we)(?='(?:ll|d)\b)",
    re.IGNORECASE,
)  # who wishes says what for, and tells no story
_TOLD = (Form.STATEMENT, Form.REQUEST, Form.SUGGESTION)

Tells = Callable[[str], tuple[str, ...]]


def left(
    message: Message, statements: Sequence[Statement], routers: frozenset[str], task: str, tells: Tells
) -> tuple[str, ...]:
    """Return what the clauses say that no statement was made of. `tells` is what a text says beside stories."""
    made = [item for item in statements if not isinstance(item, Start | Unclear)]
    if not made or any(isinstance(item, Abandon) for item in made):
        return ()
    low = message.low
    told = [item.words.lower() for item in made if not (isinstance(item, Fill) or item.instance in routers)]
    claimed = [span for span in message.claimed if span not in message.dropped]
    used = [*claimed, *_places(low, told)]  # what finds a row is claimed, and a router has no words of its own
    found: list[str] = []
    for start, stop in _clauses(message):
        piece = low[start:stop]
        if any(first < stop and start < last for first, last in used) or chat_kind(piece) or answers.whole(piece):
            continue
        said = tells(_FOR_US.sub("", _SAYS_NOTHING.sub(" ", message.text[start:stop])).strip(" ,.;:!?-–—"))
        found += [words for words in said if not all(shared(word, task) for word in words.lower().split())]
    return tuple(dict.fromkeys(found))


def _places(low: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Where the words of statements stand."""
    return [(at, at + len(said)) for said in words if said and (at := low.find(said.strip())) >= 0]


def _clauses(message: Message) -> list[tuple[int, int]]:
    found = []
    for sentence in message.of(*_TOLD):
        bounds = [sentence.start]
        for match in _PARTS.finditer(message.low, sentence.start, sentence.stop):
            bounds += [match.start(), match.end()]
        bounds.append(sentence.stop)
        found += [pair for pair in zip(bounds[::2], bounds[1::2], strict=True) if pair[0] < pair[1]]
    return found
