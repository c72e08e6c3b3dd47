"""The questions of a message beside the tasks: which of its words ask, what about, and who knows the answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.language import ChatKind, Conversation, Question
from agent.parsing.coverage import is_used
from agent.parsing.dialogue import cues
from agent.parsing.dialogue.chitchat import chat_kind
from agent.parsing.dialogue.condition_kinds import Meaning
from agent.parsing.dialogue.interpreter import Interpreter
from agent.parsing.dialogue.question_split import content
from agent.parsing.frame import Asked, Condition, Frame, leaves
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.freetext import ASKS_HELP
from agent.parsing.tasks.knowledge import asked_about, explained, told
from agent.parsing.tasks.message import Form, Message, Sentence
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.readers import answers
from agent.parsing.tasks.readers.answers import Answer
from agent.parsing.tasks.readers.contact import codes
from agent.parsing.tasks.shapes import Shape
from agent.parsing.tasks.similarity import Closeness
from agent.parsing.tasks.spotting import searches
from agent.text.english import listed
from agent.worksheets.specification import Worksheet
from agent.worksheets.state import Entity, InstanceStatus

_ANYTHING_ELSE = "Anything else?"
NOTHING_ELSE = f"All right. {_ANYTHING_ELSE}"
_SEVERAL = re.compile(r"\b(?:these|those|both|either|each|any of|which of|all of|of them|others?|else|another)\b")
_OVERLAPS = re.compile(r"\b(?:conflict|overlap|clash|collide)(?:s|ing)?\b|\bat the same time\b")
_PAIR = 2
_SHORT = 2  # words: what is no longer would be taken for a name after another
_IT = re.compile(  # not that of "is it too late?", which stands for nothing
    r"\b(?:it(?! (?:(?:too|so|still|already) )?(?:late|early|(?:im)?possible|ok(?:ay)?|allowed|necessary|normal)\b)|"
    r"they|them|the (?:place|restaurant|course|class)|that (?:place|course|class))\b",
    re.IGNORECASE,
)
_TASK_QUESTION = compiled(
    r"^\W*(?:{filler}\W+)*(?:why|what for|do (?:i|you) (?:have|need)(?: to(?: say| tell|"
    r" answer)?)?(?: that| it| this)?|"
    r"is (?:that|it|this) (?:necessary|required))\W*$|^\W*(?:{filler}\W+)*why do you\b"
)


def asks_why(low: str) -> bool:
    """Whether a lower-cased message asks what something that was asked for is needed for."""
    return _TASK_QUESTION.match(low) is not None


@dataclass(frozen=True)
class Rest:
    """What the search makes of the part of a message that is not about the tasks."""

    chat: ChatKind | None = None
    questions: tuple[Question, ...] = ()
    reply: str = ""
    ask: str = ""
    unused: tuple[str, ...] = ()


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
        if pieces and (not self.draft or self._leans(" ".join(pieces))):
            pieces = [self.message.text]  # what leads up to the question belongs to it
        if declined and not pieces:
            pieces = [self.message.rest(0, len(self.message.text))]
        text = " ".join(piece.strip(" ,;:-.!") for piece in pieces).strip()
        text = re.sub(r"^(?:and|but|also|oh|so)\b[\s,]*", "", text, flags=re.IGNORECASE)
        if not text or asks_why(text.lower()):
            return self._courtesy() if not self.draft and not text else Rest()
        if not searches(self.draft.workspace.specification):
            waits = self.draft or self.draft.workspace.state.pending is not None
            return Rest() if waits else self._courtesy() if chat_kind(text) else Rest(ChatKind.OUT_OF_SCOPE)
        frame = self.interpreter.parser.frame(text, self.conversation.tables)
        # What a document is about, it tells better.
        loosely = not self.interpreter.parser.are_documents(self.conversation.tables)
        specification = self.draft.workspace.specification
        if not (_is_structured(frame) or self._finds(text, frame) or self._counts(text, frame)) and (
            reply := told(text, specification, self.closeness, loosely=loosely)
        ):
            return Rest(ChatKind.GENERAL, reply=reply)
        if (task := asked_about(text, self.draft.workspace.specification, self.closeness)) is not None:
            return Rest(ChatKind.GENERAL, reply=self._procedure(text, task))
        about = self._about_chosen(text)
        asked = self.interpreter.understand(self._when_each(about) or about, self.conversation)
        return Rest(asked.chat, asked.questions, asked.reply, asked.ask, asked.unused)

    def _finds(self, text: str, frame: Frame) -> bool:
        """Whether words ask which rows there are that students say something of: "which courses have films of the
        lectures"; not what they may do with them ("which courses can I drop")."""
        table = self.interpreter.catalogue.table(frame.table)
        sought = any(isinstance(leaf, Asked) and not leaf.unsure for node in frame.where for leaf in leaves(node))
        if table is None or not sought:
            return False
        called = "|".join(map(re.escape, (*table.noun, *table.synonyms)))
        return (
            re.match(rf"\W*(?:which|what|are there any|any) (?:{called})(?! (?:can|may|do) i\b)", text.lower())
            is not None
        )

    def _counts(self, text: str, frame: Frame) -> bool:
        """Whether words ask how many rows there are, and nothing else: "how many courses are there"."""
        catalogue = self.interpreter.catalogue
        return frame.aggregate is not None and all(is_used(word, frame, catalogue) for word in content(text))

    def _leans(self, question: str) -> bool:
        """ "I lost my card, what do I do?": a question about the problem that is told with it."""
        asked = self.draft.workspace.asked
        told = asked is not None and asked.shape is Shape.WORDS and self.draft.assigned(asked)
        return told and (ASKS_HELP.match(question.lower()) is not None or _IT.search(question) is not None)

    def _courtesy(self) -> Rest:
        """A message that asks nothing; "nope" and "ok", with nothing to be answered, are last words."""
        kind = chat_kind(self.message.text)
        if kind is not ChatKind.SMALL_TALK:
            return Rest(kind)
        said = answers.whole(self.message.low, Answer.ENOUGH, Answer.NONE, Answer.NO, Answer.YES)
        if self.draft.workspace.state.pending is not None:
            return Rest(kind if said is None else None)
        if said is None:
            return Rest(kind)
        asked = any(turn.agent.rstrip().endswith(_ANYTHING_ELSE) for turn in self.conversation.past[-1:])
        done = any(item.status is InstanceStatus.DONE for item in self.draft.workspace.state.instances)
        if said is not Answer.YES and (asked or done):
            return Rest(ChatKind.FAREWELL)
        return Rest(ChatKind.THANKS, reply=NOTHING_ELSE)

    def _procedure(self, text: str, task: Worksheet) -> str:
        """How a task is done; it is offered, where no other is worked on."""
        workspace = self.draft.workspace
        if not self.draft and workspace.focus is None:
            self.draft.offer(workspace.new_root(task), text)
        return explained(text, task, workspace.specification, self.closeness)

    def _when_each(self, text: str) -> str:
        """A question whether things overlap ("does it conflict with CS 152?"), as the question when each is held: those
        it names, with what the task has named or was shown last. Empty where it is no such question."""
        departments = self.interpreter.departments(self.conversation.tables[:1])
        if not departments or _OVERLAPS.search(text.lower()) is None:
            return ""
        named = [str(one.value) for one in codes(text, departments)]
        if len(named) < _PAIR:
            places = [one for one in self.draft.workspace.places() if one.shape is Shape.CODE and one.known]
            known = [str(one.sheet.value(one.field.name)) for one in places]
            shown = [query for turn in self.conversation.past[-1:] for query in turn.queries if query.keys]
            named += known or [key for query in shown[-1:] for key in query.keys[:_PAIR]]
        each = list(dict.fromkeys(named))
        return f"when do {listed(each)} meet?" if len(each) >= _PAIR else ""

    def _about_chosen(self, text: str) -> str:
        """A question about "it" or "they" names what the task has settled on, unless something else was shown last."""
        name = self._chosen()
        if not name or _SEVERAL.search(text.lower()) or self._shown_since(name):
            return text
        named = re.sub(r"\b(?:do|are) (?:they|you guys)\b", f"does {name}", text, count=1, flags=re.IGNORECASE)
        named = re.sub(r"\b(?:their|its)\b", f"{name}'s", named, count=1, flags=re.IGNORECASE)
        named = _IT.sub(name, named, count=1) if named == text else named
        noun = self._elliptic(text) if named == text else ""
        if not noun:
            return named
        course = name if len(text.split()) > _SHORT else f"the {noun} {name}"
        return f"{text.rstrip(' ?!.')} in {course}?"

    def _elliptic(self, text: str) -> str:
        """What a row is called ("course"), while one is chosen by its code and the text asks something without saying
        of which: "how many hours?". Empty where it says so, or looks for others."""
        catalogue, tables = self.interpreter.catalogue, self.conversation.tables
        table = catalogue.table(next(iter(tables), ""))
        if table is None or self.draft.workspace.row() is not None:
            return ""
        frame = self.interpreter.parser.frame(text, tables)
        says_kind = re.search(rf"\b(?:{'|'.join((*table.noun, *table.synonyms))})(?:e?s)?\b", text.lower())
        names = Meaning(catalogue).names(frame) or codes(text, self.interpreter.departments((table.name,)))
        looks = cues.searches(text) and not cues.asks_yes_no(text)
        moves = looks or cues.comparative(text) is not None or cues.wants_another(text)
        return "" if frame.table != table.name or says_kind or names or moves else table.noun[0]

    def _chosen(self) -> str:
        """The row that the task is about, or what it names by a code: of several, the one that is asked about."""
        workspace = self.draft.workspace
        row = workspace.row()
        value = row.sheet.value(row.field.name) if row else None
        if isinstance(value, Entity):
            return value.title
        coded = [place for place in workspace.places() if place.shape is Shape.CODE and place.known]
        asked = [place for place in coded if workspace.asked is not None and place.sheet is workspace.asked.sheet]
        return str(place.sheet.value(place.field.name)) if (place := next(iter(asked or coded[-1:]), None)) else ""

    def _shown_since(self, name: str) -> bool:
        """Whether the turn before showed rows, none of which is the one that is named."""
        shown = [query for turn in self.conversation.past[-1:] for query in turn.queries if query.keys]
        return bool(shown) and not any(name in (*query.keys, *query.titles) or name in query.suql for query in shown)

    def _is_question(self, sentence: Sentence) -> bool:
        if sentence.form is Form.QUESTION:
            return self.message.free(sentence.start + 1, sentence.stop - 1) or not self._spent(sentence)
        return sentence.form in (Form.REQUEST, Form.SUGGESTION) and not self.draft

    def _spent(self, sentence: Sentence) -> bool:
        """Whether a statement came out of a sentence."""
        piece = self.message.low[sentence.start : sentence.stop]
        return any(item.words and item.words.lower() in piece for item in self.draft.statements)


def _is_structured(frame: Frame) -> bool:
    """Whether words ask for rows by the values of their columns, or for the first of them by one."""
    return bool(frame.order) or any(isinstance(leaf, Condition) for node in frame.where for leaf in leaves(node))
