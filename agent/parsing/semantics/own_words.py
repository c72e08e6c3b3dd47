"""A question in the user's own words, as it is put to the texts of one thing."""

from __future__ import annotations

import re

from agent.parsing.semantics.board import Board
from agent.parsing.semantics.details import asked_with_a_mark

_OF_ANY = re.compile(  # "is any of them getting better": asked of each
    r"^(is|are|does|do|has|have|did|was|were) (?:any|either|some|one|all)(?: of (?:them|these|those))?(?= )",
    re.IGNORECASE,
)
_SINGULAR = {"are": "is", "do": "does", "have": "has", "were": "was"}
_ANY_GOOD = re.compile(r"\bany good\b", re.IGNORECASE)
_TELL = re.compile(
    r"^(?:(?:can|could|would) you )?(?:please )?tell me (?:more |a bit |something )*about ", re.IGNORECASE
)


def own_words(board: Board, noun: str, question: str) -> str:
    """The question with "this restaurant" in the place of a name, and what asks of any as it is asked of one."""
    words, this = asked_with_a_mark(question).strip().rstrip("?!. "), f"this {noun}"
    for mention in board.mentions:
        if mention.label == "name" and mention.node is not None:
            words = words.replace(mention.node.words, this)
    words = re.sub(rf"\bthe ({this})", r"\1", words)  # "the X curry"
    words = _OF_ANY.sub(lambda said: f"{_SINGULAR.get(said[1].lower(), said[1])} {this}", words)
    words = _ANY_GOOD.sub("good", _TELL.sub("what do guests say about ", words))
    return words[:1].lower() + words[1:] + "?"
