"""Cutting a text into passages: few enough words to be found by their meaning, enough to be understood alone."""

from __future__ import annotations

import re
from math import ceil

from agent.text.sentences import sentences

WHOLE = 45  # words; a paragraph of no more stays one passage
LONG = 35  # words; about what the passages of a longer paragraph come to, at most

_PARAGRAPH = re.compile(r"[^\n](?:.*?[^\n])??(?=\n\s*\n|\s*\Z)", re.DOTALL)


def cut(text: str) -> list[tuple[int, int]]:
    """Return the (start, stop) of each passage, in characters; passages hold whole sentences of one paragraph."""
    paragraphs = [match.span() for match in _PARAGRAPH.finditer(text)] if "\n" in text else [(0, len(text))]
    return [
        passage
        for start, stop in paragraphs
        if not text[start:stop].isspace() and start < stop
        for passage in _paragraph(text, start, stop)
    ]


def _paragraph(text: str, start: int, stop: int) -> list[tuple[int, int]]:
    """A paragraph as passages of about the same length: each sentence goes where its middle lies."""
    left = start + len(text[start:stop]) - len(text[start:stop].lstrip())
    stop = start + len(text[start:stop].rstrip())
    words = len(text[left:stop].split())
    pieces = [(left + a, left + b) for a, b in sentences(text[left:stop])] if words > WHOLE else []
    if len(pieces) < 2:
        return [(left, stop)]
    share = words / ceil(words / LONG)
    passages: dict[int, tuple[int, int]] = {}
    before = 0
    for begin, end in pieces:
        length = len(text[begin:end].split())
        number = int((before + length / 2) / share)
        passages[number] = (passages.get(number, (begin, end))[0], end)
        before += length
    return list(passages.values())
