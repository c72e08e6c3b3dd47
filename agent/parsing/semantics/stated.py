"""Facts that two texts may state: that there are no exams, a course's description says as well as its students."""

from __future__ import annotations

from collections.abc import Collection

from agent.parsing.frame import Asked, Either, Node


def in_either(node: Node, opinions: tuple[str, str], description: tuple[str, str], known: Collection[str]) -> Node:
    """The node, where what is asked of opinions is `known` for a fact: also asked of what describes the row."""
    if isinstance(node, Either):
        return node.model_copy(update={"parts": tuple(in_either(p, opinions, description, known) for p in node.parts)})
    if not isinstance(node, Asked) or (node.table, *node.columns) != opinions or node.expected != "Yes":
        return node
    if node.question not in known:
        return node
    table, column = description
    other = Asked(table=table, columns=(column,), question=node.question, words=node.words)
    return node.model_copy(update={"also": (*node.also, other)})
