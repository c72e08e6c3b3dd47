"""Questions answered from texts: the words themselves are put to the text, and the nearest row is read."""

from __future__ import annotations

import re

from agent.catalogue.tables import Kind, Table
from agent.catalogue.values import ValueMemory
from agent.parsing.frame import Frame, Order, Projection
from agent.parsing.semantics import english
from agent.parsing.semantics.assembly import assemble
from agent.parsing.semantics.enums import enum_finder
from agent.parsing.semantics.lexing import read
from agent.parsing.semantics.spelling import Speller
from agent.parsing.semantics.workspace import Board

SEVERAL = 5  # rows shown where several are asked for and nobody says how many

_LIST = re.compile(
    r"\b(?:articles|pages|what do you have(?! to\b)|everything (?:about|on|you))\b|"
    r"^(?:please )?(?:list|show all|give me all)\b"
)
_EVERY = re.compile(r"\b(?:which|what|whats|all|every|list|show|tell me)\b")
_NUMBER = re.compile(r"\b(?:how (?:many|much|long|often)|number of|when|who|where|why)\b")
_BELONGS = re.compile(  # says no more than that a thing is on a list of requirements
    r"(?:require[sd]?|requirements?|requiring|need(?:s|ed)?|count(?:s|ed|ing)?|towards?|list(?:ed|s)?|sheets?|rules|"
    r"belongs?|part|includ(?:e|ed|es)|courses?|class(?:es)?|complete|finish|graduate|satisfy|fulfil+)"
)
_AFTER = re.compile(  # what is done already: "what do I still have to take after CS 101 and CS 102?"
    r"\b(?:after|besides|beyond|apart from|(?:have|had)(?: already)? (?:taken|done|finished|passed))"
    r"(?: (?:[a-z]{2,5} )?\d{1,3}| (?:and|,))+(?=\s|$)"
)
_COURTESY = re.compile(
    r"^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks|thank you|please|"
    r"sorry|excuse me|ok|okay|so|and|um|quick question|question)\b[\s,.!:-]*(?: there\b[\s,"
    r".!]*)?)+|"
    r"[\s,.!]*(?:please|thanks(?: a lot| in advance)?|thank you)[\s.!]*$",
    re.IGNORECASE,
)
_COMMENT = re.compile(  # on the answer before: "That's a relief. How often can I come?"
    r"^that(?:'?s| is| sounds| helps| works)(?: (?!not\b|no\b)[a-z]+){0,3}[.!]+\s+(?=\w)",
    re.IGNORECASE,
)


def _plainly(question: str) -> str:
    """The question without courtesies and what is only remarked before it; as it is where there is nothing else."""
    return _COURTESY.sub("", _COMMENT.sub("", _COURTESY.sub("", question))).strip() or question.strip()


class Articles:
    """The grammar for a table with one long text a row and a title."""

    def __init__(self, main: Table, memory: ValueMemory) -> None:
        self.table = main
        text = next(column for column in main.columns if column.kind is Kind.FREE_TEXT)
        self.text = text.name
        said = [word for title in memory.of(main.name, main.title) for word in title.split()]
        self.speller = Speller([*said, *memory.spoken(main.name)])
        self.enums = [
            enum_finder(main, column, memory.of(main.name, column.name), guarded=False)
            for column in main.columns
            if column.kind is Kind.ENUM and (column.values or column.value_words)
        ]
        # Rows that are named by a vocabulary ("AI") are spoken of by all the table's names: "which degrees".
        title = main.column(main.title)
        named = title is not None and title.kind is Kind.ENUM
        plural = [main.noun[1], *(word for word in main.synonyms if named and word.endswith("s"))]
        self._each = re.compile(
            rf"\b(?:which|what|any|all|list)(?: \S+){{0,3}}? (?:{'|'.join(map(re.escape, plural))})\b"
        )
        self._own = frozenset(word for noun in (*main.noun, *main.synonyms) for word in noun.split()) if named else None
        self._shown = tuple(name for name in (main.entity,) if name)

    def read(self, question: str, among: tuple[str, ...] = ()) -> Frame:
        """The frame: the best article with its answer, or several where several are asked for."""
        question = self.speller.spelt(question)
        words = _plainly(question)
        norm = read(question, self.speller).norm
        several = bool(_LIST.search(norm))
        each = self._each.search(norm) is not None
        asked = words.rstrip("?!. ") + "?"
        board = Board(read(question, self.speller))
        for enum in self.enums:
            enum(board)
        projections = tuple(Projection(table=self.table.name, column=name) for name in self._shown)
        if not several:
            told = "" if self._whole(board) else asked
            projections += (Projection(table=self.table.name, column=self.text, question=told),)
        return Frame(
            tables=(self.table.name,),
            where=assemble(board, lambda _: ""),
            among=among,
            order=(Order(table=self.table.name, column=self.text, words=words.rstrip("?!. ")),),
            limit=SEVERAL if several else None if each else 1,
            projections=projections,
            presentation="list" if several or each else "article",
            words=question,
        )

    def _whole(self, board: Board) -> bool:
        """Whether all that the text of a row says is asked for: "which courses count for the AI degree?" names the row,
        and no part of what is required."""
        title = f"{self.table.name}.{self.table.title}"
        if self._own is None or not any(mention.slot == title for mention in board.mentions):
            return False
        if _NUMBER.search(board.norm) or not _EVERY.search(board.norm):
            return False
        done = [match.span() for match in _AFTER.finditer(board.norm)]
        free = [
            one.group()
            for one in re.finditer(r"[a-z]+", board.norm)
            if not board.taken(one.start()) and not any(start <= one.start() < stop for start, stop in done)
        ]
        return not [one for one in english.content(free) if one not in self._own and not _BELONGS.fullmatch(one)]
