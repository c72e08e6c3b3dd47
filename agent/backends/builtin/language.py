"""The builtin backend: everything that is asked of a language model, with none."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from agent.backends.builtin import quoting
from agent.backends.builtin.noted import Notes
from agent.backends.builtin.paraphrases import Paraphrases
from agent.backends.builtin.reading.reader import BuiltinReader
from agent.backends.builtin.reading.readings import Readings
from agent.backends.builtin.reading.vectors import TextEncoder, Vectors
from agent.backends.builtin.replies import respond
from agent.backends.builtin.talking import Talking
from agent.backends.examples import Examples
from agent.catalogue.places import Gazetteer
from agent.catalogue.tables import Catalogue
from agent.catalogue.values import ValueMemory
from agent.language import (
    ChatKind,
    Conversation,
    Parsed,
    ParseRequest,
    Question,
    Reply,
    RespondRequest,
    Understanding,
    UnderstandRequest,
)
from agent.networks.cross_encoder import CrossEncoder
from agent.networks.encoder import Encoder
from agent.networks.foreign import notice
from agent.parsing import RULED
from agent.parsing.corpus_selection import CorpusSelector
from agent.parsing.dialogue.interpreter import Interpreter
from agent.parsing.parser import BuiltinParser
from agent.parsing.tasks.understanding import TaskInterpreter
from agent.protocols.errors import ParseFailure
from agent.protocols.reading import AnswerReply, AnswerRequest, MatchReply, MatchRequest, SummaryRequest
from agent.text.bounds import bounded
from agent.understanding.parser import CatalogueParser
from agent.worksheets.statements import Assign

NOTICE = "Built-in language, no model connected."


class BuiltinLanguage:
    """Implements `agent.backends.Language` with rules, a sentence encoder and a cross-encoder."""

    name = BuiltinReader.name
    version = f"{BuiltinReader.version}.{quoting.VERSION}"
    sifts = BuiltinReader.sifts
    notice = NOTICE
    capacity = 60_000  # characters that it reads at once: it looks for what is nearest to the question by itself

    def __init__(
        self,
        catalogue: Catalogue,
        memory: ValueMemory,
        gazetteer: Gazetteer,
        encoder: TextEncoder | None = None,
        notes: Notes | None = None,
        examples: Examples | None = None,
        ruled: frozenset[str] = RULED,
    ) -> None:
        encoder = encoder or Encoder.load()
        self._reader = BuiltinReader(encoder)
        self._vectors = Vectors(encoder, sentences=10_000)
        self._readings = Readings(CrossEncoder.load)
        self._notes, self._catalogue, self._memory = notes, catalogue, memory
        self._ruled = ruled
        self._selector = CorpusSelector(catalogue, memory, encoder.encode)
        self._parser = CatalogueParser(catalogue, memory, gazetteer)
        rules = BuiltinParser(catalogue, memory, gazetteer, ruled, self._parser)
        self._interpreter = Interpreter(rules, catalogue, self._selector)
        self._tasks = TaskInterpreter(self._interpreter, encoder)
        self._paraphrases = Paraphrases(catalogue, memory, gazetteer, examples) if examples else None

    async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
        """Of a long text, the sentences that answer; of anything else, a verdict or the stretch asked for."""
        long = [request for request in requests if quoting.is_long_text(request)]
        quoted = iter(await asyncio.to_thread(lambda: [self._quoted(request) for request in long]))
        read = iter(await self._reader.answer([request for request in requests if not quoting.is_long_text(request)]))
        return [next(quoted if quoting.is_long_text(request) else read) for request in requests]

    def _quoted(self, request: AnswerRequest) -> AnswerReply:
        """Notes change without the text: a reply that may rest on some is for this time only."""
        noted = self._notes(request.passages[0].text) if self._notes else ()
        reply = quoting.quote(request, self._vectors, self._readings, noted)
        return reply.model_copy(update={"lasting": self._notes is None})

    async def match_values(self, requests: Sequence[MatchRequest]) -> list[MatchReply]:
        return await self._reader.match_values(requests)

    async def summarise(self, requests: Sequence[SummaryRequest]) -> list[AnswerReply]:
        return await self._reader.summarise(requests)

    async def understand(self, request: UnderstandRequest) -> Understanding:
        return await asyncio.to_thread(self._understand, request)

    def _understand(self, request: UnderstandRequest) -> Understanding:
        """What the part of the message that is read wants, and what to say of the rest.

        A message in another language is not searched for word by word; an answer to a form may be a name of any.
        """
        read, state = bounded(request.message), request.conversation.state
        if (state is None or state.pending is None) and self._paraphrased(request.message, request.conversation.tables):
            return Understanding(questions=(Question(words=request.message),))
        foreign = "" if state is not None and state.pending is not None else notice(read.text)
        if foreign:
            return Understanding(chat=ChatKind.OUT_OF_SCOPE, reply=foreign)
        conversation, understood = self._about(read.text, request.conversation), None
        ruled = self._ruled.intersection(conversation.tables)
        if ruled or request.specification is not None:
            own = conversation if ruled else _without_frames(conversation)
            understood = self._tasks.understand(request.model_copy(update={"message": read.text, "conversation": own}))
        if understood is None or (not ruled and _searches(understood)):
            understood = self._parser.understand(read.text, conversation)
        questions = understood.questions
        if conversation.tables != request.conversation.tables:
            questions = tuple(one.model_copy(update={"tables": conversation.tables}) for one in questions)
        kept = tuple(
            one.model_copy(update={"value": read.written(one.value)})
            if isinstance(one, Assign) and isinstance(one.value, str)
            else one
            for one in understood.statements
        )
        return understood.model_copy(update={"unread": read.note, "statements": kept, "questions": questions})

    async def parse(self, request: ParseRequest) -> Parsed:
        """The query of one question. A query that did not check would be written the same again: that is a failure."""
        if request.problem:
            raise ParseFailure("I could not turn this into a search.", request.problem)
        tables = request.question.tables or request.conversation.tables
        if known := await asyncio.to_thread(self._paraphrased, request.question.words, tables):
            return known
        ruled = self._ruled.intersection(tables)
        parse = self._interpreter.parse if ruled else self._parser.parse
        return await asyncio.to_thread(parse, request.question, request.conversation)

    def _about(self, message: str, conversation: Conversation) -> Conversation:
        """The conversation over the one corpus that a message is about, where nobody chose an assistant."""
        if conversation.assistant or not conversation.tables:
            return conversation
        last = [query.table for turn in conversation.past[-1:] for query in turn.queries[-1:] if query.table]
        main = self._selector.choose(message, [*last, *conversation.tables])
        beside = [name for name in self._selector.details(main) if name in conversation.tables]
        return conversation.model_copy(update={"tables": (main, *beside)})

    def _paraphrased(self, message: str, tables: Sequence[str]) -> Parsed | None:
        """The query of a checked pair that says the same; with the words that a later message may go on from."""
        found = self._paraphrases.parsed(message, tables) if self._paraphrases else None
        if found is None or self._ruled.intersection(found.tables):
            return found
        return found.model_copy(update={"frame": {"messages": [message]}})

    async def respond(self, request: RespondRequest) -> Reply:
        return respond(request, Talking.of(self._catalogue, request.conversation.tables, self._memory))


def _without_frames(conversation: Conversation) -> Conversation:
    """The conversation without what the other parser keeps with its queries, where the rules read its forms."""
    past = tuple(
        turn.model_copy(update={"queries": tuple(one.model_copy(update={"frame": None}) for one in turn.queries)})
        for turn in conversation.past
    )
    return conversation.model_copy(update={"past": past})


def _searches(understood: Understanding) -> bool:
    """Whether nothing but a search was made of a message, or nothing at all."""
    unclear = understood.chat is ChatKind.UNCLEAR
    return not understood.statements and (bool(understood.questions) or unclear)
