"""A message in its conversation: stage 1 (what does it want?) and stage 2 (as SUQL), with no language model."""

from __future__ import annotations

from functools import cache
from typing import Literal

from agent.catalogue.places import with_bound
from agent.catalogue.tables import Catalogue, Kind, Table
from agent.language import ChatKind, Conversation, Parsed, Question, Understanding
from agent.parsing.corpus_selection import CorpusSelector
from agent.parsing.dialogue import continuation, cues, message_questions
from agent.parsing.dialogue.chitchat import chat_kind, courtesy, plain
from agent.parsing.dialogue.comparing import ranked
from agent.parsing.dialogue.condition_kinds import Meaning
from agent.parsing.dialogue.fact_checks import doubt, names
from agent.parsing.dialogue.follow import Follower, Read
from agent.parsing.dialogue.history import Past, frame_of
from agent.parsing.dialogue.question_split import content
from agent.parsing.dialogue.references import with_chosen
from agent.parsing.dialogue.scope import Scope
from agent.parsing.dialogue.unanswerable import about_nothing, beyond_shown, of_each, uncomputed
from agent.parsing.frame import Asked, Condition, Frame, leaves
from agent.parsing.generate import to_suql
from agent.parsing.parser import BuiltinParser, Known
from agent.parsing.tasks.impossible import told_of
from agent.text.english import listed

NOT_UNDERSTOOD = "I did not understand: {unused}."
UNKNOWN = "I don't know that: nothing in what I have tells it."


def not_understood(unused: tuple[str, ...]) -> str:
    """That nothing was made of what was said."""
    return NOT_UNDERSTOOD.format(unused=listed([f"“{words}”" for words in unused]))


