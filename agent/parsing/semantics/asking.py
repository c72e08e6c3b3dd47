"""What it is that a message asks: what people say of a thing, and which of its sentences are questions."""

from __future__ import annotations

import re

OPINION = re.compile(
    r"\b(reviews|reviewers|people|everyone|everybody|anyone|they) (?:\w+ )?"
    r"(say|saying|think|describe|described|complain|complained|like|liked|love|loved|hate|hated|dislike|disliked|feel|felt|mention|praise|praised)|"
    r"\b(?:get|gets|got|been|being) (?:called|described|criticized|criticised|praised)\b|"
    r"\b(?:any|the|main|common|biggest) (?:complaints?|criticisms?|downsides?|drawbacks?)\b"
)
_TRAILING = re.compile(r",? (?:though|tho|anyway|then)(?=[\s?!.]*$)", re.IGNORECASE)


def asked_with_a_mark(message: str) -> str:
    """The sentences of a message that end with a question mark; all of it where none does."""
    asked = [one for one in re.split(r"(?<=[.!?])\s+", message.strip()) if one.endswith("?")]
    return _TRAILING.sub("", re.sub(r"\?+", "?", " ".join(asked)) if asked else message)
