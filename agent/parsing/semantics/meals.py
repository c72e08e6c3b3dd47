"""Breakfast and brunch beside other food say when it is eaten: "dim sum for breakfast" is dim sum, in the morning."""

from __future__ import annotations

import re

from agent.parsing.frame import Condition
from agent.parsing.semantics.board import Board, Mention

_MEAL = re.compile(r"\b(breakfast|brunch)")
_FOR = re.compile(r"(?: (?:food|place|spot|restaurant)s?)? (?:for|at|over|as)(?: (?:a|an|my|our|late|early|weekend))* ")


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
