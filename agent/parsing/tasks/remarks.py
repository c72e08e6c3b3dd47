"""What is said of the talk itself while something is waited for: "sorry, was away", "hm, what else …".

It is no value of anything, whatever was asked.
"""

from __future__ import annotations

import re
from itertools import pairwise

from agent.parsing.tasks.phrases import compiled

_STOPS = re.compile(r"\.{2,}|…|[.!?;,](?=\s|$)|\s[-–—]+(?=\s)|\n")
_REMARK = compiled(r"^\W*(?:(?:{filler}|{apology})[\s,]+)*(?:{remark})(?:[\s,]+(?:{filler}|{apology})){0,8}\W*$")
_TELLS_OF_ONESELF = re.compile(r"^\W*(?:i|we)\b")  # "I was away" may be an answer
_LEADS = compiled(r"^\W*(?:(?:{filler}|{apology})\W*)+$")
_APOLOGISES = compiled(r"^\W*(?:{apology})\W*$")


def without(low: str, text: str) -> str:
    """The text with its remarks blanked, so that the rest stands where it stood. All blank where it is nothing else.
    `low` is the text in lower case with straight quotes."""
    pieces = _pieces(low)
    letters = list(text)
    for index, (start, stop) in enumerate(pieces):
        if not _is_remark(low[start:stop], [low[first:last] for first, last in pieces[:index]]):
            continue
        for first, last in [*_leads(low, pieces[:index]), (start, stop)]:
            letters[first:last] = " " * (last - first)
    return "".join(letters)


def _pieces(low: str) -> list[tuple[int, int]]:
    """The stretches between stops, each with the stop that ends it."""
    bounds = [0, *(match.end() for match in _STOPS.finditer(low)), len(low)]
    return [(start, stop) for start, stop in pairwise(bounds) if low[start:stop].strip()]


def _is_remark(piece: str, before: list[str]) -> bool:
    """Whether a piece is one: of oneself, only where it excuses something."""
    if _REMARK.match(piece) is None:
        return False
    return _TELLS_OF_ONESELF.match(piece) is None or any(_APOLOGISES.match(one) for one in before[-1:])


def _leads(low: str, before: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What leads to a remark and says nothing either."""
    found: list[tuple[int, int]] = []
    for start, stop in reversed(before):
        if _LEADS.match(low[start:stop]) is None:
            break
        found.append((start, stop))
    return found
