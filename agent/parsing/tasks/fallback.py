"""What is made of a message that says nothing to the tasks: small talk, a search, or an answer that cannot be read; and
what of a message to a form became no value, no answer and no question: it is said, not dropped."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.language import ChatKind, Conversation, Understanding
from agent.parsing.dialogue import cues
from agent.parsing.dialogue.chitchat import chat_kind
from agent.parsing.dialogue.history import Past
from agent.parsing.dialogue.interpreter import Interpreter
from agent.parsing.dialogue.references import referred
from agent.parsing.tasks.answering import WHY
from agent.parsing.tasks.freetext import ONE_CAN
from agent.parsing.tasks.message import TOLD, Form, Message
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.readers import answers, words
from agent.parsing.tasks.readers.answers import Answer
from agent.parsing.tasks.rows import Rows
from agent.parsing.tasks.shapes import Shape
from agent.parsing.tasks.side_questions import asks_why
from agent.parsing.tasks.similarity import shared
from agent.parsing.tasks.task_status import Standing
from agent.worksheets.state import Pending
from agent.worksheets.statements import Abandon, Fill, Start, Statement, Unclear

_CORRECTS = compiled(r"(?<![\w'])(?:{correction}|should|must|needs? to|has to|i (?:said|meant?))(?![\w'])")
_NEITHER = "I could not tell whether that is a yes or a no."
_SPOKEN_OF = (Shape.PERSON, Shape.TIME)  # what has a short name
_NO_CHANGE = "I could not tell what is to be changed, so nothing has been."
_NONE_OF_THEM = "I could not tell which of them you mean."
_COURTESIES = (
    ChatKind.GREETING,
    ChatKind.THANKS,
    ChatKind.FAREWELL,
    ChatKind.CAPABILITIES,
    ChatKind.SMALL_TALK,
)
_PARTS = re.compile(r"[,;:\n]+\s|\s[–—-]+\s|,?\s\b(?:and|but|also|so|because)\s")
_SAYS_NOTHING = re.compile(compiled(r"(?<![\w'])(?:{filler}|{apology}|{correction})(?![\w'])").pattern, re.IGNORECASE)
_FOR_US = re.compile(
    r"(?<=\w )(?:me|us)\b|\b(?:i|we) (?=(?:will|would|need|want|must|have to|should|can|could)\b)|"
    r"\b(?:i|we)(?='(?:ll|d)\b)",
    re.IGNORECASE,
)  # who wishes says what for, and tells no story
Tells = Callable[[str], tuple[str, ...]]


@dataclass(frozen=True)
class Otherwise:
    """One such message."""

    message: Message
    conversation: Conversation
    interpreter: Interpreter
    rows: Rows
    standing: Standing

    def said(self) -> Understanding:
        """What is made of it."""
        workspace, pending = self.standing.workspace, self.standing.workspace.state.pending
        introduced = words.introductions(self.message.text)
        found = self.interpreter.understand(self.message.without(introduced), self.conversation)
        if pending is None or not pending.instance or workspace.sheet(pending.instance) is None:
            return found
        answers_nothing = self._answers_nothing()
        if (found.chat in _COURTESIES and not answers_nothing) or (found.questions and self._is_search()):
            return found
        if pending.kind == "propose" and (found.questions or found.reply) and self._follows():
            return found  # the offer lapses: it may be taken up later
        return Understanding(statements=(self._unclear(pending),))

    def _answers_nothing(self) -> bool:
        """ "Yes", where no yes or no was asked for."""
        asked = self.standing.workspace.asked
        takes = asked is not None and (asked.sheet.optional or ONE_CAN.match(asked.field.question.lower()))
        return not takes and answers.whole(self.message.low, Answer.YES, Answer.NO) is not None

    def _unclear(self, pending: Pending) -> Unclear:
        """That the answer could not be read, and why; or why it is asked for, where the message wants to know that."""
        asked = self.standing.workspace.asked
        asks = pending.kind in ("ask", "pick")
        if asked is not None and asks and asked.field.reason and asks_why(self.message.low):
            why = asked.field.reason
        elif asks:
            why = self._beyond() or WHY[asked.shape if asked else Shape.WORDS]
        elif pending.kind in ("confirm", "clarify") and (
            pending.kind == "clarify" or _CORRECTS.search(self.message.low)
        ):
            why = self._what_to_change(pending)
        else:
            why = _NONE_OF_THEM if pending.kind == "which" else _NEITHER
        field = pending.field if asks else ""
        return Unclear(instance=pending.instance, field=field, why=why, words=self.message.text.strip())

    def _what_to_change(self, pending: Pending) -> str:
        """That a change could not be read, and how one can be told."""
        workspace = self.standing.workspace
        sheet = workspace.sheet(pending.instance)
        known = [one for one in workspace.places(sheet) if one.known] if sheet is not None else []
        if not known:
            return _NO_CHANGE
        easy = next((one for one in known if one.shape in _SPOKEN_OF), known[-1])
        return f"{_NO_CHANGE} You can say “change the {easy.field.label} to …”, or the same of anything else shown."

    def _beyond(self) -> str:
        """That what is meant is none of the choices there are."""
        asked = self.standing.workspace.asked
        return self.standing.beyond(asked) if asked is not None and asked.shape is Shape.CHOICE else ""

    def _follows(self) -> bool:
        """The message goes on from what was shown: it points to it, or wants more, less or another of it."""
        text, past = self.message.text, Past.of(self.conversation)
        moves = (cues.compares, cues.wants_another, cues.comparative, cues.dropped, cues.searches, cues.starts_over)
        return any(move(text) for move in moves) or referred(text, past.shown, past.queries) is not None

    def _is_search(self) -> bool:
        """The message asks the corpora for something: a question by its form, or one with values of columns."""
        if asks_why(self.message.low):
            return False
        if self.message.of(Form.QUESTION):
            return True
        place = self.standing.workspace.row()
        if place is None or not self.rows.searchable(place):
            return False
        return self.rows.means_row(place, self.message.text)


def left(
    message: Message, statements: Sequence[Statement], routers: frozenset[str], task: str, tells: Tells
) -> tuple[str, ...]:
    """Return what the clauses say that no statement was made of. `tells` is what a text says beside stories."""
    made = [item for item in statements if not isinstance(item, Start | Unclear)]
    if not made or any(isinstance(item, Abandon) for item in made):
        return ()
    low = message.low
    told = [item.words.lower() for item in made if not (isinstance(item, Fill) or item.instance in routers)]
    claimed = [span for span in message.claimed if span not in message.dropped]
    used = [*claimed, *_places(low, told)]  # what finds a row is claimed, and a router has no words of its own
    found: list[str] = []
    for start, stop in _clauses(message):
        piece = low[start:stop]
        if any(first < stop and start < last for first, last in used) or chat_kind(piece) or answers.whole(piece):
            continue
        said = tells(_FOR_US.sub("", _SAYS_NOTHING.sub(" ", message.text[start:stop])).strip(" ,.;:!?-–—"))
        found += [words for words in said if not all(shared(word, task) for word in words.lower().split())]
    return tuple(dict.fromkeys(found))


def _places(low: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Where the words of statements stand."""
    return [(at, at + len(said)) for said in words if said and (at := low.find(said.strip())) >= 0]


def _clauses(message: Message) -> list[tuple[int, int]]:
    found = []
    for sentence in message.of(*TOLD):
        bounds = [sentence.start]
        for match in _PARTS.finditer(message.low, sentence.start, sentence.stop):
            bounds += [match.start(), match.end()]
        bounds.append(sentence.stop)
        found += [pair for pair in zip(bounds[::2], bounds[1::2], strict=True) if pair[0] < pair[1]]
    return found
