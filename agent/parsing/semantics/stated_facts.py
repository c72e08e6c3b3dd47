"""Facts that two texts may state: that there are no exams, a course's description says as well as its students."""

from __future__ import annotations

import re
from collections.abc import Collection

from agent.parsing.frame import Asked, Either, Node
from agent.parsing.semantics import english

# What there is in a course, what is done in it: no matter of taste.
_JUDGED = "|".join(
    (*english.PRAISE, "bad", "poor", "fair", "helpful", "clear", "boring", "strong", "decent", "terrible")
)
_CONTENT = re.compile(
    rf"does this \w+ (?!feel|seem|get|take (?:too|a lot)|\w+ (?:an? )?(?:(?:really|very|too) )?(?:{_JUDGED})\b)|"
    r"(?:can|do) (?:the )?students (?!feel|find|think|like|have to)|"
    r"does (?:an?|each|every) (?!instructor|teacher|prof|lecturer|workload|material)\w+ "
    r"(?!feel|seem|get)"
)


def in_either(node: Node, opinions: tuple[str, str], description: tuple[str, str], known: Collection[str]) -> Node:
    """The node, where what is asked of opinions is `known` for a fact, or is one by its wording: also asked of what
    describes the row."""
    if isinstance(node, Either):
        return node.model_copy(update={"parts": tuple(in_either(p, opinions, description, known) for p in node.parts)})
    if not isinstance(node, Asked) or (node.table, *node.columns) != opinions or node.expected != "Yes":
        return node
    if node.question not in known and _CONTENT.match(node.question) is None:
        return node
    table, column = description
    other = Asked(table=table, columns=(column,), question=node.question, words=node.words)
    return node.model_copy(update={"also": (*node.also, other)})
