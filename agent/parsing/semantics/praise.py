"""Praise: good food is asked of what guests say, and "a good place" is one that they rate highly.

"Good margaritas" are margaritas that guests like: the menu is asked whether there are any, the reviews whether they are
good. "A good thai place" says nothing that could be read in a review; the best rated come first.
"""

from __future__ import annotations

import re

from agent.parsing.frame import Asked, Order
from agent.parsing.semantics import english
from agent.parsing.semantics.board import Board, Mention

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


def in_reviews(board: Board, rating: tuple[str, str]) -> None:
    """Orders by rating where good reviews are wished for and nothing else says what comes first."""
    match = _IN_REVIEWS.search(board.norm)
    if match is None or not board.free(*match.span()) or any(mention.order is not None for mention in board.mentions):
        return
    order = Order(table=rating[0], column=rating[1], descending=True)
    board.add(Mention(*match.span(), "order", order=order, label="good"))


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
