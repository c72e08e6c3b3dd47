"""Questions over any catalogue, without rules for it: stage 1 and 2 of the builtin language.

The linker says which columns play which role, the tagger what is wished of prose; both are composed into one query.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from agent.catalogue.tables import Catalogue, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.language import ChatKind, Conversation, Parsed, Question, Understanding
from agent.networks.tagger import Marks, Tagger
from agent.parsing.dialogue.chitchat import chat_kind, courtesy
from agent.understanding.compose import Query, compose
from agent.understanding.context import JOINT, with_context
from agent.understanding.joins import identifier
from agent.understanding.linker import Linker
from agent.understanding.prose import MOST_TEXTS, column_of, condition, texts_of, wishes
from agent.understanding.roles import ROWS, Roles
from agent.understanding.schema import Schema, read_schema
from agent.understanding.values import quoted

SHOWN_AT_ONCE = 3  # rows of a search in prose
NOTHING_TO_ASK = "There is no data to search yet."
_ASKS = re.compile(r"\W*(?:is|are|was|were|do|does|did|has|have|can|could|will|would|how|why|what|when|where)\b", re.I)


class CatalogueParser:
    """Reads questions beside a catalogue. Stateless but for what it has read of catalogues; safe to share."""

    def __init__(
        self,
        catalogue: Catalogue,
        memory: ValueMemory,
        linker: Callable[[], Linker] = Linker.load,
        tagger: Callable[[], Tagger] = Tagger.load,
    ) -> None:
        self._catalogue, self._memory = catalogue, memory
        self._linker, self._tagger = linker, tagger
        self._schema = lru_cache(maxsize=64)(self._read)

    def understand(self, message: str, conversation: Conversation) -> Understanding:
        """Return whether the message is conversation or one question."""
        kind = chat_kind(message)
        if kind is not None and kind is not ChatKind.DONT_CARE:
            return Understanding(chat=kind)
        return Understanding(chat=courtesy(message), questions=(Question(words=message),))

    def parse(self, question: Question, conversation: Conversation) -> Parsed:
        """Return the question as a query over the conversation's tables."""
        schema = self._schema(question.tables or conversation.tables)
        if not schema.fields:
            return Parsed(problem=NOTHING_TO_ASK)
        messages = with_context(question.words, conversation)
        message = JOINT.join(messages)
        roles = self._linker().roles(message, schema)
        query = compose(roles, schema, message)
        kept = {"messages": list(messages)}
        main = schema.tables[query.main]
        if texts_of(main) and (parsed := self._with_prose(message, roles, schema, query)):
            return parsed.model_copy(update={"frame": kept})
        aggregated = query.aggregated or any(column == ROWS for column, _ in roles.select)
        return Parsed(
            suql=query.sql,
            tables=tuple(schema.tables[table].name for table in sorted(query.tables)),
            presentation="aggregate" if aggregated else "list",
            frame=kept,
        )

    def _read(self, tables: tuple[str, ...]) -> Schema:
        return read_schema(self._catalogue.only(*tables), self._memory)

    def _with_prose(self, message: str, roles: Roles, schema: Schema, query: Query) -> Parsed | None:
        """The query with what is asked of prose; None where nothing is."""
        main, marks = schema.tables[query.main], self._tagger().marks(message)
        prose = {at for at, one in enumerate(schema.fields) if one.column.kind is Kind.FREE_TEXT}
        claimed = [(one.start, one.stop) for one in roles.literals if one.column not in prose]
        tables = tuple(schema.tables[table].name for table in sorted(query.tables))
        if asked := self._asked(message, marks, roles, schema, main):
            return Parsed(suql=asked, tables=tables, presentation="detail")
        found = wishes(marks, message, main, schema, claimed)
        if not found:
            return None
        if any(one.column in prose for one in roles.literals):  # they are asked, not looked up
            roles.literals = [one for one in roles.literals if one.column not in prose]
            query = compose(roles, schema, message)
        conditions = [condition(main, wish) for wish in found]
        counted = roles.select == [(ROWS, "")]
        sql = query.searching(conditions, SHOWN_AT_ONCE, counted=counted)
        soft = tuple(wish.question for wish in found if wish.soft)
        return Parsed(suql=sql, tables=tables, presentation="aggregate" if counted else "list", soft=soft)

    def _asked(self, message: str, marks: Marks, roles: Roles, schema: Schema, main: Table) -> str:
        """What the prose says of rows that the message names: "is the Blue Door quiet?"."""
        title = main.column(main.title) if main.title else None
        if title is None or not _ASKS.match(message):
            return ""
        named = [
            stored
            for one in roles.literals
            if one.column >= 0 and schema.fields[one.column].column is title and not one.inner
            for stored in [self._memory.nearest(main.name, title.name, one.text)]
            if stored
        ]
        columns = {column for column, _ in roles.select if column != ROWS} | {column for column, _ in roles.where}
        fields = [schema.fields[column] for column in columns]
        others = [one for one in fields if one.column is not title and one.column.kind is not Kind.TEXT]
        if not named or others:
            return ""
        names = ", ".join(quoted(name) for name in dict.fromkeys(named))
        asked = [f"answer({column_of(main, text)}, {quoted(message)})" for text in texts_of(main)[:MOST_TEXTS]]
        told = f"coalesce({', '.join(asked)})" if len(asked) > 1 else asked[0]
        shown = column_of(main, title)
        return f"SELECT {shown}, {told} AS answer FROM {identifier(main.name)} WHERE {shown} IN ({names})"
