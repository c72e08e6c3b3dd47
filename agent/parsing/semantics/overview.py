"""What is told of a thing of which nothing in particular is asked: "tell me about X", "is X any good?"."""

from __future__ import annotations

import re

from agent.parsing.frame import Projection
from agent.parsing.generate import SUMMARY
from agent.parsing.semantics import english
from agent.parsing.semantics.board import Board
from agent.parsing.semantics.details import OPINION
from agent.parsing.semantics.profile import Profile

_WHOLE = {"about", "opinion", "opinions", "overview", "summary", "summarize", "describe", "rundown", "worth", "going"}
_LEAD = r"(?:(?:so|and|hi|hello|hey|ok|but|,) )*"
_PEOPLE = r"(?:people|everyone|guests|students|reviewers|customers|diners)"
_LIKED = re.compile(rf"{_LEAD}(?:do|does|did) {_PEOPLE} (?:\w+ )?(?:like|love|enjoy|recommend)\b")
_JUDGES = re.compile(  # "is X any good", "is it worth going to X", "would you recommend X", "do people like X"
    rf"{_LIKED.pattern}|{_LEAD}(?:(?:is|are|was|were) (?:.* )?(?:good|bad|nice|great|decent|worth|recommended)\b|"
    r"(?:would|do|can|could) you (?:\w+ )?recommend\b|should (?:i|we) (?:go|try|visit|eat|bother|take)\b|"
    r"worth\b|any good\b|"
    r"(?:do|does|has|have) (?:\w+ )*?(?:good|bad|great|decent|positive|negative) (?:reviews?|ratings?)\b)"
)
_WHAT_LIKE = re.compile(rf"{_LEAD}what (?:is|are|was|were) (?:the )?(?P<what>\S.*?) like(?: [?.!])*$")
_WHY = re.compile(r"why ")
_HOW_ONE = re.compile(
    r"\b(?:how|why|when|where) (?:do|does|did|can|could|should|would) (?:you|i|we|one|people|guests) \w+"
)
_CAN_ONE = re.compile(  # "can you actually sit down there"
    rf"{_LEAD}(?:can|could|may|do|does) (?:i|we|you|they|one|people|guests|it) (?:\w+ly )?"
    r"(?!tell|give|show|describe|say|know|recommend|think|like|help|have|you|find|suggest|get)\w+"
)
_YES_NO = re.compile(rf"{_LEAD}(?:is|are|was|were|does|do|has|have|can|will)\b")
_INTRODUCE = re.compile(r"\b(?:about|describe|description|overview|rundown|what is it)\b")


def overview(board: Board, profile: Profile) -> list[Projection]:
    """The columns that introduce a thing, and the gist of what people say of it; where it is to be judged, whether they
    find it good, and how they rate it."""
    if profile.opinions is None:
        return []
    table, column = profile.opinions
    rating = [Projection(table=profile.rating[0], column=profile.rating[1])] if profile.rating else []
    if _JUDGES.match(board.norm):
        return [Projection(table=table, column=column, question=f"is this {profile.noun} good?"), *rating]
    gist = Projection(table=table, column=column, question=SUMMARY)
    named = any(m.label == "name" for m in board.mentions) and _YES_NO.match(board.norm) is None
    introduces = named or _INTRODUCE.search(board.norm) is not None
    if OPINION.search(board.norm) or profile.introduction is None or not introduces:
        return [gist]
    scale = [Projection(table=profile.scale[0], column=profile.scale[1])] if profile.scale else []
    return [Projection(table=profile.introduction[0], column=profile.introduction[1]), *rating, *scale, gist]


def asks_if_liked(board: Board) -> bool:
    """ "Do people like X": asks of X, rather than for what is like it."""
    return _LIKED.match(board.norm) is not None


def asks_what_like(board: Board) -> bool:
    """ "What is X like": of all that there is to tell, where it is no part of X that is asked about."""
    asked = _WHAT_LIKE.match(board.norm)
    named = [(m.start, m.stop) for m in board.mentions if m.label == "name"]
    return asked is not None and any(
        start <= asked.start("what") and stop == asked.end("what") for start, stop in named
    )


def asks_in_particular(board: Board) -> bool:
    """Whether more is asked of a thing than what it is and whether it is good."""
    understood = [(m.start, m.stop, m.node.words.lower()) for m in board.mentions if m.node]
    free = [
        word.group()
        for word in re.finditer(r"\S+", board.norm)
        if not any(start <= word.start() < stop or word.group() in words for start, stop, words in understood)
    ]
    opinion = OPINION.search(board.norm)
    topic = re.search(r"\b(?:about|of) (?:the |its |their )?", board.norm[opinion.end() :] if opinion else "")
    start = opinion.end() + topic.end() if opinion and topic else len(board.norm)
    if start < len(board.norm) and not any(m.start <= start < m.stop for m in board.mentions if m.label == "name"):
        return True
    asks = _WHY.match(board.norm) or _CAN_ONE.match(board.norm) or _HOW_ONE.search(board.norm)
    return bool(asks or set(english.content(free)) - _WHOLE)
