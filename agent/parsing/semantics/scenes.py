"""Scenes: sentences that tell what happened to the user, in which nothing is wished for.

"We just moved here from Chicago" asks neither for Chicago nor for moving. A sentence is told when its subject is the
user or somebody of theirs, or is left out, and its verb is in the past, unless the verb speaks of what is searched for:
what somebody heard of, tried, liked or wanted. Where it names a place that they came to, that place still counts.
"""

from __future__ import annotations

import re

from agent.parsing.lexicon import english_rank
from agent.parsing.semantics import english
from agent.parsing.semantics.board import Board

_SENTENCE = re.compile(r"(?:^|[.;!?] )(?:(?:so|and|well|hi|hello|hey|ok|,|!|\.) )*(?=\S)")
_END = re.compile(r"(?:^|\s)(?:[.;!?]|so|(?:, )?(?:but|and (?:i|we|now|need|want|am|are|would)))(?=\s|$)|\s,(?=\s|$)")
_LATELY = r"(?P<lately>(?:(?:just|finally|recently|only|also|all|both|already|actually) )*)"
_TOLD = tuple(
    re.compile(rf"{who}{_LATELY}(?P<verb>[a-z]+)(?= |$)")
    for who in ("(?P<who>i|we) ", r"(?P<who>my|our) \S+ ", r"(?P<who>my|our) \S+ \S+ ", "(?P<who>)")
)
_ORIGIN = re.compile(r"\bfrom (?:the )?(?:\S+ ?)+$")
_SOUGHT = re.compile(
    rf"\b(?:(?:an?|any|some) (?:\S+ ){{0,2}}?(?:{'|'.join(sorted(english.generic()))})|somewhere|something)\b"
)
_RECENTLY = re.compile(r"\b(?:yesterday|today|tonight|ago|last|this (?:morning|week|month|year))\b")


def ignore_told(board: Board) -> list[tuple[int, int]]:
    """Accounts for the sentences of a message that tell what happened; where they stand."""
    told: list[tuple[int, int]] = []
    for begin in _SENTENCE.finditer(board.norm):
        start = begin.end()
        end = _END.search(board.norm, start + 1)
        stop = end.start() if end else len(board.norm)
        inside = [mention for mention in board.mentions if start <= mention.start < stop]
        if stop == len(board.norm) or any(mention.label in ("name", "title") for mention in inside):
            continue  # nothing follows that could be the wish
        sentence = board.norm[start:stop]
        if _SOUGHT.search(sentence) or not any(_tells(said, sentence) for said in _matches(sentence)):
            continue
        board.claim(start, stop)
        told.append((start, stop))
        for mention in inside:
            if mention.label == "place" and _ORIGIN.search(board.norm[: mention.stop], mention.start - 9):
                mention.node = None
    return told


def _matches(sentence: str) -> list[re.Match[str]]:
    return [said for pattern in _TOLD if (said := pattern.match(sentence)) is not None]


def _tells(said: re.Match[str], sentence: str) -> bool:
    """Whether the verb of a sentence says that something happened."""
    verb = said["verb"]
    if verb == "got" and not said["lately"] and not _RECENTLY.search(sentence):
        return False  # "got a dog" is having one
    if not said["who"]:
        return verb in english.tensed() or (bool(said["lately"]) and (verb in english.past() or _ended(verb)))
    return verb in english.past() or _ended(verb)


def _ended(verb: str) -> bool:
    """Whether a word is the regular past of a verb, as its form tells."""
    if not verb.endswith("ed") or verb in english.seeking():
        return False
    stem = verb.removesuffix("ed")
    bases = (stem, stem + "e", stem[:-1], stem[:-1] + "y" if stem.endswith("i") else stem)
    return len(stem) > 2 and any(base in english_rank() for base in bases)
