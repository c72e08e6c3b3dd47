"""Praise: good food is asked of what guests say, and "a good place" is one that they rate highly; and what is told of a
thing of which nothing in particular is asked ("tell me about X", "is X any good?").

"Good margaritas" are margaritas that guests like: the menu is asked whether there are any, the reviews whether they are
good. "A good thai place" says nothing that could be read in a review; the best rated come first."""

from __future__ import annotations

import re

from agent.parsing.frame import Asked, Order, Projection
from agent.parsing.generate import SUMMARY
from agent.parsing.semantics import english
from agent.parsing.semantics.asking import OPINION
from agent.parsing.semantics.profile import Profile
from agent.parsing.semantics.workspace import Board, Mention

_HOW = "|".join(english.PRAISE)
_OF_DISH = re.compile(
    rf"(?:^|\s)(?:(?:really|very|super|truly|actually) )?(?P<how>{_HOW})(?:,? (?:and )?[a-z]+)?? "
    r"(?:(?:reviews?|ratings?|things) (?:for|about|of|on) )?(?:(?:the|their|its|some) )?$"
)
_OF_PLACE = re.compile(r"(?<![^\s])(?:good|great|excellent|amazing|awesome|fantastic|solid|decent)(?= )")
_LIKED = re.compile(
    r"(?<![^\s])(?P<most>(?:the )?most )?(?:(?:really|very|super|truly|widely|critically|universally|deservedly) )*"
    r"(?:(?:well|much|best|highly) (?:liked|loved|regarded|thought of|respected|esteemed|recommended|praised)|"
    r"acclaimed|beloved|popular|renowned|celebrated|recommended|favou?rite)(?=\s|$)"
    r"(?! (?:with|among|by|for|dish|thing))"
)
_SAID_OF = re.compile(r"\b(?:that|which|place|spot|restaurant) (?:is|are|has been|have been)(?: (?:really|very|so))* $")
_AFTER = re.compile(
    r"(?:somewhere|anywhere|something|anything|someplace) (?:really |very |super )?(?:good|great)(?=$| )"
)
_IN_REVIEWS = re.compile(
    r"(?:good|great|excellent|positive|solid|strong|amazing|decent|glowing|rave|stellar|outstanding) "
    r"(?:reviews?|ratings?)\b(?! (?:for|about|of|on)\b)"
)
_DENIED = re.compile(r"\b(?:not|no|never|nothing|hardly|with|has|have|having|serves?|serving) (?:an? |any |some )?$")
_BETWEEN = frozenset({"and", "but", "yet", ",", "little", "local", "old", "new", "neighborhood", "neighbourhood"})
_PLACE = re.compile(
    r"(?:place|spot|restaurant|joint|option|establishment|recommendation|choice|diner|hangout|eat)s?|eater(?:y|ies)"
)
_REACH = 5  # words between the praise and the place
_WHOLE = {"about", "opinion", "opinions", "overview", "summary", "summarize", "describe", "rundown", "worth", "going"}
_LEAD = r"(?:(?:so|and|hi|hello|hey|ok|but|,) )*"
_PEOPLE = r"(?:people|everyone|guests|students|reviewers|customers|diners)"
_LIKED_BY = re.compile(rf"{_LEAD}(?:do|does|did) {_PEOPLE} (?:\w+ )?(?:like|love|enjoy|recommend)\b")
_JUDGES = re.compile(  # "is X any good", "is it worth going to X", "would you recommend X", "do people like X"
    rf"{_LIKED_BY.pattern}|{_LEAD}(?:(?:is|are|was|were) (?:.* )?(?:good|bad|nice|great|decent|worth|recommended)\b|"
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


def praise_dishes(board: Board, opinions: tuple[str, str], noun: str) -> None:
    """Asks of the column of opinions whether a dish that was praised is good."""
    for mention in board.mentions:
        node = mention.node
        if mention.label != "dish" or not isinstance(node, Asked) or opinions[1] not in node.columns[1:]:
            continue
        said = _OF_DISH.search(board.norm[: mention.start])
        served = re.fullmatch(rf"does this {noun} serve (?P<dish>.+)\?", node.question)
        if said is not None and served is not None and not node.negated:
            question = f"does this {noun} serve {said['how']} {served['dish']}?"
            mention.node = node.model_copy(update={"questions": {opinions[1]: question}, "also": ()})


def praise_places(board: Board, rating: tuple[str, str]) -> None:
    """Orders by rating where the place itself is called good and nothing else says what comes first."""
    liked = [found for found in board.find(_LIKED) if _place_follows(board, found) or _of_it(board, found)]
    for found in liked:
        board.claim(*found.span())
    if any(mention.order is not None for mention in board.mentions):
        return
    match = (
        _AFTER.search(board.norm)
        or _IN_REVIEWS.search(board.norm)
        or next(iter(liked), None)
        or next((found for found in _OF_PLACE.finditer(board.norm) if _place_follows(board, found)), None)
    )
    if match is not None:
        board.claim(*match.span())
        order = Order(table=rating[0], column=rating[1], descending=True)
        board.mentions.append(Mention(*match.span(), "order", order=order, label="good"))


def _of_it(board: Board, praise: re.Match[str]) -> bool:
    """Whether the praise is said of the place in a clause of its own: "that is well liked"."""
    return bool(praise["most"]) or _SAID_OF.search(board.norm[: praise.start()]) is not None


def _place_follows(board: Board, praise: re.Match[str]) -> bool:
    """Whether the praise is of a place: adjectives and what was understood may stand between the two."""
    if _DENIED.search(board.norm[: praise.start()]):
        return False
    position = praise.end()
    for word in re.finditer(r"\S+", board.norm[position:][:80]):
        start = position + word.start()
        mention = next((m for m in board.mentions if m.start <= start < m.stop), None)
        if mention is not None and mention.label == "kind":
            return True
        if mention is not None and mention.label not in ("scale", "aspect", "place", "limit", "number"):
            return False
        if mention is None and _PLACE.fullmatch(word.group()):
            return True
        plain = mention is not None or word.group() in _BETWEEN or english.describes(word.group())
        if not plain or len(board.norm[position:start].split()) > _REACH:
            return False
    return False


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
    return _LIKED_BY.match(board.norm) is not None


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
