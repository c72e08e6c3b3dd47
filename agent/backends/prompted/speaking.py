"""Whether somebody speaks English: only then may a reply be copied from what code has written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.text.frequencies import english_rank

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ADDRESS = re.compile(r"\S*[@/]\S*")
_COMMON = 6_000  # words more frequent than this are English; rarer ones may be anybody's
_MOSTLY = 0.6


def speaks_english(messages: Sequence[str]) -> bool:
    """Whether most words of what somebody said lately are common English ones. Names and codes count as little as they
    can: where hardly a word was said, what was said before decides."""
    words = [word.lower().replace("’", "'") for text in messages for word in _WORD.findall(_ADDRESS.sub(" ", text))]
    words = [word for word in words if len(word) > 1]
    if not all(word.isascii() for word in words):
        return False
    known = [word for word in words if english_rank().get(word.split("'")[0], 10**6) < _COMMON]
    return not words or len(known) >= _MOSTLY * len(words)
