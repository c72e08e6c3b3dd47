"""Retrieval over linearized rows (Oguz et al. 2022), the baseline that SUQL is compared with.

Each row is written out as one document, its values (texts included) separated by commas, and embedded; what is looked
for is a short query taken from the talk, embedded the same way; the nearest rows, one or three, are what the reply is
written from. A document longer than the encoder reads is embedded in windows, and its nearest window counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from agent.catalogue.tables import Table
from agent.language import Parsed, Question, SearchWish, Understanding, UnderstandRequest
from agent.protocols.errors import AgentError
from agent.protocols.reading import Embedder
from agent.record import Outcome, Query, TurnState
from agent.turn import Agent, Emit

WINDOW = 150  # words, which the encoder reads in full
MESSAGES = 3  # of the talk, the newest among them: the query, where no model takes one from it
MOST_ROWS = 20_000  # of one table: what is compared in one go


@runtime_checkable
class QueryWriter(Protocol):
    """A language that can take a search query from a talk."""

    async def search_wish(self, request: UnderstandRequest) -> SearchWish: ...


@dataclass(frozen=True)
class Linearization(Agent):
    """An agent that answers with the `top` nearest rows. `embedder` embeds what is sought, `rows` the documents, which
    may be remembered. It has no worksheets: nothing is done, only found."""

    top: int = field(kw_only=True)
    embedder: Embedder = field(kw_only=True)
    rows: Embedder = field(kw_only=True)

    async def _understand(self, state: TurnState) -> Understanding:
        request = UnderstandRequest(message=state.message, conversation=state.conversation)
        if isinstance(self.language, QueryWriter):
            wish = await self.language.search_wish(request)
        else:
            understanding = await self.language.understand(request)
            if understanding.chat and not understanding.questions:
                return Understanding(chat=understanding.chat, reply=understanding.reply)
            said = [turn.user for turn in state.conversation.past][1 - MESSAGES :]
            wish = SearchWish(query=" ".join([*said, state.message]))
        if not wish.query:
            return Understanding(chat=wish.chat, reply=wish.reply)
        return Understanding(questions=(Question(words=wish.query, tables=state.conversation.tables),))

    async def _parse(self, question: Question, state: TurnState) -> Query:
        parts = (("the entries nearest to ", False), (f"“{question.words}”", True))
        return Query(
            question=question,
            parsed=Parsed(tables=question.tables),
            description="".join(text for text, _ in parts),
            parts=parts,
        )

    async def _execute(self, index: int, query: Query, state: TurnState, emit: Emit) -> Outcome:
        try:
            table, suql = await self._nearest(query.question)
        except AgentError as error:
            return Outcome(query=query, error=error.sentence)
        found = query.model_copy(
            update={"suql": suql, "parsed": query.parsed.model_copy(update={"suql": suql, "tables": (table.name,)})}
        )
        return await super()._execute(index, found, state, emit)

    async def _nearest(self, question: Question) -> tuple[Table, str]:
        """The table of the row nearest to the words, and a query for its nearest rows, in that order."""
        (sought,) = await self.embedder.embed([question.words])
        best: list[tuple[float, Table, list[dict[str, Any]]]] = []
        for name in question.tables:
            table = self.catalogue.table(name)
            if table is None or not table.key:
                continue
            rows = await self._all_rows(table)
            if rows:
                scores = await self._scores(table, rows, sought)
                order = np.argsort(-scores, kind="stable")[: self.top]
                best.append((float(scores[order[0]]), table, [rows[place] for place in order]))
        if not best:
            raise AgentError("There is nothing here to search in.")
        _, table, nearest = max(best, key=lambda one: one[0])
        return table, _query_for(table, nearest)

    async def _all_rows(self, table: Table) -> list[dict[str, Any]]:
        """All rows of a table with all that a query may show of them. Raises AgentError where they are too many."""
        names = dict.fromkeys((*table.key, *(column.name for column in table.columns if not column.hidden)))
        everything = f"SELECT {', '.join(_quoted(name) for name in names)} FROM {_quoted(table.name)}"
        budget = replace(self.budget, rows=MOST_ROWS)
        result = await self.engine.run(everything, budget=budget)
        if not result.complete:
            raise AgentError("There are more rows here than can be compared one by one.", table.name)
        return [dict(row.values) for row in result.rows]

    async def _scores(self, table: Table, rows: Sequence[dict[str, Any]], sought: Any) -> Any:
        """How near each row is: the similarity of its nearest window."""
        windows = [list(_windows(linearized(table, row))) for row in rows]
        flat = list(dict.fromkeys(window for own in windows for window in own))
        vectors = await self.rows.embed(flat)
        near = dict(zip(flat, np.asarray(vectors) @ np.asarray(sought), strict=True))
        return np.array([max(near[window] for window in own) for own in windows])


def linearized(table: Table, row: dict[str, Any]) -> str:
    """A row as one document: its values separated by commas, those that are not known left out."""
    shown = [row.get(column.name) for column in table.columns if not column.hidden]
    return ", ".join(text for value in shown if (text := _text(value)))


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(text for one in value if (text := _text(one)))
    return "" if value is None else " ".join(str(value).split())


def _windows(document: str) -> Iterator[str]:
    words = document.split()
    for start in range(0, max(len(words), 1), WINDOW):
        yield " ".join(words[start : start + WINDOW])


def _query_for(table: Table, rows: Sequence[dict[str, Any]]) -> str:
    """A query for known rows, in their order."""
    wanted = [" AND ".join(f"{_quoted(name)} = {_literal(row[name])}" for name in table.key) for row in rows]
    ranked = " ".join(f"WHEN {condition} THEN {place}" for place, condition in enumerate(wanted))
    either = " OR ".join(f"({condition})" for condition in wanted)
    return f"SELECT * FROM {_quoted(table.name)} WHERE {either} ORDER BY CASE {ranked} END LIMIT {len(rows)}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(value: Any) -> str:
    return str(value) if isinstance(value, int) else "'" + str(value).replace("'", "''") + "'"
