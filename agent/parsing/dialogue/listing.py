"""Texts that were listed or counted, asked about again: "list them", "which is the newest?"."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.parsing.frame import Frame

_ONE = re.compile(r"\W*(?:and |so |ok |okay )*(?:which|what)(?: one)?(?:'s| is| was)\b")
SHORT = 6  # words: a longer message says itself what it is about


def of_the_listed(message: str, read: Callable[[str], Frame], base: Frame, noun: str) -> Frame | None:
    """The same texts in another order or shown whole, where a short message asks so; None for any other message.

    Read as if it had said what is listed ("which is the newest" of the articles); a message that then still looks for
    words in the texts is a question of its own.
    """
    if base.presentation not in ("list", "aggregate") or len(message.split()) > SHORT:
        return None
    frame = read(f"{message.rstrip('?!. ')} {noun}")
    if frame.table != base.table or frame.presentation == "article" or any(term.words for term in frame.order):
        return None
    one = _ONE.match(message.lower()) is not None and bool(frame.order)
    limit = frame.limit if frame.limit_said else 1 if one else None
    where = (*base.where, *(node for node in frame.where if node not in base.where))
    return frame.model_copy(update={"where": where, "limit": limit, "words": message})
