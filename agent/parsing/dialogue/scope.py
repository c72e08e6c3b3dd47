"""What lies beyond an assistant: another corpus, general knowledge, and things to be done rather than found."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.catalogue.tables import Catalogue, Column, Kind
from agent.language import ChatKind, Conversation, Question, Understanding
from agent.networks.asides import LIKELY, SURE
from agent.parsing.corpus_selection import CorpusSelector
from agent.parsing.coverage import is_used
from agent.parsing.dialogue import cues
from agent.parsing.dialogue.chitchat import TALK
from agent.parsing.dialogue.condition_kinds import Meaning
from agent.parsing.dialogue.history import Past
from agent.parsing.dialogue.phrases import said
from agent.parsing.dialogue.references import referred
from agent.parsing.frame import Asked, Condition, Frame, leaves

ReadAlone = Callable[[str, tuple[str, ...]], Frame]  # what words ask of some tables, without the talk before them

WHOLE = 4  # words: a shorter message is more likely a fragment than a question for somebody else
LEAD = 1.0  # evidence by which another corpus must lead before a question is sent there
KNOWN = 1.3  # evidence for the assistant's own corpus that makes a general-looking question one for it

ELSEWHERE = "That sounds like a question about {nouns}; I look after {own} here. Choose the other assistant to ask it."
CANNOT = "I can search, but I can't do that for you here."
CALL = "I can't do that for you here, but you can call them."

_MEANS = re.compile(r"\W*(?:(?:and|so|but) )?what do(?:es)? \S.* mean\b", re.IGNORECASE)
_DEFINES = re.compile(r"\W*what(?:'s| is) an? [\w'-]+(?: [\w'-]+){0,2}\W*", re.IGNORECASE)
_VERSUS = re.compile(r"\b(?:vs|versus)\b", re.IGNORECASE)
_COUNTED = re.compile(r"\bhow many (?:[\w'-]+ ){0,2}?(?P<what>[a-z]{3,}s)\b", re.IGNORECASE)
_WAY = re.compile(
    r"\W*how (?:do|does|can|could|would|should) (?:i|we|you|one|people) [a-z]+ from\b.*\bto\b", re.IGNORECASE
)
_LEFT_OVER = re.compile(r"\bthis [a-z]+ it\b")
_POINTS = re.compile(
    r"\b(?:it|its|they|them|their|there|here|that|this|these|those|ones?|places?|you (?:have|recommend))\b",
    re.IGNORECASE,
)


class Scope:
    """Tells what an assistant cannot answer. Safe to share."""

    def __init__(self, selector: CorpusSelector, catalogue: Catalogue) -> None:
        self.selector = selector
        self.catalogue = catalogue
        self._meaning = Meaning(catalogue)

    def beyond(self, words: str, conversation: Conversation, frame: ReadAlone) -> Understanding | None:
        """What to say to a message that lies beyond the assistant; None for one that does not."""
        if said("action").search(words):
            searches = len(words.split()) >= TALK and self._structured(frame(words, conversation.tables))
            return None if searches else self._to_do(words, conversation)
        past = Past.of(conversation)
        if referred(words, past.shown, past.queries):
            return None
        alone = frame(words, conversation.tables)
        if meant := self._meant(words, alone):
            return Understanding(chat=ChatKind.GENERAL, reply=meant)
        if self._defines(words, alone) or self._sets_kinds_apart(words, alone) or self._counts_other(words, alone):
            return Understanding(chat=ChatKind.GENERAL)
        if conversation.assistant and self._is_aside(words, alone, LIKELY if past.last is None else SURE):
            return Understanding(chat=ChatKind.GENERAL)
        if _WAY.match(words) or (past.shown is None and self._of_nothing(alone)):
            return Understanding(chat=ChatKind.GENERAL)
        if self._structured(alone):
            return None
        if self._general(words, conversation):
            return Understanding(chat=ChatKind.GENERAL)
        if not conversation.assistant:
            return None
        if (other := self._other(words, conversation, frame)) is not None:
            nouns, own = self._nouns(other), self._nouns(conversation.tables[0])
            return Understanding(chat=ChatKind.OUT_OF_SCOPE, reply=ELSEWHERE.format(nouns=nouns, own=own))
        return None

    def _of_nothing(self, frame: Frame) -> bool:
        """Whether "it" is left over in a wish, and stands for nothing: "will it rain?" asks of no row."""
        wishes = (leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Asked))
        return any(_LEFT_OVER.search(wish.question) is not None for wish in wishes)

    def _is_aside(self, words: str, frame: Frame, odds: float) -> bool:
        """Whether a message asks neither for rows nor about them, though it may name a kind: "is sushi healthy"."""
        if frame.aggregate is not None:
            return False
        if _POINTS.search(words) or cues.searches(words):
            return False
        said_of = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)]
        table = self.catalogue.table(frame.table)
        light = {column.name for column in (table.columns if table else ()) if _is_light(column)}
        return all(leaf.column in light for leaf in said_of) and self.selector.aside_odds(words) > odds

    def _meant(self, words: str, frame: Frame) -> str:
        """What a value of the catalogue means, where a message asks just that: "what does moderate mean?"."""
        said_of = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)]
        if not _MEANS.match(words) or len(said_of) != 1 or not said_of[0].values:
            return ""
        table = self.catalogue.table(said_of[0].table)
        column = table.column(said_of[0].column) if table else None
        if column is None or column.kind is not Kind.ENUM or not column.description:
            return ""
        value, name = said_of[0].values[0], column.name.replace("_", " ")
        return f"“{value}” is a value of “{name}”. {column.description.rstrip('.')}."

    def _defines(self, words: str, frame: Frame) -> bool:
        """Whether a message asks what a term means, and for no rows: "what is a tasting menu?"."""
        if not _DEFINES.fullmatch(words) or frame.order:
            return False
        return not (self._meaning.names(frame) or self._meaning.says_noun(words, frame.table))

    def _sets_kinds_apart(self, words: str, frame: Frame) -> bool:
        """Whether kinds of things are compared, and no rows: "ramen vs udon"."""
        placed = any(self._meaning.is_place(node) for node in frame.where)
        named = self._meaning.names(frame) or self._meaning.says_noun(words, frame.table)
        return _VERSUS.search(words) is not None and bool(frame.where) and not (placed or named)

    def _counts_other(self, words: str, frame: Frame) -> bool:
        """Whether a count is of something else than rows: "how many calories are in a burrito"."""
        figure, counted = frame.aggregate, _COUNTED.search(words)
        if figure is None or counted is None or figure.function != "count" or figure.column:
            return False
        return not is_used(counted["what"], frame, self.catalogue) and self.selector.aside_odds(words) > 0

    def _to_do(self, words: str, conversation: Conversation) -> Understanding:
        past = Past.of(conversation)
        place = past.shown is not None and self._has(past.shown.table, "phone_number")
        if place and (referred(words, past.shown, past.queries) or (past.shown and len(past.shown.keys) == 1)):
            asked = Question(words="what is its phone number?")
            return Understanding(chat=ChatKind.OUT_OF_SCOPE, reply=CALL, questions=(asked,))
        return Understanding(chat=ChatKind.OUT_OF_SCOPE, reply=CANNOT)

    def _general(self, words: str, conversation: Conversation) -> bool:
        points = bool(conversation.past) and said("singular").search(words) is not None
        if points or not said("general").search(words):
            return False
        ranked = dict(self.selector.rank(words))
        return max((ranked.get(name, 0.0) for name in conversation.tables), default=0.0) < KNOWN

    def _other(self, words: str, conversation: Conversation, frame: ReadAlone) -> str | None:
        """The corpus of another assistant that the words clearly ask: far more its words, and a value of it."""
        if len(words.split()) < WHOLE or cues.connects(words):
            return None
        ranked = dict(self.selector.rank(words))
        own = max((score for name, score in ranked.items() if name in conversation.tables), default=0.0)
        others = {name: score for name, score in ranked.items() if name not in conversation.tables}
        best = max(others, key=lambda name: others[name], default="")
        if not best or others[best] - own < LEAD:
            return None
        there = frame(words, (best,))
        return best if self._names_values(there) else None

    def _structured(self, frame: Frame) -> bool:
        """Some condition is on a column with values of its own: the question is at home here."""
        found = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)]
        return bool(found or frame.order or frame.aggregate)

    def _names_values(self, frame: Frame) -> bool:
        """Some condition names a value of a vocabulary (a cuisine, a quarter)."""
        for leaf in (leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)):
            table = self.catalogue.table(leaf.table)
            column = table.column(leaf.column) if table else None
            if column is not None and column.kind is Kind.ENUM:
                return True
        return False

    def _nouns(self, name: str) -> str:
        table = self.catalogue.table(name)
        return table.noun[1] if table else name

    def _has(self, name: str, column: str) -> bool:
        table = self.catalogue.table(name)
        return table is not None and table.column(column) is not None


def _is_light(column: Column) -> bool:
    """Whether naming a value of a column need not search for it: a kind of thing, or a time."""
    return column.kind is Kind.OPENING_HOURS or (column.kind is Kind.ENUM and column.many)
