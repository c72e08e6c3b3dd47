"""What kind of short answer a question asks for, and the noun that names it ("which river ..." asks for a river)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from agent.language.builtin.reading.stretches import AUXILIARIES
from agent.language.builtin.reading.words import concepts, stem, tokens, word_set

_WHEN = word_set("time year day date month hour season quarter")
_MEASURED = word_set("long old far often late early big large high tall wide fast quickly soon heavy deep")
_EVENTS = word_set("makes made comes came got replaced")
_DOING = word_set("did does do can could should must will would has had have")
_BEING = word_set("is are was were")
_PERSONS = word_set("who whose whom")
_SORTS = word_set("kind type sort kinds types sorts")


@dataclass(frozen=True, slots=True)
class Asked:
    """`kind` of answer and the `group` of kinds it belongs to; `noun`, the stem of what the answer is called, or "";
    the question's content, as stems and families."""

    kind: str
    group: str
    noun: str
    stems: frozenset[str]
    families: frozenset[int]


@lru_cache(maxsize=4_096)
def read_asked(question: str) -> Asked:
    """Reads the first question word; a question without one asks for "other"."""
    words = re.findall(r"[a-z0-9'’]+", question.lower())
    kind, noun = next(
        (found for place in range(len(words)) if (found := _kind(words[place], words[place + 1 :]))), ("other", "")
    )
    stems = frozenset(token.stem for token in tokens(question) if token.content)
    group = "an amount" if kind.startswith("how ") else "a thing" if kind.startswith("what ") else kind
    return Asked(kind, group, stem(noun) if noun else "", stems, frozenset(one.family for one in concepts(question)))


def _kind(word: str, rest: list[str]) -> tuple[str, str] | None:
    """(kind, noun) if `word` is a question word; `rest` is what follows it."""
    following = [*rest, "", "", ""]
    if word in _PERSONS:
        return "who", ""
    if word in {"when", "where", "why"}:
        return word, ""
    if word == "how":
        return _how(following)
    return _what(following) if word in {"what", "which"} else None


def _how(following: list[str]) -> tuple[str, str]:
    first = following[0]
    if first == "many":
        return "how many", following[1]
    return (f"how {first}" if first == "much" or first in _MEASURED else "how"), ""


def _what(following: list[str]) -> tuple[str, str]:
    first, second, third = following[:3]
    if first in _WHEN:
        return "when", first
    if first in _SORTS and second == "of":
        return "what noun", third
    if first in _BEING and second == "the":
        return "what is", third
    if first in _DOING:
        return "what do", ""
    if first.startswith("happen"):
        return "event", ""
    if not first or first in AUXILIARIES or first in _EVENTS:
        return "what is", ""
    return "what noun", first
