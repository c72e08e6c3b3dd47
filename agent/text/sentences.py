"""Where the sentences of a text are."""

from __future__ import annotations

import re

_ABBREVIATIONS = frozenset((  # what stands after them belongs to them, capital or not
    "mr", "mrs", "ms", "messrs", "dr", "prof", "rev", "hon", "capt", "col", "gen", "gov", "lt", "sgt", "sen", "rep",
    "st", "mt", "ft", "ave", "blvd", "rd", "hwy", "vs", "approx", "ca", "dept", "fig", "figs", "eq", "ch", "sec", "vol",
    "pp", "eg", "ie", "e.g", "i.e", "cf", "min", "max", "incl", "excl", "est", "tel", "ext", "nos", "bldg", "rm", "apt",
    "ste",
))  # fmt: skip
_OFTEN_LAST = frozenset(("am", "pm", "a.m", "p.m", "etc", "jr", "sr", "inc", "ltd", "co", "corp", "u.s", "u.k"))
_CALENDAR = frozenset((
    "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
    "mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri",
))  # fmt: skip
MOST = 1_000  # characters of a sentence
LONGEST = 12  # characters of a last word that are looked at: more than an abbreviation has
_LAST = re.compile(r"[\w.]+$")
_STOP = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s|$)|\n+")


def sentences(text: str) -> list[tuple[int, int]]:
    """The (start, stop) of each sentence, without the blanks around it; what has no end is cut after `MOST` characters.

    Whatever reads sentence by sentence therefore takes a time that grows with the text and no faster.
    """
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
    before = _LAST.search(text, max(0, match.start() - LONGEST), match.start())
    after = text[match.end() : match.end() + 2].strip()
    if before is None:
        return False
    word = before.group(0).lower()
    if len(word) == 1 and word.isalpha() and word != "i":
        return True
    if word in _CALENDAR:  # "Sept. 4", "Fri. to Sun."; "It closed in Dec. The next day …"
        return not after[:1].isupper()
    if word == "no":  # "No. 4", not the answer "No."
        return after[:1].isdigit()
    if word in _OFTEN_LAST:
        return not after[:1].isupper() and bool(after)
    return word in _ABBREVIATIONS


def _keep(text: str, start: int, stop: int, found: list[tuple[int, int]]) -> None:
    while stop - start > MOST:
        blank = text.rfind(" ", start + 1, start + MOST)
        cut = blank if blank > 0 else start + MOST
        _keep(text, start, cut, found)
        start = cut
    piece = text[start:stop]
    left = start + len(piece) - len(piece.lstrip())
    right = start + len(piece.rstrip())
    if any(character.isalnum() for character in piece):
        found.append((left, right))
