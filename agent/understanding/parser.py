"""Questions over any catalogue, without rules for it: stage 1 and 2 of the builtin language.

The linker says which columns play which role, which words wish for something in prose, and what stays of the query
before; rules compose one query of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from agent.catalogue.places import Gazetteer
from agent.catalogue.tables import Catalogue, Kind
from agent.catalogue.values import ValueMemory
from agent.language import ChatKind, Conversation, Parsed, Question, Understanding
from agent.networks.tagger import LEARNED, Tagger
from agent.parsing.dialogue.chitchat import chat_kind, courtesy
from agent.parsing.frame import Frame
from agent.parsing.semantics.spelling import Speller
from agent.suql.tree import literal as quoted
from agent.text.english import listed
from agent.understanding.amounts import with_amounts
from agent.understanding.codes import with_codes
from agent.understanding.compose import Query, compose
from agent.understanding.context import Earlier, begun, earlier, goes_on, is_of_others, remembered
from agent.understanding.counting import counted_for_each, counting_values, limited
from agent.understanding.document_talk import questions, read
from agent.understanding.documents import Documents, documents
from agent.understanding.ends import averaged, ordered_by_ends
from agent.understanding.filled import with_filled
from agent.understanding.framed import framed
from agent.understanding.keeping import going_on, kept_wishes
from agent.understanding.known_rows import asks_about, with_asked
from agent.understanding.linker import Linker
from agent.understanding.marks import marked
from agent.understanding.misspelt import with_misspelt
from agent.understanding.moments import asks_when
from agent.understanding.moves import gone_back, stems, taken_back, with_move
from agent.understanding.names import with_names
from agent.understanding.narrowing import settled
from agent.understanding.pointing import of_shown, speaks_of_shown, with_named_columns
from agent.understanding.prose import Wish, asked_of, condition, texts_of, wishes
from agent.understanding.roles import OF_COLUMNS, ROWS, Roles
from agent.understanding.scales import ordered_by_values
from agent.understanding.schema import Schema, read_schema
from agent.understanding.shown import as_asked, uncomputed
from agent.understanding.unused import account, unused
from agent.understanding.vacancy import with_vacancy

SHOWN_AT_ONCE = 3  # rows of a search in prose
_ANY_YEAR = 2000  # of a month without one, where no rows are searched for
NOTHING_TO_ASK = "There is no data to search yet."
NOTHING_BEFORE = "There is no earlier search to go back to."
NOT_UNDERSTOOD = "I do not know what {words} means here, so I searched for nothing. Please say it in other words."
_EVERY_ROW = re.compile(r"SELECT (?:DISTINCT )?[^()]+ FROM \S+")
_ALL = re.compile(r"\b(?:all|every|each|any|list|everything|which are there|are there)\b", re.IGNORECASE)
_LEADS = r"\W*(?:(?:and|but|so|then|ok|okay) )*"
_WHETHER = re.compile(
    rf"{_LEADS}(?:is|are|was|were|do|does|did|has|have|can|could|will|would|isn't|doesn't|any)\b", re.IGNORECASE
)
_HOW = re.compile(rf"{_LEADS}(?:how|why|what|what's|whats|when|where)\b", re.IGNORECASE)


def _settled(roles: Roles, schema: Schema, message: str) -> Roles:
    """The roles with all that a message says of what is kept, ordered, counted and shown."""
    roles = with_filled(settled(roles, schema, message), schema, message)
    roles = limited(ordered_by_values(roles, schema, message), schema, message)
    roles = counting_values(averaged(ordered_by_ends(roles, schema, message), schema, message), schema, message)
    return as_asked(counted_for_each(roles, schema, message), schema, message)


def _lists(message: str, conversation: Conversation, here: Documents) -> bool:
    """Whether a message asks which documents there are, or goes on from one that does."""
    before = [one.frame or {} for turn in conversation.past[-1:] for one in turn.queries[-1:]]
    return bool(here.listing.search(message.lower())) or ("queries" in next(iter(before), {}) and goes_on(message))


class CatalogueParser:
    """Reads questions beside a catalogue. Stateless but for what it has read of catalogues; safe to share.

    The tagger marks wishes in place of the linker, where it has learned from messages that look for such rows.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        memory: ValueMemory,
        gazetteer: Gazetteer | None = None,
        linker: Callable[[], Linker] = Linker.load,
        tagger: Callable[[], Tagger] = Tagger.load,
    ) -> None:
        self._catalogue, self._memory, self._gazetteer, self._linker = catalogue, memory, gazetteer, linker
        self._tagger = tagger
        self._schema = lru_cache(maxsize=64)(self._read)
        self._document_table = lru_cache(maxsize=64)(self._read_documents)
        self._speller = lru_cache(maxsize=64)(self._spells)

    def understand(self, message: str, conversation: Conversation) -> Understanding:
        """Return whether the message is conversation or one question."""
        kind = chat_kind(message)
        if kind is not None and kind is not ChatKind.DONT_CARE:
            return Understanding(chat=kind)
        asked = questions(message) if self._documents(conversation) else (Question(words=message),)
        if not asked:
            return Understanding(chat=ChatKind.CAPABILITIES)
        return Understanding(chat=courtesy(message), questions=asked)

    def parse(self, question: Question, conversation: Conversation) -> Parsed:
        """Return the question as a query over the conversation's tables."""
        schema = self._schema(question.tables or conversation.tables)
        if not schema.fields:
            return Parsed(problem=NOTHING_TO_ASK)
        here = self._documents(conversation, question.tables)
        if here is not None and not _lists(question.words, conversation, here):
            return read(question, conversation, here, self._speller(here.table.name, here.table.title))
        if figure := uncomputed(schema, question.words):
            return Parsed(problem=figure)
        fresh = begun(question.words)
        message, past = fresh or question.words, [] if fresh else earlier(conversation, schema)
        past = [] if past and is_of_others(message, past[0], schema) else past
        roles = with_vacancy(self._linked(message, schema, past), schema, message, past)
        kept: list[Wish] = []
        known = False  # the rows that the message asks about
        if past and (roles := with_move(roles, message, past, schema)).move == "undo":
            if len(past) < 2:
                return Parsed(problem=NOTHING_BEFORE)
            past = past[gone_back(message, past, schema) :]
            roles, kept = taken_back(roles, message, past[0]), list(past[0].wishes)
            past = past[1:]
        elif past:
            roles = going_on(with_named_columns(roles, message, past[0], schema), message, past, schema)
            kept = kept_wishes(roles, message, past[0])
            if known := speaks_of_shown(roles, message, past[0], schema):
                roles = of_shown(roles, past[0], schema)
        roles = roles if past else with_asked(roles, schema, message)
        roles = _settled(roles, schema, message)
        parsed, asked = self._parsed(message, roles, kept, schema, conversation.now.year, known=known)
        spans = [(mark.start, mark.stop) for mark in roles.marks] if asked.wishes else []
        left = unused(message, schema, roles, parsed.suql + parsed.test, spans)
        said = stems(" ".join(wish.question for wish in asked.wishes))
        left = tuple(words for words in left if not (said and stems(words) <= said))
        bare = {column for column, _ in roles.select} <= {*schema.titles, ROWS} and _EVERY_ROW.fullmatch(parsed.suql)
        if left and bare and not past and not _ALL.search(message):
            return Parsed(problem=NOT_UNDERSTOOD.format(words=listed([f"“{words}”" for words in left])))
        return parsed.model_copy(update={"unused": left, "frame": remembered([asked, *past], schema)})

    def frame(self, words: str, tables: tuple[str, ...]) -> Frame:
        """Return what words ask of tables by themselves; of documents, which are found by all of their words, nothing
        in particular."""
        schema = self._schema(tables)
        if not schema.fields or self.are_documents(tables):
            return Frame(tables=tables[:1], words=words)
        roles = with_asked(with_vacancy(self._linked(words, schema, []), schema, words, []), schema, words)
        roles = _settled(roles, schema, words)
        query = compose(replace(roles), schema, words, _ANY_YEAR)
        said = account(words, schema, replace(roles, literals=query.literals), query.sql)
        texts, main = texts_of(schema, query.main), schema.tables[query.main]
        found = wishes(roles.marks, words, main, schema, said, whole=roles.tagged) if texts else []
        asked = [(wish, asked_of(texts, topic=wish.topic)) for wish in dict.fromkeys(found)]
        return framed(query, roles, asked, schema, words)

    def are_documents(self, tables: tuple[str, ...]) -> bool:
        """Return whether there is nothing to ask in some tables but documents."""
        return self._document_table(tables) is not None

    def _linked(self, message: str, schema: Schema, past: Sequence[Earlier]) -> Roles:
        """The roles that the networks tell, with the names, codes and amounts that a message says."""
        roles = self._linker().roles(message, schema, past[0].roles if past else None, goes_on=goes_on(message))
        if any(not LEARNED.isdisjoint(table.noun) for table in schema.tables):
            roles = with_misspelt(marked(roles, schema, self._tagger().marks(message), message), schema, message)
        return with_amounts(with_codes(with_names(roles, schema, message), schema, message), schema, message)

    def _documents(self, conversation: Conversation, tables: tuple[str, ...] = ()) -> Documents | None:
        """The table of documents that is all there is to ask."""
        return self._document_table(tables or conversation.tables)

    def _read_documents(self, tables: tuple[str, ...]) -> Documents | None:
        schema = self._schema(tables)
        found = documents(schema, self._memory) if len(schema.tables) == 1 else []
        return found[0] if found else None

    def _spells(self, table: str, title: str) -> Speller:
        return Speller(
            [*self._memory.spoken(table), *(word for one in self._memory.of(table, title) for word in one.split())]
        )

    def _read(self, tables: tuple[str, ...]) -> Schema:
        return read_schema(self._catalogue.only(*tables), self._memory, self._gazetteer)

    def _parsed(
        self, message: str, roles: Roles, kept: list[Wish], schema: Schema, year: int, *, known: bool
    ) -> tuple[Parsed, Earlier]:
        query = compose(replace(roles), schema, message, year)
        composed = roles = replace(roles, literals=query.literals)
        about = schema.owner(schema.fields[roles.marks[0].column].table) if roles.marks else query.main
        if about in query.tables or not query.conditions:  # "where do people complain of the noise" shows no places
            query = replace(query, main=about)
        main, texts = schema.tables[query.main], texts_of(schema, query.main)
        tables = tuple(schema.tables[table].name for table in sorted(query.tables))
        aggregated = query.aggregated or any(column == ROWS for column, _ in roles.select)
        if told := self._of_row(message, roles, schema, query):
            return told.model_copy(update={"tables": tables}), Earlier(composed, tuple(kept))
        said = account(message, schema, roles, query.sql)
        if aggregated and roles.select != [(ROWS, "")]:
            said = replace(said, left=())
        found = [] if known else list(kept)  # rows that are known are not searched again
        if texts:
            found += wishes(roles.marks, message, main, schema, said, whole=roles.tagged)
        found = list(dict.fromkeys(found))
        if not found or not texts:
            sql = query.searching([], 0) if query.repeats else query.sql
            parsed = Parsed(suql=sql, tables=tables, presentation="aggregate" if aggregated else "list")
            return parsed, Earlier(composed, tuple(kept))
        totals = bool(roles.select) and all(column != ROWS and how for column, how in roles.select) and not roles.group
        counted = totals or roles.select == [(ROWS, "")]
        asked = [(wish, asked_of(texts, topic=wish.topic)) for wish in found]
        read = {text.table for _, some in asked for text in some}
        conditions = [condition(some, wish, main) for wish, some in asked]
        sql = query.searching(conditions, SHOWN_AT_ONCE, counted=counted, read=read)
        soft = tuple(wish.question for wish in found if wish.soft)
        parsed = Parsed(suql=sql, tables=tables, presentation="aggregate" if counted else "list", soft=soft)
        return parsed, Earlier(composed, tuple(dict.fromkeys([*kept, *found])))

    def _of_row(self, message: str, roles: Roles, schema: Schema, query: Query) -> Parsed | None:
        """What is asked of rows that are known, by name or from the query before: "is the Blue Door quiet?", "and does
        it take dogs?". None where the message searches."""
        title = schema.title_of(query.main)
        whether = _WHETHER.match(message)
        if title is None or roles.kind != "none" or not (whether or _HOW.match(message)):
            return None
        names = [at for at in schema.of(query.main) if schema.names_rows(at)]
        named = any(one.column in names and one.operator == "=" and not one.inner for one in roles.literals)
        about = any(asks_about(one, schema, message) for one in roles.literals)
        if not (named or about) and roles.move != "row":
            return None
        others = [column for column in query.conditions if column not in names]
        bare = {column for column, _ in roles.select} <= {*names, ROWS} and not others
        hours = [at for at, _ in roles.select if at != ROWS and schema.fields[at].column.kind is Kind.OPENING_HOURS]
        if named and hours and asks_when(message):
            return Parsed(suql=query.telling("", hours), presentation="detail")
        topics = [mark for mark in roles.marks if mark.kind not in ("topic", *OF_COLUMNS)]
        texts = asked_of(texts_of(schema, query.main))
        if texts and (topics or (whether and bare) or (about and not whether)):
            asked = [f"answer({text.name}, {quoted(message)})" for text in texts]
            told = f"coalesce({', '.join(asked)})" if len(asked) > 1 else asked[0]
            read = {text.table for text in texts}
            return Parsed(suql=query.telling(f"{told} AS answer", (), read), presentation="detail")
        counted = (ROWS, "") in roles.select
        if named and not (whether or counted) and bare and (column := schema.asked_of(message, query.main)) is not None:
            return Parsed(suql=query.telling("", [column]), presentation="detail")
        if named and others and whether:
            return Parsed(suql=query.telling("", others), test=query.sql, presentation="detail")
        return None
