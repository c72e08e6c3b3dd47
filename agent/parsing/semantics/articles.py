"""Questions answered from articles: the words themselves are put to the text, and the nearest article is read."""

from __future__ import annotations

import re

from agent.parsing.frame import Frame, Order, Projection
from agent.parsing.semantics.lexing import Speller, read
from agent.parsing.values import ValueMemory
from agent.suql.catalogue import Kind, Table

_LIST = re.compile(r"\b(articles|pages|list|all|what do you have|everything)\b")
_COURTESY = re.compile(
    r"^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks|thank you|please|"
    r"sorry|excuse me|ok|okay|so|and|um|quick question|question)[\s,.!:-]*(?: there\b[\s,"
    r".!]*)?)+|"
    r"[\s,.!]*(?:please|thanks(?: a lot| in advance)?|thank you)[\s.!]*$",
    re.IGNORECASE,
)


class Articles:
    """The grammar for a table with one long text a row and a title."""

    def __init__(self, main: Table, memory: ValueMemory) -> None:
        self.table = main
        text = next(column for column in main.columns if column.kind is Kind.FREE_TEXT)
        self.text = text.name
        self.speller = Speller([word for title in memory.of(main.name, main.title) for word in title.split()])
        self._shown = tuple(name for name in (main.entity,) if name)

    def read(self, question: str, among: tuple[str, ...] = ()) -> Frame:
        """The frame: the best article with its answer, or several where several are asked for."""
        words = _COURTESY.sub("", question).strip() or question.strip()
        several = bool(_LIST.search(read(question, self.speller).norm))
        asked = words.rstrip("?!. ") + "?"
        projections = tuple(Projection(table=self.table.name, column=name) for name in self._shown)
        if not several:
            projections += (Projection(table=self.table.name, column=self.text, question=asked),)
        return Frame(
            tables=(self.table.name,),
            among=among,
            order=(Order(table=self.table.name, column=self.text, words=words.rstrip("?!. ")),),
            limit=5 if several else 1,
            projections=projections,
            presentation="list" if several else "article",
            words=question,
        )
