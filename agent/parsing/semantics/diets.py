"""Diets and meals among the kinds of food: "vegan ramen" is had wherever a ramen place has vegan options, too;
breakfast and brunch beside other food say when it is eaten."""

from __future__ import annotations

import re

from agent.parsing.frame import Asked, Condition, Either, Node
from agent.parsing.lexicon import load
from agent.parsing.semantics.workspace import Board, Mention

_MEAL = re.compile(r"\b(breakfast|brunch)")
_FOR = re.compile(r"(?: (?:food|place|spot|restaurant)s?)? (?:for|at|over|as)(?: (?:a|an|my|our|late|early|weekend))* ")


class Diets:
    """Widens a diet to what reviews say, where it goes with another kind; alone it stays the kind it is."""

    def __init__(self, kinds: tuple[str, str], opinions: tuple[str, str], noun: str) -> None:
        self.table, self.column = kinds
        self.opinions, self.noun = opinions, noun
        self._diets = frozenset(load("food")["diets"]["words"])

    def __call__(self, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        """The nodes with the kinds and the diets among them in one condition."""
        kinds = [node for node in nodes if self._kind(node)]
        parts = [part for node in kinds for part in _conjuncts(node)]
        diets = [part for part in parts if self._diet(part)]
        if not diets or len(diets) == len(parts):
            return nodes
        widened = tuple(self._widened(part) if part in diets else part for part in parts)
        words = " ".join(node.words for node in kinds)
        together = Either(mode="all", parts=widened, words=words, soft=all(node.soft for node in kinds))
        return tuple(together if node is kinds[0] else node for node in nodes if node is kinds[0] or node not in kinds)

    def _kind(self, node: Node) -> bool:
        """Whether a node says what kinds of food there must be, and nothing else."""
        if isinstance(node, Asked) or node.negated:
            return False
        if isinstance(node, Condition):
            return (node.table, node.column, node.op) == (self.table, self.column, "=")
        return all(self._kind(part) for part in node.parts)

    def _diet(self, node: Node) -> bool:
        return isinstance(node, Condition) and set(node.values) <= self._diets

    def _widened(self, node: Node) -> Node:
        assert isinstance(node, Condition)  # `_diet` held
        table, column = self.opinions
        asked = [
            Asked(
                table=table,
                columns=(column,),
                question=f"does this {self.noun} have {str(value).replace('-', ' ')} options?",
                words=node.words,
            )
            for value in node.values
        ]
        return Either(mode="any", parts=(node, *asked), words=node.words)


def _conjuncts(node: Node) -> tuple[Node, ...]:
    """What must all hold for a node to hold."""
    return node.parts if isinstance(node, Either) and node.mode == "all" else (node,)


def meals_as_times(board: Board, hours: tuple[str, str]) -> None:
    """Turns a meal among the kinds of food into a time of the column `hours`, where it says when others are wanted."""
    for mention in board.mentions:
        meal = _MEAL.search(board.norm[mention.start : mention.stop]) if mention.label == "kind" else None
        if meal is None or not _follows_food(board, mention):
            continue
        table, column = hours
        words = board.words(mention.start, mention.stop)
        mention.node = Condition(table=table, column=column, values=(f"open for {meal[1]}",), words=words)
        mention.slot, mention.label = f"{table}.{column}", "hours"


def _follows_food(board: Board, meal: Mention) -> bool:
    """Whether "for" and another kind of food or a dish stand right before a meal."""
    return any(
        other.label in ("kind", "dish") and _FOR.fullmatch(board.norm[other.stop : meal.start])
        for other in board.mentions
    )
