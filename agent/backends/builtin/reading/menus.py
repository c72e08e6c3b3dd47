"""Lists of names, like the dishes of a place: what is on the list is served, in so many words.

A network that reads sentences makes nothing of "phở gà ta on Sundays". Names are compared word by word, without
accents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.backends.builtin.reading.questions import Question
from agent.protocols.reading import Passage
from agent.text.words import tokens, word_set

LONGEST = 8  # words of a name
FEWEST = 3  # names that make a list
_SERVES = re.compile(r"\b(?:serves?|have|has|offers?|sells?|makes?) (?P<what>.+)$", re.IGNORECASE)
_PRAISE = word_set(
    "good great nice best decent authentic real tasty delicious amazing excellent fresh favourite popular"
)


def is_menu(passages: Sequence[Passage]) -> bool:
    """Are these names, and no sentences?"""
    short = all(
        len(one.text.split()) <= LONGEST and not one.text.rstrip().endswith((".", "!", "?")) for one in passages
    )
    return short and len({one.document for one in passages}) >= FEWEST


def named(question: Question, passages: Sequence[Passage]) -> list[int]:
    """Return the numbers of the names that have all the words of what is asked for ("does it serve <pho>?")."""
    asked = _SERVES.search(question.claim)
    if asked is None or not is_menu(passages):
        return []
    words = {token.stem for token in tokens(asked["what"]) if token.content} - _PRAISE
    held = [{token.stem for token in tokens(one.text)} for one in passages]
    return [number for number, stems in enumerate(held) if words and words <= stems]
