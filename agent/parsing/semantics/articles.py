"""Questions answered from articles: the words themselves are put to the text, and the nearest article is read."""

from __future__ import annotations

import re
from functools import cache

from agent.parsing.frame import Frame, Order, Projection
from agent.parsing.lexicon import load
from agent.parsing.semantics.article_lists import SEVERAL, ArticleLists
from agent.parsing.semantics.assembly import assemble
from agent.parsing.semantics.board import Board
from agent.parsing.semantics.enums import enum_finder
from agent.parsing.semantics.lexing import read
from agent.parsing.semantics.spelling import Speller
from agent.parsing.values import ValueMemory
from agent.suql.catalogue import Kind, Table

_LIST = re.compile(
    r"\b(?:articles|pages|what do you have|everything (?:about|on|you))\b|^(?:please )?(?:list|show all|give me all)\b"
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


def in_office_words(question: str) -> tuple[str, str]:
    """The question with the office's word beside the student's, "see a therapist (counsellor)", and these words."""
    added = []
    for pattern, office in _called():
        if office.lower() not in question.lower() and pattern.search(question):
            question = pattern.sub(lambda match, office=office: f"{match[0]} ({office})", question, count=1)  # type: ignore[misc]
            added.append(office)
    return question, ", ".join(added)


def _plainly(question: str) -> str:
    """The question without courtesies and what is only remarked before it; as it is where there is nothing else."""
    return _COURTESY.sub("", _COMMENT.sub("", _COURTESY.sub("", question))).strip() or question.strip()


@cache
def _called() -> tuple[tuple[re.Pattern[str], str], ...]:
    called: dict[str, str] = load("students")["called"]
    return tuple((re.compile(rf"\b(?:{said})\b", re.IGNORECASE), office) for said, office in called.items())


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
        self.lists = ArticleLists(main, memory, self.text)
        # Rows that are named by a vocabulary ("AI") are spoken of by all the table's names: "which degrees".
        title = main.column(main.title)
        named = title is not None and title.kind is Kind.ENUM
        plural = [main.noun[1], *(word for word in main.synonyms if named and word.endswith("s"))]
        self._each = re.compile(
            rf"\b(?:which|what|any|all|list)(?: \S+){{0,3}}? (?:{'|'.join(map(re.escape, plural))})\b"
        )
        self._shown = tuple(name for name in (main.entity,) if name)
        self._whom_to_ask = tuple(column.name for column in main.columns if column.name == "contact")

    def read(self, question: str, among: tuple[str, ...] = ()) -> Frame:
        """The frame: the best article with its answer, or several where several are asked for."""
        question = self.speller.spelt(question)
        words, office = in_office_words(_plainly(question))
        norm = read(question, self.speller).norm
        if not among and (listed := self.lists.read(question, norm)) is not None:
            return listed
        several = bool(_LIST.search(norm))
        each = self._each.search(norm) is not None
        if several and (topic := self.lists.topic(norm)) is not None:
            words = topic.words
        asked = words.rstrip("?!. ") + "?"
        board = Board(read(question, self.speller))
        for enum in self.enums:
            enum(board)
        projections = tuple(Projection(table=self.table.name, column=name) for name in self._shown)
        if not several:
            projections += (Projection(table=self.table.name, column=self.text, question=asked),)
            projections += tuple(Projection(table=self.table.name, column=name) for name in self._whom_to_ask)
        return Frame(
            tables=(self.table.name,),
            where=assemble(board, lambda _: ""),
            among=among,
            order=(Order(table=self.table.name, column=self.text, words=words.rstrip("?!. "), context=office),),
            limit=SEVERAL if several else None if each else 1,
            projections=projections,
            presentation="list" if several or each else "article",
            words=question,
        )
