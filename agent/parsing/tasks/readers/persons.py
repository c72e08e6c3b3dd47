"""Names that nothing introduces: "Jane Doe, 0612345, jane@uni.edu", "Jane Doe" as the whole of a message."""

from __future__ import annotations

import re

from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.readers.words import MONTHS, NOT_NAMES, cased
from agent.text.frequencies import english_rank
from agent.text.readers.reading import Reading

_PIECE = re.compile(r"[^,;/|\n.!?\x00]+")
_WORD = re.compile(r"[^\W\d_][^\W\d_'’-]*(?:['’-][^\W\d_]+)*")
_LEAD = compiled(r"^\W*(?:(?:{filler}|{naming}|and|me|my name)\s+)*")
_TAIL = compiled(r"\s+(?:is my (?:full )?name|here|and|with|{filler})\s*$")
_FOLLOWS = re.compile(r"^[\s,;/|]*\x00")  # a number or an address comes next
_MOST = 4  # words of a name
_COMMON = 5_000  # words more frequent than this are seldom names where they are written small
_FIRST = re.compile(r"^\s*,?\s*(?:and\s+)?(?:i'?m|i am|from|student)\b", re.IGNORECASE)


def bare_names(text: str, contact: list[Reading]) -> list[Reading]:
    """Names without a word that introduces them. `contact` are the numbers and addresses of the message, one of which a
    name stands beside; alone, it is written with capitals or of rare words."""
    letters = list(text)
    for one in contact:
        letters[one.start : one.stop] = "\x00" * (one.stop - one.start)
    blanked = "".join(letters)
    pieces = [piece for piece in _PIECE.finditer(blanked) if re.search(r"\w", piece.group())]
    found = []
    for index, piece in enumerate(pieces):
        start, stop = _trimmed(blanked, *piece.span())
        words = blanked[start:stop].split()
        if not _may_be(words):
            continue
        beside = _FOLLOWS.match(blanked[stop:]) is not None or blanked[:start].rstrip(" ,;/|").endswith("\x00")
        tells = re.match(r"\s+is my (?:full )?name\b", blanked[stop:].lower()) is not None
        begins = index == 0 and _FIRST.match(blanked[stop:]) is not None
        whole = not re.search(r"\w", _LEAD.sub("", f"{text[:start].lower()} ")) and not text[stop:].strip(" .!")
        if tells or (beside and _is_written(words)) or _stands_alone(words, alone=whole or begins):
            found.append(Reading(cased(blanked[start:stop]), start, stop, False))
    return found


def _trimmed(text: str, start: int, stop: int) -> tuple[int, int]:
    """A piece without the courtesies around it."""
    low = text[start:stop].lower()
    low = low if len(low) == stop - start else text[start:stop]
    if lead := _LEAD.match(low):
        start += lead.end() if lead.end() < len(low) else 0
    if tail := _TAIL.search(text[start:stop].lower()):
        stop = start + tail.start()
    while start < stop and text[start].isspace():
        start += 1
    return start, start + len(text[start:stop].rstrip())


def _may_be(words: list[str]) -> bool:
    if words and all(word.lower().rstrip(".") in MONTHS for word in words):
        return False  # "May 2026" is nobody
    return 0 < len(words) <= _MOST and all(_WORD.fullmatch(word) and word.lower() not in NOT_NAMES for word in words)


def _is_written(words: list[str]) -> bool:
    """As a name, or of words that are not plain English."""
    return all(word[0].isupper() for word in words) or all(_is_rare(word) for word in words)


def _stands_alone(words: list[str], *, alone: bool) -> bool:
    """Whether the words can only be a name: written so, and no plain words unless nothing else is said."""
    if len(words) < 2 or any(word.isupper() and len(word) > 1 for word in words):
        return False
    return _is_written(words) and (alone or all(_is_rare(word) for word in words))


def _is_rare(word: str) -> bool:
    return english_rank().get(word.lower(), 10**6) > _COMMON
