"""Where the sentences of a text are."""

from __future__ import annotations

import re

_ABBREVIATIONS = frozenset((
    "mr", "mrs", "ms", "dr", "prof", "st", "ave", "blvd", "no", "vs", "etc", "approx", "dept", "fig", "eg", "ie",
    "e.g", "i.e", "a.m", "p.m", "am", "pm", "jr", "sr", "inc", "min", "max",
))  # fmt: skip
_STOP = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)|\n+")


def sentences(text: str) -> list[tuple[int, int]]:
    """The (start, stop) of each sentence, without the blanks around it."""
    found: list[tuple[int, int]] = []
    start = 0
    for match in _STOP.finditer(text):
        if _is_abbreviation(text, match):
            continue
        _keep(text, start, match.end(), found)
        start = match.end()
    _keep(text, start, len(text), found)
    return found


def _is_abbreviation(text: str, match: re.Match[str]) -> bool:
    if match.group(0) != ".":
        return False
    before = re.search(r"[\w.]+$", text[: match.start()])
    after = text[match.end() : match.end() + 2].strip()
    if before is None:
        return False
    word = before.group(0).lower()
    if len(word) == 1 and word.isalpha() and word != "i":
        return True
    return word in _ABBREVIATIONS and not (word in {"no", "am", "pm", "a.m", "p.m"} and after[:1].isupper())


def _keep(text: str, start: int, stop: int, found: list[tuple[int, int]]) -> None:
    piece = text[start:stop]
    left = start + len(piece) - len(piece.lstrip())
    right = start + len(piece.rstrip())
    if any(character.isalnum() for character in piece):
        found.append((left, right))
