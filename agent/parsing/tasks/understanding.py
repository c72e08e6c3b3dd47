"""One message against the open tasks: the statements it makes, and the questions it asks beside them."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.language import ChatKind, Conversation, Question, Understanding, UnderstandRequest
from agent.parsing.dialogue.interpreter import Interpreter
from agent.parsing.frame import Frame
from agent.parsing.tasks import earlier_problem, giving_up, impossible, named_rows, values
from agent.parsing.tasks.answering import Answering
from agent.parsing.tasks.choosing import choose
from agent.parsing.tasks.confirming import Confirming
from agent.parsing.tasks.correcting import Correcting
from agent.parsing.tasks.denying import Adding, Denying
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.fallback import Otherwise, left
from agent.parsing.tasks.filling import Filler
from agent.parsing.tasks.freetext import FreeText
from agent.parsing.tasks.message import TOLD, Form, Message, without_remarks
from agent.parsing.tasks.offers import looks_on, offered
from agent.parsing.tasks.phrases import THE_ONE, alternatives, said
from agent.parsing.tasks.readers.answers import Answer, whole
from agent.parsing.tasks.recalled_values import Recalling
from agent.parsing.tasks.replacing import Replacing
from agent.parsing.tasks.restating import Restating
from agent.parsing.tasks.row_lookup import Looking
from agent.parsing.tasks.rows import Rows, seeking
from agent.parsing.tasks.scope import Scope
from agent.parsing.tasks.selection import Limiting
from agent.parsing.tasks.sessions import Occasions
from agent.parsing.tasks.shapes import Shape
from agent.parsing.tasks.side_questions import Asides, Rest
from agent.parsing.tasks.similarity import Closeness, Encodes
from agent.parsing.tasks.spotting import Spotter, searches
from agent.parsing.tasks.starting import Starting
from agent.parsing.tasks.task_status import Standing
from agent.parsing.tasks.unsupported import Unsupported
from agent.parsing.tasks.wishes import Wishes
from agent.parsing.tasks.workspace import Place, Sheet, Workspace
from agent.worksheets.entailment import is_router
from agent.worksheets.specification import Specification
from agent.worksheets.state import DialogueState, InstanceStatus
from agent.worksheets.statements import Abandon, Assign, Clear, Fill, Pick, Resume, Statement, Unclear

_TELLS = re.compile(r"\W*(?:i|we|my|our|it|that|this|there)\b")
_ORDER = re.compile(rf"(?<![\w'])(?:{alternatives('order')})(?![\w'])")
_GOES_ON = "All right."
_CHANGES = (Assign, Fill, Pick, Clear)


class TaskInterpreter:
    """Understands messages where there are worksheets. Stateless, and safe to share between conversations."""

    def __init__(self, interpreter: Interpreter, encoder: Encodes) -> None:
        self._interpreter = interpreter
        self._closeness = Closeness(encoder)

    def understand(self, request: UnderstandRequest) -> Understanding:
        """Statements, questions and courtesies of a message; without a specification, what the search makes of it."""
        specification, state = request.specification, request.conversation.state
        if specification is None:
            return self._interpreter.understand(request.message, request.conversation)
        state = state or DialogueState(application=specification.name, version=specification.version)
        turn = _Turn(request.message, request.conversation, specification, state, self._interpreter, self._closeness)
        return turn.understanding()


class _Turn:
    def __init__(
        self,
        text: str,
        conversation: Conversation,
        specification: Specification,
        state: DialogueState,
        interpreter: Interpreter,
        closeness: Closeness,
    ) -> None:
        self.said = Message(text)
        self.conversation, self.interpreter, self.closeness = conversation, interpreter, closeness
        self.workspace = Workspace(specification, state, conversation.now)
        self.message = self.said
        if state.pending is not None and state.pending.instance:
            self.message = Message(giving_up.as_correction(self.workspace, without_remarks(self.said.low, text)))
        self.draft = Draft(self.workspace)
        self.rows = Rows(self.draft, self.message, conversation, interpreter)
        self.standing = Standing(self.workspace, self.message, closeness)
        self.questions: list[Question] = []
        self.pending = state.pending
        self._beyond = ""
        tables = conversation.tables[:1]
        self.names = values.Names(interpreter.titles(tables), interpreter.departments(tables))

    def understanding(self) -> Understanding:
        if not self.message.text.strip():
            return self._remarked()
        place = self.workspace.row()
        if place is not None and place.known:
            seeking(self.message)
        if (parting := giving_up.last_words(self.draft, self.message)) is not None:
            return parting
        if not self.workspace.state.instances and not searches(self.workspace.specification):
            self.message.sentences = [replace(one, form=Form.REQUEST) for one in self.message.sentences]
        for match in _ORDER.finditer(self.message.low):
            self.message.claim(*match.span())
        if reply := self.standing.reply():
            return self._put_together(Rest(ChatKind.GENERAL, reply=reply))
        confirming = Confirming(self.draft, self.message)
        if confirming.whole():
            confirming.settle(changed=False)
            self._recall(confirming)
            return self._put_together(Rest())
        if giving_up.stays(self.workspace, self.message.low):
            return self._remarked()
        if not giving_up.leave(self.draft, self.message, Spotter(self.closeness)):
            confirming.lead()
            self._pass_over(confirming)
            if not choose(self.draft, self.message) and not giving_up.resume(
                self.draft, self.message, Spotter(self.closeness)
            ):
                self._work(declines=confirming.declines)
        confirming.settle(changed=any(self._changes(item) for item in self.draft.statements))
        self._recall(confirming)
        unsure = any(isinstance(item, Unclear) and item.choices for item in self.draft.statements)
        of = self.workspace.sheet(self.pending.instance) if self.pending is not None else None
        if confirming.agrees and of is not None and not unsure:
            self._beyond = self._beyond or Unsupported(self.draft, self.message, of.root).reply()
        asides = Asides(self.draft, self.message, self.conversation, self.interpreter, self.closeness)
        rest = asides.asked(declined=confirming.declines or self._wants_instead())
        if not self.draft and self.draft.restated and not rest.questions and not self._beyond:
            return self._put_together(rest)  # what is shown already is shown again
        if self._beyond and not rest.reply:
            rest = replace(rest, chat=ChatKind.GENERAL, reply=self._beyond)
        if not self.draft and not rest.questions and rest.chat is None:
            return Otherwise(self.message, self.conversation, self.interpreter, self.rows, self.standing).said()
        return self._put_together(rest)

    def _wants_instead(self) -> bool:
        """Whether a message that gives up what was worked on says what is wanted instead ("nvm, pizza in Sunnyvale"),
        and does not only tell why ("I'll eat at home")."""
        given_up = self.workspace.focus is None and any(isinstance(item, Abandon) for item in self.draft.statements)
        rest = self.message.rest(0, len(self.message.text)).lower()
        return given_up and _TELLS.match(rest) is None

    def _pass_over(self, confirming: Confirming) -> None:
        """Leaves an offer that the message goes on searching past: nothing it says is a value of what is offered."""
        sheet = offered(self.workspace)
        if sheet is None or confirming.answers:
            return
        task = sheet.root.worksheet
        if looks_on(self.message, values.read(self.message, self.conversation.now, values.about(task)), task):
            self.workspace.overlook()
            self.pending = None

    def _remarked(self) -> Understanding:
        """A message that says nothing, or speaks of the talk alone: it goes on where it stood."""
        focus = self.workspace.focus
        if not self.said.text.strip() or focus is None:
            return self.interpreter.understand(self.said.text, self.conversation)
        words, asked = self.said.text.strip(), self.workspace.asked
        if asked is not None and self.pending is not None and self.pending.kind == "ask":
            self.draft.add(Unclear(instance=asked.sheet.name, field=asked.field.name, why=_GOES_ON, words=words))
        else:
            self.draft.add(Resume(instance=focus.name, words=words))
        return self._put_together(Rest())

    def _recall(self, confirming: Confirming) -> None:
        sheet = self.workspace.sheet(self.pending.instance) if confirming.accepts and self.pending else None
        status = sheet.instance.status if sheet is not None and sheet.instance else None
        again = status is InstanceStatus.SUSPENDED and said("alike", self.message.low) is not None
        if sheet is not None and (status is InstanceStatus.PROPOSED or again):
            Recalling(self.draft, self.conversation.past, sheet.root).offered()

    # -- tasks -------------------------------------------------------------------------------------------------------

    def _work(self, *, declines: bool) -> None:
        """Starts what the message starts, and gives its values to the task that is worked on. Who declines an offer
        says nothing more about it."""
        focus = self.workspace.focus
        if focus is not None and Restating(self.draft, self.message, focus).read():
            return
        if focus is not None and self._replaces(focus):
            return
        if focus is not None and self._takes_back(focus):
            return
        if focus is not None and Denying(self.draft, self.message, focus, self.closeness).read():
            self.workspace.asked = None  # whatever was asked, this answers something else
        last = self.conversation.past[-1].user if self.conversation.past and self._looking.pointed() else None
        answered = any(
            query.presentation == "article" for turn in self.conversation.past[-1:] for query in turn.queries
        )
        starting = Starting(self.draft, self.message, Spotter(self.closeness), self.names, last, answered=answered)
        starts = [] if self._takes_away() else starting.begin()
        if starting.suggested and len(starts) == 1:
            self.questions.extend(self.interpreter.understand(self.message.text, self.conversation).questions)
            self.message.claim(0, len(self.message.text))
            return
        if len(starts) > 1:
            for index, (sheet, sentence) in enumerate(starts):
                first = sentence.start if index else 0
                self._fill_from(sheet, first, starts[index + 1][1].start if index + 1 < len(starts) else None)
            for sheet, _ in starts:
                Recalling(self.draft, self.conversation.past, sheet).begun()
            for place, value in named_rows.common([self.workspace.places(sheet) for sheet, _ in starts]):
                self.draft.assign(place, value, self.message.text.strip())
            return
        root = starts[-1][0] if starts else self.workspace.focus
        if root is None or starting.repeated or (declines and not starts):
            return
        self._fill(root, started=bool(starts))
        if starts:
            Recalling(self.draft, self.conversation.past, root).begun()
            self._take_up(root, starting)
            self._beyond = self._out_of_scope(root)

    def _out_of_scope(self, root: Sheet) -> str:
        """What to say to who begins a task for something that none of its choices is for ("a ticket for my fine")."""
        place = next((one for one in self.workspace.places(root) if one.field.required), None)
        if place is None or place.shape is not Shape.CHOICE or place.known:
            return ""
        if self.message.of(Form.QUESTION) or earlier_problem.only_asks(self.message):
            return ""
        return self.standing.beyond(place, self.message.rest(0, len(self.message.text)).lower())

    def _take_up(self, root: Sheet, starting: Starting) -> None:
        """What was told before for the task, where the message only asks for it."""
        text = earlier_problem.told(self.conversation.past) if earlier_problem.only_asks(self.message) else ""
        if text:
            before = " ".join(turn.user for turn in self.conversation.past[-earlier_problem.MOST :])
            chosen = earlier_problem.branches(self.draft, root, before, Spotter(self.closeness))
            starting.choose(root, chosen, text)
            earlier_problem.put_down(self.draft, root, text)

    def _fill_from(self, root: Sheet, start: int, stop: int | None) -> None:
        """Gives a task the values of its own part of the message."""
        whole = self.message
        text = self.message.text
        stop = len(text) if stop is None else stop
        part = Message(" " * start + text[start:stop] + " " * (len(text) - stop), claimed=list(self.message.claimed))
        self._read_on(part)
        self._fill(root, started=True)
        self._read_on(whole)
        self.message.claimed = part.claimed

    def _replaces(self, root: Sheet) -> bool:
        """Puts another in the place of one of a kind; whether the message says nothing else."""
        codes = values.read(self.message, self.conversation.now, values.about(root.worksheet), self.names).of(
            Shape.CODE
        )
        rest = Replacing(self.draft, self.message, root, codes, self.names, self.conversation).read()
        if rest is None:
            return False
        self._read_on(rest)
        return not re.search(r"\w", rest.text)

    def _read_on(self, rest: Message) -> None:
        """Goes on with what is left of the message."""
        self.message, self.rows = rest, Rows(self.draft, rest, self.conversation, self.interpreter)

    def _takes_back(self, root: Sheet) -> bool:
        found = values.read(self.message, self.conversation.now, values.about(root.worksheet), self.names)
        correcting = Correcting(self.draft, self.message, root)
        if Limiting(self.draft, self.message, root, found.of(Shape.CODE)).said:
            return False
        return correcting.without() or correcting.taken_back(found)

    def _takes_away(self) -> bool:
        """ "Drop CS 101", of what is only about to be done, undoes nothing that was done."""
        root = self.workspace.focus
        if root is None:
            return False
        found = values.read(self.message, self.conversation.now, values.about(root.worksheet), self.names)
        return Limiting(self.draft, self.message, root, found.of(Shape.CODE)).takes_away

    def _fill(self, root: Sheet, *, started: bool) -> None:
        correcting = Correcting(self.draft, self.message, root)
        asked = self.workspace.asked if self.workspace.asked and self.workspace.asked.sheet.root is root else None
        if not started and (correcting.swap() or correcting.same()):
            return
        found = values.read(self.message, self.conversation.now, values.about(root.worksheet), self.names)
        if asked is None or asked.shape is not Shape.WORDS:
            impossible.refuse(self.draft, self.message, self.workspace.places(root), found)
        limiting = Limiting(self.draft, self.message, root, found.of(Shape.CODE))
        if not limiting.said and asked is not None and not started and self._settled(asked):
            return
        if THE_ONE.search(self.message.low):
            found.only_written_codes()
        if started or (asked is not None and asked.shape is Shape.CODE and not asked.known):
            self._looking.subjects(root, found, self.names.titles)
        text = None if started else self._free_text(asked, found)
        if text is not None and asked is not None and self._told(text, asked):
            return
        if started or (asked is not None and asked.shape is Shape.CODE):
            found.point(self._looking.pointed())
        picked = self._looking.pick(root, asked, started=started)
        before = self.conversation.past[-1].user if self.conversation.past else ""
        filler = Filler(Scope(self.draft, self.message, found, root, before), self.closeness)
        filler.volunteer()
        Restating(self.draft, self.message, root).labelled()
        filler.bare()
        limiting.settle()
        if limiting.all:
            if asked is not None and asked.field.required and not started and whole(self.message.low, Answer.ENOUGH):
                Answering(*self._reading, asked).decline()  # it is needed all the same, and it is said why
            return
        if not picked:
            self._looking.search(root, asked, found, started=started)
        if text is not None and text.tells_values():
            return
        if asked is not None and asked.shape is Shape.CODE and not started:
            self._looking.describe(root, started=False)
        if asked is not None and not started and not self.draft.assigned(asked) and self._unread():
            corrected = self.draft and asked.shape is Shape.CHOICE and said("correction", self.message.low)
            if text is not None and self.draft:
                Answering(*self._reading, asked).put_down(text.beside())
            elif not corrected:
                adds = Adding(self.draft, self.message, root, asked)
                _ = adds.told(named=True) or self._answer(asked) or adds.told()
        if started:
            self._looking.describe(root, started=True)
            self._looking.shown(root)
        if asked is None or asked.shape is not Shape.WORDS:
            occasions = Occasions(self.draft, self.message, root, self.interpreter)
            occasions.take_up(self.conversation.tables, found.of(Shape.CODE))
        Wishes(self.draft, self.message, self.closeness, root).take_up(started=started)

    def _settled(self, asked: Place) -> bool:
        """What was asked is refused or answered by a question, or it is said that nothing more is to follow."""
        answering = Answering(*self._reading, asked)
        return answering.refused() or answering.no_more() or answering.asked_on()

    @property
    def _looking(self) -> Looking:
        return Looking(self.rows, self.closeness, self.questions)

    @property
    def _reading(self) -> tuple[Draft, Message, Closeness]:
        return self.draft, self.message, self.closeness

    def _free_text(self, asked: Place | None, found: values.Values) -> FreeText | None:
        """The message as the answer in free text that was asked for."""
        if asked is None or asked.shape is not Shape.WORDS or self.pending is None or self.pending.kind != "ask":
            return None
        others = [place for place in self.workspace.places(asked.sheet.root) if place != asked]
        return FreeText(self.message, asked, others, found)

    def _told(self, text: FreeText, asked: Place) -> bool:
        """Takes up an answer in free text; False where the message corrects something else instead."""
        answering = Answering(*self._reading, asked)
        if text.declines():
            answering.decline()
            return not text.corrects()
        if text.gives():
            if not asked.field.required and text.names():
                answering.decline()
            return False
        return not text.corrects() and (answering.read() if not text.leaves() else answering.put_down(text.text()))

    def _answer(self, asked: Place) -> bool:
        if self.pending is None or self.pending.kind not in ("ask", "pick", "clarify", "propose"):
            return False
        return Answering(*self._reading, asked).read()

    def _unread(self) -> bool:
        """Something of the message was not understood yet."""
        return any(
            re.search(r"\w", self.message.rest(sentence.start, sentence.stop)) for sentence in self.message.of(*TOLD)
        )

    def _changes(self, item: Statement) -> bool:
        """Whether a statement changes values of the task that is waited for, or leaves open which."""
        sheet = self.workspace.sheet(getattr(item, "instance", ""))
        of = self.workspace.sheet(self.pending.instance) if self.pending else None
        if sheet is not None and of is not None and sheet.root is not of.root:
            return False
        return isinstance(item, _CHANGES) or (isinstance(item, Unclear) and bool(item.choices))

    # -- what is asked beside them -----------------------------------------------------------------------------------

    def _left(self) -> tuple[str, ...]:
        """What was said to a form and used for nothing."""
        parser, frame = self.interpreter.parser, Frame(tables=self.conversation.tables[:1])
        roots, specification = self.workspace.roots, self.workspace.specification
        routers = frozenset(one.name for one in roots if is_router(specification, one.worksheet))
        task = " ".join(values.about(root.worksheet) for root in roots)
        return left(self.message, self.draft.statements, routers, task, lambda words: parser.unused(words, [frame]))

    def _put_together(self, rest: Rest) -> Understanding:
        chat = rest.chat if not self.draft or rest.reply else None
        return Understanding(
            chat=chat,
            questions=(*self.questions, *rest.questions),
            reply=rest.reply,
            unused=rest.unused if not self.draft else self._left(),
            ask="location" if rest.ask == "location" and not self.draft else "",
            statements=tuple(self.draft.statements),
        )
