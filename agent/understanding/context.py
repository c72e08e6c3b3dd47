"""Which earlier messages a message goes on from."""

from __future__ import annotations

import re

from agent.language import Conversation

MOST = 4  # messages that are read together
JOINT = " | "  # between messages, as the linker learned them
_GOES_ON = re.compile(
    r"\W*(?:and|but|or|so|also|now|only|just|then|instead|ok(?:ay)?|what about|how about|which (?:one|of)|same)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"\b(?:it|its|they|them|their|theirs|these|those|this|that|he|she|his|her|him|one|ones|others?|another|ours|"
    r"same|former|latter|above|previous|instead|too|as well|else)\b",
    re.IGNORECASE,
)
_SORTS = re.compile(r"\W*(?:sort|order|group|rank|limit|exclude|include|remove|drop|undo)\b", re.IGNORECASE)
_ALONE = 3  # words of a message that stands alone


def with_context(message: str, conversation: Conversation) -> tuple[str, ...]:
    """Return the message after those that it goes on from, oldest first; itself alone where it stands alone."""
    past = conversation.past
    if not past or not past[-1].queries or not goes_on(message):
        return (message,)
    frame = past[-1].queries[-1].frame or {}
    before = tuple(str(said) for said in frame.get("messages", ()))
    return (*before, message)[-MOST:]


def goes_on(message: str) -> bool:
    """Return whether a message needs those before it: it begins or points as one that goes on, or is a fragment."""
    if _GOES_ON.match(message) or _SORTS.match(message):
        return True
    return bool(_POINTS.search(message)) or len(message.split()) <= _ALONE
