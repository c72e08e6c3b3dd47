"""Places that are named to be left out: "anywhere but X", "outside of X", "X is too far"."""

from __future__ import annotations

import re
from typing import Literal

from agent.parsing.semantics.board import Board, Mention

_BUT = (
    r"(?:but|except(?:ing)?(?: for)?|excluding|save(?: for)?|bar|barring|"
    r"other than|besides|apart from|aside from|minus)"
)
_ANYWHERE = (
    r"(?:(?:any|every|some)(?:where|place)|wherever|all over(?: \S+){0,3}?|"
    r"(?:any|every|all|each|some|another|other)(?: (?!and |or )[a-z]+){1,4}?|nowhere|no place)"
)
_TRAVEL = r"(?:make it|get|go|drive|head|come|travel|cross|trek)(?: (?:out|over|up|down|back|all the way))? to"
_AT = r"(?: (?:in|at|near|around|the|downtown|central|all|of|to))*"
_BEFORE = re.compile(
    rf"(?:^|(?<=\s))(?:(?:in|at|to|from|be) )?(?:"
    rf"{_ANYWHERE}(?: else| at all)*(?: ,)? (?:{_BUT}|(?:that |which )?(?:is |are )?not){_AT}|"
    rf"not (?:(?:want|like|have|able) )?(?:to )?(?:do|{_TRAVEL}){_AT}|"
    r"(?:(?:(?:just|right|well|anywhere|somewhere|located) )*(?:outside(?: of)?|beyond)|"
    r"(?:keep|stay|staying|get|getting|go|going|be|us|me|somewhere|anywhere|venture|venturing) out of|"
    r"(?:well |somewhere |anywhere |far |farther |further |as far )*(?:away|far|farther|further) (?:as possible )?from)"
    r"(?: (?:the|downtown|central))*"
    r") $"
)
_FAR = (
    r"(?:too (?:far|long|much)(?: (?:away|off|out|of|an?|the|drive|trip|trek|hike|haul))*|"
    r"(?:quite )?a (?:trek|hike|haul))"
)
_AFTER = re.compile(
    r" (?:is|are|would be|will be|feels|seems|sounds)"
    r"(?: (?:just|simply|way|much|a bit|a little|really|honestly|probably|definitely|for us|for me|today|tonight))*"
    rf" (?:{_FAR}|off the (?:table|list|menu)|out of (?:the question|reach|our way|my way|range)|not an option|"
    r"not (?:doable|feasible|possible|realistic))(?: (?:for|from) (?:me|us|here|there|home|work))?(?= |$)"
)
_ONLY = re.compile(
    r"(?:^|\s)(?:nowhere|no place|nothing|not|never|no|none)(?: (?:too|very|so|that|really|anything|anywhere))* $"
)
_LATER = re.compile(r" (?:before|until|till|by|on time|in time|early|that)(?= |$)")
_INSIDE = frozenset({"city", "far city", "district", ""})  # kinds of places that one can be outside of, and still near

Sense = Literal["out", "in", ""]


def sense(board: Board, start: int, stop: int, kind: str) -> tuple[Sense, int, int]:
    """Whether the words around a place say that it is left out, or only it is wanted; and the stretch they take up.

    `start:stop` is the place's name, `kind` what sort of place it is. Nothing is said of most places: then it is "".
    """
    if (after := _AFTER.match(board.norm, stop)) is not None and board.free(stop, after.end()):
        return "out", start, after.end()
    clause = re.split(r"(?:^|\s)[.;!?](?=\s)", board.norm[:start])[-1]
    said = _BEFORE.search(clause)
    if said is None:
        return "", start, stop
    words = said.group()
    if re.search(r"\boutside\b", words) and kind not in _INSIDE:
        return "", start, stop  # "outside the station" is near it
    if re.search(r"\bnot\b", words) and _LATER.match(board.norm, stop):
        return "in", start, stop  # "I cannot get to X before eight"
    begin = start - len(clause) + said.start()
    none = _ONLY.search(clause[: said.start()])
    only = none is not None or re.match(r"(?:in |at |to )?(?:nowhere|no place)\b", words) is not None
    if none is not None and re.search(r"\bfar(?:ther)?\b|\bfurther\b", words):
        return "", start, stop  # "not too far from X" is near it
    begin -= len(none.group().lstrip()) if none is not None else 0
    return "in" if only else "out", begin, stop


def mark(board: Board, mention: Mention, start: int, stop: int, kind: str) -> None:
    """Tells a mention of a place what the words around it say."""
    meant, begin, end = sense(board, start, stop, kind)
    if not meant:
        return
    mention.fixed, mention.denied = True, meant == "out"
    if board.free(begin, mention.start):
        mention.start = min(begin, mention.start)
    if board.free(mention.stop, end):
        mention.stop = max(end, mention.stop)
