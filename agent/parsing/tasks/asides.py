"""The questions of a message beside the tasks: which of its words ask, what about, and who knows the answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.language.tasks import ChatKind, Conversation, Question
from agent.parsing.dialogue.chitchat import chat_kind
from agent.parsing.dialogue.interpreter import Interpreter
from agent.parsing.frame import Condition, leaves
from agent.parsing.tasks.closeness import Closeness
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.knowledge import told
from agent.parsing.tasks.message import Form, Message, Sentence
from agent.parsing.tasks.phrases import compiled
from agent.worksheets.state import Entity

_SEVERAL = re.compile(r"\b(?:these|those|both|either|each|any of|which of|all of|others?|else|another)\b")
_IT = re.compile(r"\b(?:it|they|them|the (?:place|restaurant)|that place)\b", re.IGNORECASE)
_TASK_QUESTION = compiled(
    r"^\W*(?:{filler}\W+)*(?:why|what for|do (?:i|you) (?:have|need)(?: to(?: say| tell|"
    r" answer)?)?(?: that| it| this)?|"
    r"is (?:that|it|this) (?:necessary|required))\W*$|^\W*why do you\b"
)


@dataclass(frozen=True)
class Rest:
    """What the search makes of the part of a message that is not about the tasks."""

    chat: ChatKind | None = None
    questions: tuple[Question, ...] = ()
    reply: str = ""
    ask: str = ""


@dataclass(frozen=True)
class Asides:
    """Reads what a message asks beside the statements it makes."""

    draft: Draft
    message: Message
    conversation: Conversation
    interpreter: Interpreter
    closeness: Closeness

    def asked(self, *, declined: bool) -> Rest:
        """The questions of the message: its question sentences, and requests of which nothing came. Who declines an
        offer may say what is wanted instead."""
        pieces = [self.message.text[one.start : one.stop] for one in self.message.sentences if self._is_question(one)]
        if pieces and not self.draft:
            pieces = [self.message.text]  # what leads up to the question belongs to it
        if declined and not pieces:
            pieces = [self.message.rest(0, len(self.message.text))]
        text = " ".join(piece.strip(" ,;-.!") for piece in pieces).strip()
        text = re.sub(r"^(?:and|but|also|oh|so)\b[\s,]*", "", text, flags=re.IGNORECASE)
        if not text or _TASK_QUESTION.match(text.lower()):
            return Rest(chat_kind(self.message.text) if not self.draft and not text else None)
        if not self._is_structured(text) and (reply := told(text, self.draft.workspace.specification, self.closeness)):
            return Rest(ChatKind.GENERAL, reply=reply)
        asked = self.interpreter.understand(self._about_chosen(text), self.conversation)
        return Rest(asked.chat, asked.questions, asked.reply, asked.ask)

    def _about_chosen(self, text: str) -> str:
        """A question about "it" or "they" names the row that the task has settled on."""
        place = self.draft.workspace.row()
        row = place.sheet.value(place.field.name) if place else None
        if not isinstance(row, Entity) or not row.title or _SEVERAL.search(text.lower()):
            return text
        named = re.sub(r"\b(?:do|are) (?:they|you guys)\b", f"does {row.title}", text, count=1, flags=re.IGNORECASE)
        named = re.sub(r"\b(?:their|its)\b", f"{row.title}'s", named, count=1, flags=re.IGNORECASE)
        return _IT.sub(row.title, named, count=1) if named == text else named

    def _is_structured(self, text: str) -> bool:
        """Whether words ask for rows by the values of their columns."""
        frame = self.interpreter.parser.frame(text, self.conversation.tables)
        return any(isinstance(leaf, Condition) for node in frame.where for leaf in leaves(node))

    def _is_question(self, sentence: Sentence) -> bool:
        if sentence.form is Form.QUESTION:
            return self.message.free(sentence.start + 1, sentence.stop - 1) or not self._spent(sentence)
        return sentence.form in (Form.REQUEST, Form.SUGGESTION) and not self.draft

    def _spent(self, sentence: Sentence) -> bool:
        """Whether a statement came out of a sentence."""
        piece = self.message.low[sentence.start : sentence.stop]
        return any(item.words and item.words.lower() in piece for item in self.draft.statements)
