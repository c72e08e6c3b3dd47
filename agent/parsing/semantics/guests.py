"""Guests: what is told of those who come along says what a place has to be or have for them.

"My grandfather is hard of hearing" asks for a quiet place without naming one, and "she is vegetarian" for something
that she can eat rather than for a vegetarian restaurant. The sentences are told as facts, so they are recognised before
those that only set a scene are accounted for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from agent.parsing.frame import Asked
from agent.parsing.lexicon import load
from agent.parsing.semantics.board import Board, Mention, compiled

_CLASS = re.compile(r"\{([a-z]+)\}")


@dataclass(frozen=True, slots=True)
class Need:
    """One question with the ways in which guests are told to need it."""

    pattern: re.Pattern[str]
    ask: str
    expected: Literal["Yes", "No"]


class GuestFinder:
    """Finds what guests need of a place, to be read in a table's column of opinions."""

    def __init__(self, table: str, column: str) -> None:
        self.table, self.column = table, column
        resource = load("guests")
        self._needs = [_need(entry, resource["classes"]) for entry in resource["need"]]

    def __call__(self, board: Board) -> None:
        found = [(match, need) for need in self._needs for match in board.find(need.pattern)]
        found.sort(key=lambda pair: (pair[0].start() - pair[0].end(), pair[0].start()))  # the longest first
        for match, need in found:
            if board.free(*match.span()):
                self._add(board, match, need)

    def _add(self, board: Board, match: re.Match[str], need: Need) -> None:
        said = next((group for group in match.groups() if group), "")
        node = Asked(
            table=self.table,
            columns=(self.column,),
            question=need.ask.replace("{1}", said),
            expected=need.expected,
            words=board.words(*match.span()),
        )
        slot = f"{self.table}.{self.column}?"
        board.add(Mention(*match.span(), "node", slot, node, fixed=True, label="aspect"))


def _need(entry: Mapping[str, Any], classes: Mapping[str, str]) -> Need:
    phrases = "|".join(f"(?:{_written_out(phrase, classes)})" for phrase in entry["match"])
    return Need(compiled(phrases), entry["ask"], entry.get("expected", "Yes"))


def _written_out(phrase: str, classes: Mapping[str, str]) -> str:
    """A phrase with the classes of words that it names."""
    return _CLASS.sub(lambda name: classes[name[1]], phrase)
