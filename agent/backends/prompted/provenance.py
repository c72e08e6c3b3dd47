"""Whether a value that a model wrote was said by somebody: what nobody said is no value, but an invention."""

from __future__ import annotations

import re

from rapidfuzz import fuzz

from agent.backends.prompted.quotes import locate
from agent.parsing.tasks.message import Message
from agent.parsing.tasks.readers import contact
from agent.text.readers import numbers
from agent.text.values import read_number

TYPING = 80.0
"""How alike (0 to 100, rapidfuzz's ratio) a word must be to one that was said, to be the same with a typing error."""

SAID = 0.6
"""The part of a text's words that somebody must have said; the rest may be the joints of a sentence."""


def said(words: str, message: str) -> bool:
    """Return whether a quoted stretch stands in the message."""
    return locate(words, message) is not None


def told(value: str | int | float, sources: str) -> bool:
    """Return whether a text or number can be found in what was said so far.

    Figures have to be there one by one, wherever their spaces and dots stand ("cs161" is "CS 161"); of the words of a
    text most have to be.
    """
    sources = f"{sources}\n{spelled_out(sources)}"
    if not isinstance(value, str):
        return _number_told(value, sources)
    spoken = _words(sources)
    squashed = "".join(spoken)
    if "".join(_words(value)) in squashed:
        return True
    if any(figure not in squashed for figure in re.findall(r"\d+", value)):
        return False
    words = [word for word in _words(value) if not word.isdigit()]
    found = [word for word in words if word in squashed or any(fuzz.ratio(word, one) >= TYPING for one in spoken)]
    return len(found) >= SAID * len(words)


def spelled_out(text: str) -> str:
    """What is said in words, as it is written: "zero six four eight" as 0648, "jo at example dot com" as an address."""
    low = Message(text).low
    found = [*contact.identifiers(low), *contact.phones(low), *contact.emails(low), *numbers.read(low)]
    return "\n".join(str(one.value) for one in found)


def _number_told(value: float, sources: str) -> bool:
    return any(read_number(word) == value for word in re.findall(r"[\w.,]+", sources))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())
