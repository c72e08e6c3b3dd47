"""Conditions on how a value is written, or that there is none: "whose name starts with S", "with no phone number"."""

from __future__ import annotations

import re

from agent.catalogue.tables import Column, Kind, Table
from agent.parsing.frame import Comparison, Condition
from agent.parsing.semantics.workspace import Board, Mention, alternatives, compiled
from agent.text.letters import fold

_SHAPES = (
    (r"(?:starts?|starting|begins?|beginning) with", "{}%"),
    (r"(?:ends?|ending) (?:in|with|on)", "%{}"),
    (r"(?:contains?|containing|includes?|including)|with|has|have|having", "%{}%"),
)
_LETTERS = r"(?: (?:the|a|an))?(?: (?P<what>letters?|words?|name))?"
_LACKING = (
    r"(?:with no|without(?: an?| any)?|has no|have no|having no|(?:that |which )?lacks?(?: an?)?|lacking(?: an?)?|"
    r"missing an?)"
)
_WRITTEN = (Kind.TEXT, Kind.NUMBER, Kind.OPENING_HOURS)  # what a row may simply lack
_SHORT = 4  # letters: a shorter word may say something else


class SpelledFinder:
    """Finds such conditions for the columns of one table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        called = alternatives([form for word in _called(table) for form in (word, f"{word}s")])
        lead = rf"(?:(?:whose|with an?|with the|the|that have an?) )?(?:{called})(?: (?:that|which|is|are))?"
        self._shapes = [
            (compiled(rf"{lead} (?:{verb}){_LETTERS} (?P<value>[^\s.,;:!?]+)"), shape) for verb, shape in _SHAPES
        ]
        self._inside = compiled(  # "with the word garden in its name"
            rf"(?:with|having|has|have|containing)(?: (?:the|a|an))?(?: (?:words?|letters?))? (?P<value>[^\s.,;:!?]+) "
            rf"(?:somewhere )?in (?:its|their|the)(?: own)? (?:{called})"
        )
        self._columns = {word: column for column in table.columns for word in _words(column)}
        self._lacking = compiled(rf"{_LACKING} (?P<column>{alternatives(list(self._columns)) or '(?!)'})")

    def __call__(self, board: Board) -> None:
        """Adds what is found to the board."""
        for pattern, shape in self._shapes if self.table.title else ():
            for match in board.find(pattern):
                if shape == "%{}%" and match["what"] is None and not _contains(match.group()):
                    continue  # "a name with history"
                self._spelled(board, match, shape)
        for match in board.find(self._inside) if self.table.title else ():
            self._spelled(board, match, "%{}%")
        for match in board.find(self._lacking):
            self._add(board, match, self._columns[match["column"]].name, "empty", ())

    def _spelled(self, board: Board, match: re.Match[str], shape: str) -> None:
        value = board.words(*match.span("value")).strip("\"'“”‘’")
        self._add(board, match, self.table.title or "", "like", (shape.format(_escaped(value)),))
        if not re.search(r"(?:^| )\d{1,2} ", board.norm):  # a closed list is told whole
            board.mentions.append(Mention(*match.span(), "limit", number=0))

    def _add(self, board: Board, match: re.Match[str], column: str, op: Comparison, values: tuple[str, ...]) -> None:
        words = board.words(*match.span())
        node = Condition(table=self.table.name, column=column, op=op, values=values, words=words)
        slot = f"{self.table.name}.{column}"
        board.add(Mention(*match.span(), "node", slot, node, fixed=True, label="value"))


def _contains(words: str) -> bool:
    return re.search(r"\b(?:contain|includ)", words) is not None


def _called(table: Table) -> list[str]:
    """What the title of a row is called: its name, by whatever word."""
    return [*dict.fromkeys(["name", "title", *([table.title.replace("_", " ")] if table.title else [])])]


def _words(column: Column) -> list[str]:
    """The names of a column that a row may lack."""
    if column.hidden or column.many or column.kind not in _WRITTEN:
        return []
    said = [fold(column.name.replace("_", " ")), *map(fold, column.synonyms)]
    return [word for word in said if len(word) > _SHORT]


def _escaped(value: str) -> str:
    """A value as a pattern that stands for itself."""
    return re.sub(r"([\\%_])", r"\\\1", value)
