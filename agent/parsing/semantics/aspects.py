"""Aspects: what people say about a thing in many ways, put as the one question that asks for it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.parsing.frame import Asked
from agent.parsing.lexicon import load
from agent.parsing.semantics.board import Board, Mention, compiled


@dataclass(frozen=True, slots=True)
class Aspect:
    """One question with the ways of asking for it; `unless` asks for its opposite."""

    pattern: re.Pattern[str]
    ask: str
    unless: str = ""


class AspectFinder:
    """Finds the aspects that the lexicon knows for one table, to be read in its column of opinions."""

    def __init__(self, table: str, column: str, lexicon: str) -> None:
        self.table, self.column = table, column
        self._aspects = [
            Aspect(
                compiled("|".join(f"(?:{phrase})" for phrase in entry["match"])), entry["ask"], entry.get("unless", "")
            )
            for entry in load(lexicon)["aspect"]
        ]

    def words(self) -> list[str]:
        """Words of the patterns, for the speller."""
        return [
            word
            for aspect in self._aspects
            for word in re.findall(r"(?<![\\\w])[a-z]{5,}(?![?*\w])", aspect.pattern.pattern)
        ]

    def __call__(self, board: Board) -> None:
        found = [(match, aspect) for aspect in self._aspects for match in board.find(aspect.pattern)]
        found.sort(key=lambda pair: (pair[0].start() - pair[0].end(), pair[0].start()))  # the longest first
        for match, aspect in found:
            if board.free(*match.span()):
                self._add(board, match, aspect)

    def _add(self, board: Board, match: re.Match[str], aspect: Aspect) -> None:
        question = aspect.ask
        if match.lastindex and "{1}" in question:
            filled = next((group for group in match.groups() if group), "")
            question = question.replace("{1}", filled)
        node = Asked(table=self.table, columns=(self.column,), question=question, words=board.words(*match.span()))
        board.add(Mention(*match.span(), "node", f"{self.table}.{self.column}?", node, label="aspect"))

    def opposite(self, question: str) -> str:
        """The question for the opposite of an aspect, where there is a better one than its negation."""
        return next((aspect.unless for aspect in self._aspects if aspect.ask == question), "")
