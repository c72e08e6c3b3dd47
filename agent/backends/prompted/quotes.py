"""Finding the words a model quoted in the text they are said to come from.

A quote is evidence only where the text has it. Models drop a word, mend a typo, cut the middle out with dots or
straighten a curly quote, so the search is exact first and forgiving after; a quote that is not there is dropped.
"""

from __future__ import annotations

import re

from rapidfuzz import fuzz

SIMILAR = 88.0
"""How alike (0 to 100, rapidfuzz's partial ratio) a quote and the stretch it is taken for must be."""

SHORTEST = 8
"""Quotes shorter than this many characters are only found exactly: anything short is similar to something."""

_ELLIPSIS = re.compile(r"\s*(?:\.\.\.|…|\[\.\.\.\]|\[…\])\s*")
_STRAIGHT = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\n": " ", "\t": " ", "\xa0": " "}
)


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """Return where in `text` the quoted words stand, as character offsets (start, stop), or None."""
    wanted = _plain(quote.strip().strip("\"“”'‘’"))
    if not wanted.strip():
        return None
    where = _exactly(wanted, text) or _similarly(wanted, text)
    if where is None and _ELLIPSIS.search(wanted):
        longest = max(_ELLIPSIS.split(wanted), key=len)
        where = locate(longest, text) if longest else None
    return where


def _exactly(wanted: str, text: str) -> tuple[int, int] | None:
    """The first occurrence, blind to case, to the shape of quotes and dashes, and to runs of white space."""
    pattern = r"\s+".join(re.escape(word) for word in wanted.split())
    found = re.search(pattern, _plain(text), re.IGNORECASE)
    return found.span() if found else None


def _similarly(wanted: str, text: str) -> tuple[int, int] | None:
    """The most similar stretch, widened to whole words."""
    if len(wanted) < SHORTEST or len(text) < len(wanted) // 2:
        return None
    plain = _plain(text).casefold()
    if len(plain) != len(text):  # a character whose lower case is longer would shift every offset
        plain = _plain(text)
    found = fuzz.partial_ratio_alignment(wanted.casefold(), plain, score_cutoff=SIMILAR)
    if found is None or found.dest_end - found.dest_start < len(wanted) // 2:
        return None
    return _whole_words(text, found.dest_start, found.dest_end)


def _whole_words(text: str, start: int, stop: int) -> tuple[int, int]:
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while stop < len(text) and text[stop].isalnum() and text[stop - 1].isalnum():
        stop += 1
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    return start, stop


def _plain(text: str) -> str:
    """The same characters, one for one, in their plain shape."""
    return text.translate(_STRAIGHT)
