"""What a message tells without wishing for it: what was recognised where nothing is marked is no condition.

"We had burgers yesterday" wants none. A need is told as well and stays: "my sister is vegan".
"""

from __future__ import annotations

import re
from collections.abc import Collection

from agent.networks.tagger import Marks
from agent.parsing.frame import Asked
from agent.parsing.semantics.workspace import Board, Mention

TOLD = 0.2  # likelihood of being marked below which what was recognised is part of the story
EATEN = 0.3  # the same for food, of which stories are full
OCCASION = 0.1  # the same for whom or what it has to be good for, which is mostly told
SURE = 0.8  # likelihood from which a wish is as firm as any other condition
LIKELY = 0.5  # likelihood of a wish from which a part of a name in it names nothing
NAMED = ("name", "title")
_GIVEN_UP = frozenset({"kind", "dish", "aspect", "scale", "number", "good", "value", "hours", "time"})
_NEEDS = re.compile(r"celiac|allerg|gluten|wheelchair|vegan|vegetarian|halal|kosher")
_ENOUGH = re.compile(r"\b(?:had (?:enough|my fill)(?: of)?|(?:sick|tired|bored) of|fed up with)(?: the| all| this)* $")


def wished(marks: Marks, least: float = SURE) -> tuple[tuple[int, int], ...]:
    """The stretches of a message, as characters, that are wishes by a likelihood above `least`."""
    kinds = ("wish", "unwanted", "preferred")
    return tuple((mark.start, mark.stop) for mark in marks.marks if mark.kind in kinds and mark.probability > least)


def leave_out_told(board: Board, marks: Marks, labels: Collection[str] = _GIVEN_UP) -> None:
    """Takes back what was recognised in words that nothing is wished for in; a place only if another is looked for.

    What guests need, or somebody fears, is told rather than wished for and stays.
    """
    told = [m for m in board.mentions if (m.node or m.order) and _likely(board, marks, m) < _least(m)]
    told += [m for m in board.mentions if m not in told and m.label == "dish" and _ENOUGH.search(board.norm[: m.start])]
    elsewhere = any(mention.label == "place" for mention in board.mentions if mention not in told)
    for mention in told:
        if (mention.label in labels and not needed(mention)) or (mention.label == "place" and elsewhere):
            board.mentions.remove(mention)


def _least(mention: Mention) -> float:
    """The likelihood of being marked that what was recognised needs to be wished for."""
    if isinstance(mention.node, Asked) and " good for " in mention.node.question:
        return OCCASION
    return EATEN if mention.label in ("dish", "kind") else TOLD


def needed(mention: Mention) -> bool:
    """Whether a mention was understood of what somebody tells: what they need, fear, ate already or have to be at."""
    if mention.label in ("aspect", "time", "value") and (mention.fixed or mention.unwanted):
        return True
    return mention.denied or (isinstance(mention.node, Asked) and _NEEDS.search(mention.node.question) is not None)


def _likely(board: Board, marks: Marks, mention: Mention) -> float:
    """How likely a mention belongs to what is wanted."""
    first, last = board.text.token_at(mention.start), board.text.token_at(mention.stop - 1)
    return marks.likely(board.text.tokens[first].start, board.text.tokens[last].stop)
