"""Days of the week that are the only ones: "only Tuesdays" is the whole list of days."""

from __future__ import annotations

import re

from agent.parsing.frame import Asked, Condition, Node, leaves
from agent.parsing.semantics.workspace import Board
from agent.text.letters import fold

_ONLY = re.compile(r"\b(?:only|just)(?: (?:meets?|on|in|the))* $")
_SAID = re.compile(r"^(?:(?:that|which|meets?|meeting|held|is|are|on) )*(?:only|just) ")
_BEFORE = 16  # characters in which "only meet on the" fits


def only_days(board: Board, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """The nodes with the days compared as a whole where the user said that there be no others."""
    return tuple(_whole(board, node) for node in nodes)


def _whole(board: Board, node: Node) -> Node:
    days = [leaf for leaf in leaves(node) if isinstance(leaf, Condition)]
    if isinstance(node, Asked) or node.negated or any(day.column != "days" or day.negated for day in days):
        return node
    if len(days) > 1 and node.kind == "either" and node.mode == "any":
        return node
    at = board.text.message.find(node.words)
    before = fold(board.text.message[max(0, at - _BEFORE) : at]) + " "
    after = fold(board.text.message[at + len(node.words) :])
    if not days or not (_ONLY.search(before) or _SAID.match(fold(node.words) + " ") or after.startswith("only")):
        return node
    values = tuple(dict.fromkeys(value for day in days for value in day.values))
    return days[0].model_copy(update={"op": "exactly", "values": values, "words": node.words})
