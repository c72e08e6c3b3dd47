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
from agent.parsing.semantics import english
from agent.parsing.semantics.workspace import Board, Mention, compiled

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
        classes = resource["classes"]
        self._needs = [_need(entry, classes) for entry in resource["need"]]
        self._persons = compiled(_either(resource["persons"]["match"], classes))
        self._subject = re.compile(
            rf"(?:^|(?<=\s)){classes['who']} (?:(?:am|is|are|was|has|have|got|will|would|both|all|also|really) )+$"
        )

    def __call__(self, board: Board) -> None:
        found = [(match, need) for need in self._needs for match in board.find(need.pattern)]
        found.sort(key=lambda pair: (pair[0].start() - pair[0].end(), pair[0].start()))  # the longest first
        for match, need in found:
            of_staff = set(match.group().split()[:4]) & english.doers()  # "where the owner comes over to chat"
            if board.free(*match.span()) and not of_staff:
                self._add(board, match, need)
        for match in board.find(self._persons):
            board.claim(*match.span())

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
        subject = self._subject.search(board.norm[: match.start()])
        plain = subject is not None and not english.personal().match(board.norm, *subject.span())
        if subject is not None and plain and board.free(*subject.span()):
            board.claim(*subject.span())  # whoever needs it: "<the groom is> on crutches"


def _need(entry: Mapping[str, Any], classes: Mapping[str, str]) -> Need:
    return Need(compiled(_either(entry["match"], classes)), entry["ask"], entry.get("expected", "Yes"))


def _either(phrases: list[str], classes: Mapping[str, str]) -> str:
    """A pattern for any of several phrases, with the classes of words that they name written out."""
    return "|".join(f"(?:{_CLASS.sub(lambda name: classes[name[1]], phrase)})" for phrase in phrases)