class Interpreter:
    """Reads messages against the talk so far. Stateless, and safe to share between conversations."""

    def __init__(self, parser: BuiltinParser, catalogue: Catalogue, selector: CorpusSelector) -> None:
        self.parser = parser
        self.catalogue = catalogue
        self.selector = selector
        self.scope = Scope(selector, catalogue)

    def understand(self, message: str, conversation: Conversation) -> Understanding:
        """Conversation, questions, or both; and what to ask back."""
        kind = chat_kind(message)
        if kind is not None:
            return Understanding(chat=kind)
        if not conversation.tables:
            return Understanding(chat=ChatKind.OUT_OF_SCOPE)
        text = plain(message)
        if none := told_of(text):
            return Understanding(chat=ChatKind.UNCLEAR, reply=none)
        if self.parser.ruled.isdisjoint(conversation.tables):
            return Understanding(chat=courtesy(message), questions=(Question(words=text),))
        beyond = self.scope.beyond(text, conversation, self.parser.frame)
        if beyond is not None:
            return beyond
        unmet = self._unmet(text, conversation)
        if unmet:
            return Understanding(chat=ChatKind.UNCLEAR, reply=unmet)
        shown = Past.of(conversation).shown is not None
        read = self._read(conversation.tables)
        questions = message_questions.questions(text, read, Meaning(self.catalogue), shown=shown)
        frame = self.frame(questions[0].words, conversation)
        if not self._says_something(frame):
            return Understanding(chat=ChatKind.UNCLEAR, ask="what")
        if self._learns_nothing(questions[0].words, frame, conversation):
            return Understanding(chat=ChatKind.UNCLEAR, reply=UNKNOWN)
        frames = [self.frame(one.words, conversation, one.tables, one.following) for one in questions]
        if cannot := uncomputed(message, frames, self.catalogue):
            return Understanding(chat=ChatKind.UNCLEAR, reply=cannot)
        unused = self.parser.unused(message, frames, follows=Past.of(conversation).last is not None)
        alone = set(content(message)) <= set(content(" ".join(unused)))
        if unused and (alone or self._searched_before(frame, conversation)):
            return Understanding(chat=ChatKind.UNCLEAR, reply=not_understood(unused))
        return Understanding(
            chat=courtesy(message),
            questions=questions,
            ask=self._missing(text, frame, conversation),
            unused=unused,
        )

    def titles(self, tables: tuple[str, ...]) -> tuple[str, ...]:
        """The names of everything that some tables hold."""
        memory = self.parser.memory
        return tuple(name for one in self._declared(tables) for name in memory.of(one.name, one.title or ""))

    def departments(self, tables: tuple[str, ...]) -> frozenset[str]:
        """The letters that the codes of some tables begin with ("CS" of "CS 101")."""
        return frozenset(code.split()[0] for code in self._codes(tables))

    def parse(self, question: Question, conversation: Conversation) -> Parsed:
        """The question as a query."""
        frame = self.frame(question.words, conversation, question.tables, question.following)
        asked = doubt(frame, question.words, lambda words, tables: self._read(tables)(words), self.catalogue)
        instead = test = ""
        if asked is not None and asked.test is not None:
            frame, test = asked.facts, to_suql(asked.test, self.catalogue)
            instead = to_suql(asked.otherwise, self.catalogue) if asked.otherwise is not None else ""
        elif asked is not None:
            instead = to_suql(asked.facts, self.catalogue)
        elif (each := of_each(frame, self.catalogue)) is not None:
            instead = to_suql(each, self.catalogue)
        return Parsed(
            suql=to_suql(frame, self.catalogue),
            test=test,
            denied=asked is not None and asked.denied,
            instead=instead,
            beside=asked.beside if asked is not None else (),
            unknown=self._unknown(frame),
            tables=frame.tables,
            presentation=frame.presentation,
            soft=_soft(frame),
            firm=_firm(question.words),
            unsure=_unsure(frame),
            cities=self._cities(frame),
            frame=frame.model_dump(mode="json"),
        )

    def _cities(self, frame: Frame) -> dict[str, str]:
        """The city of each place that a question names without it."""
        table = self.catalogue.table(frame.table)
        column = next((one.name for one in table.columns if one.kind is Kind.LOCATION), "") if table else ""
        said = {leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)}
        names = [str(value) for leaf in said if leaf.column == column for value in leaf.values]
        found = {name: next(iter(self.parser.gazetteer.resolve(with_bound(name)[0])), None) for name in names}
        inside = {name: place.city for name, place in found.items() if place is not None and place.kind != "city"}
        return {name: city for name, city in inside.items() if city not in ("", name)}

    def _unknown(self, frame: Frame) -> tuple[str, ...]:
        """The names in a question that nothing is called by."""
        table, memory = self.catalogue.table(frame.table), self.parser.memory
        if table is None or frame.presentation not in ("detail", "comparison"):
            return ()
        said = [node for node in frame.where if isinstance(node, Condition) and names(node, table)]
        named = [(node.column, str(value)) for node in said for value in node.values]
        return tuple(name for column, name in named if memory.nearest(table.name, column, name) is None)

    def frame(self, words: str, conversation: Conversation, tables: tuple[str, ...] = (), following: str = "") -> Frame:
        """What the words ask for, completed from the question they are `following` and the talk so far."""
        if following:
            first = self.frame(following, conversation, tables)
            table = self.catalogue.table(first.table)
            chosen = (first.table, *(name for name in tables or conversation.tables if name != first.table))
            noun = table.noun[1] if table else ""
            return continuation.continued(first, words, self._read(chosen), noun, Meaning(self.catalogue))
        past = Past.of(conversation)
        chosen = tables or conversation.tables
        read = self._read(chosen)
        past = past.about(chosen[0])
        if past.last is None or cues.starts_over(words):
            return ranked(read(cues.without_reset(words)), words)
        if (named := with_chosen(words, past.chosen)) != words:
            return continuation.within(frame_of(past.last, self.catalogue), read(named))
        return ranked(Follower(words, read, past, self.catalogue).frame(), words)

    def _unmet(self, text: str, conversation: Conversation) -> str:
        """What to say to a message about rows that are not there; empty where there are any, or it needs none."""
        chosen = conversation.tables
        past = Past.of(conversation).about(chosen[0])
        if past.last is None or cues.starts_over(text):
            return ""
        new = self.parser.frame(cues.without_talk(text), chosen)
        if Meaning(self.catalogue).names(new):
            return beyond_shown(text, past, self.catalogue) if cues.compares(text) else ""
        return beyond_shown(text, past, self.catalogue) or about_nothing(text, past, new, self.catalogue)

    def _learns_nothing(self, words: str, frame: Frame, conversation: Conversation) -> bool:
        """An open question that comes to nothing but the search before it: what it asks for is not known."""
        searched = Past.of(conversation).about(frame.table).searched
        if searched is None or not cues.asks_openly(words) or frame.presentation != "list":
            return False
        if cues.searches(words) or cues.replaces(words) or cues.wants_another(words):
            return False
        return self._searched_before(frame, conversation)

    def _searched_before(self, frame: Frame, conversation: Conversation) -> bool:
        """Whether a frame asks nothing but what was searched for before."""
        searched = Past.of(conversation).about(frame.table).searched
        return searched is not None and to_suql(frame, self.catalogue) == to_suql(
            frame_of(searched, self.catalogue), self.catalogue
        )

    def _read(self, tables: tuple[str, ...]) -> Read:
        @cache  # a message is read in parts, and some of them again
        def read(text: str, known: tuple[str, ...] = ()) -> Frame:
            return self.parser.frame(text, tables, Known(known) if known else None)

        return read

    def _codes(self, tables: tuple[str, ...]) -> frozenset[str]:
        """The codes ("CS 101") that the entities of some tables have."""
        columns = [(table.name, one) for table in self._declared(tables) for one in table.columns]
        coded = [(name, one.name) for name, one in columns if one.many and "code" in one.synonyms]
        return frozenset(code for name, column in coded for code in self.parser.memory.of(name, column))

    def _declared(self, tables: tuple[str, ...]) -> list[Table]:
        return [table for name in tables if (table := self.catalogue.table(name)) is not None]

    def _says_something(self, frame: Frame) -> bool:
        """There is anything to search for: a condition, an order, a number, something asked about rows."""
        return bool(
            frame.where or frame.among or frame.exclude or frame.order or frame.projections or frame.aggregate
        )  # fmt: skip

    def _missing(self, text: str, frame: Frame, conversation: Conversation) -> Literal["", "location"]:
        """ "location" where a list of places names none, and it was not asked for before, nor left open just now."""
        if cues.elsewhere(text, after_nothing=True):
            return ""
        table = self.catalogue.table(frame.table)
        place = next((column.name for column in table.columns if column.kind is Kind.LOCATION), "") if table else ""
        if table is None or not place or frame.presentation != "list" or frame.among or frame.aggregate or frame.each:
            return ""
        settled = {place, table.title, table.entity}
        said = {leaf.column for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)}
        asked = any(turn.asked == "location" for turn in conversation.past)
        return "" if asked or said & settled else "location"


def _soft(frame: Frame) -> tuple[str, ...]:
    """What the conditions the user does not insist on look like in the query: their questions and values."""
    wished = [leaf for node in frame.where if node.soft for leaf in leaves(node)]
    return tuple(leaf.question if isinstance(leaf, Asked) else str(leaf.values[0]) for leaf in wished if _stands(leaf))


def _unsure(frame: Frame) -> tuple[str, ...]:
    """What the conditions look like in the query that may not have been wished for."""
    found = [leaf for node in frame.where for leaf in leaves(node)]
    return tuple(leaf.question for leaf in found if isinstance(leaf, Asked) and leaf.unsure)


def _firm(message: str) -> tuple[str, ...]:
    """What a comparison with what was shown ("cheaper") looks like in the query."""
    wish = cues.comparative(message)
    return (f"{wish.column} {'<' if wish.less else '>'} ",) if wish else ()


def _stands(leaf: Condition | Asked) -> bool:
    return isinstance(leaf, Asked) or bool(leaf.values)
