"""A whole `Language`, spoken by prompting a `Completer`."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Self

from agent.backends.examples import Example, Examples
from agent.backends.prompted import (
    calling,
    conversing,
    drafting,
    matching,
    parsing,
    responding,
    searching,
    understanding,
)
from agent.backends.prompted.asking import Asker, Wire
from agent.backends.prompted.completion import Completer, OnText
from agent.backends.prompted.prompts import OWN_PROMPTS, Prompts
from agent.backends.prompted.reading import Answers, PassageReader
from agent.backends.prompted.settings import ModelSettings, TaskName
from agent.backends.prompted.together import together
from agent.catalogue.schema_text import describe_catalogue, outline_catalogue
from agent.catalogue.tables import Catalogue
from agent.language import (
    Conversation,
    Parsed,
    ParseRequest,
    Reply,
    RespondRequest,
    SearchWish,
    ToolRequest,
    Understanding,
    UnderstandRequest,
)
from agent.protocols.reading import AnswerReply, AnswerRequest, CallLog, MatchReply, MatchRequest, SummaryRequest
from agent.protocols.tools import ToolStep

READING: dict[TaskName, type[Wire]] = {
    "answer": Answers,
    "match_values": matching.Matches,
    "summarise": matching.Gist,
}
"""The tasks whose replies are kept, and what they are asked to write."""


class PromptedLanguage:
    """Every task of `Language`, over any completer.

    `catalogue` (with `samples`, see `describe_catalogue`) is written into prompts where a conversation brings no
    `schema_text` of its own. `log` is called for every call to the model. The nearest of
    `examples` go into the prompt that asks for a query; `prompts` are of one version.

    `name` and `version` are part of the key under which answers are kept: another model, another wording of a reading
    prompt, or another shape of its reply never meets an old answer.
    """

    notice = ""

    def __init__(
        self,
        completer: Completer,
        settings: ModelSettings,
        catalogue: Catalogue | None = None,
        *,
        samples: Mapping[tuple[str, str], Sequence[str]] | None = None,
        log: CallLog | None = None,
        examples: Examples | None = None,
        prompts: Prompts = OWN_PROMPTS,
    ) -> None:
        self.settings = settings
        self.name = "+".join(dict.fromkeys(settings.model_for(task) for task in READING))
        self.version = _reading_version(prompts)
        self.batch = self.fruitless = settings.batch_items  # a whole prompt of texts that do not match ends a search
        self.concurrency = settings.concurrency
        self.capacity = settings.batch_characters
        self._completer = completer
        self._asker = Asker(completer, settings, log, prompts)
        self._passages = PassageReader(self._asker, settings)
        self._catalogue = catalogue
        self._samples = samples or {}
        self._examples = examples

    @property
    def sees(self) -> bool:
        """Can it be shown pictures?"""
        return self.settings.sees

    async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
        return await self._passages.answer(requests)

    async def match_values(self, requests: Sequence[MatchRequest]) -> list[MatchReply]:
        return await together(matching.match_values(self._asker, request) for request in requests)

    async def summarise(self, requests: Sequence[SummaryRequest]) -> list[AnswerReply]:
        return await together(matching.summarise(self._asker, request) for request in requests)

    async def understand(self, request: UnderstandRequest) -> Understanding:
        return await understanding.understand(self._asker, request, self._outline(request.conversation))

    async def converse(self, request: UnderstandRequest) -> Reply:
        return await conversing.converse(self._asker, request)

    async def call(self, request: ToolRequest) -> ToolStep:
        return await calling.call(self._asker, request)

    async def search_wish(self, request: UnderstandRequest) -> SearchWish:
        return await searching.search_wish(self._asker, request)

    async def parse(self, request: ParseRequest) -> Parsed:
        near: Sequence[Example] = ()
        if self._examples is not None:
            tables = request.question.tables or request.conversation.tables
            near = await asyncio.to_thread(self._examples.nearest, request.question.words, tables)
        return await parsing.parse(self._asker, request, self._schema_text(request.conversation), near)

    async def respond(self, request: RespondRequest) -> Reply:
        return await responding.respond(self._asker, request)

    async def respond_streaming(self, request: RespondRequest, on_text: OnText) -> Reply:
        """Return the same reply; `on_text` is shown its words as they are written."""
        return await responding.respond(self._asker, request, on_text)

    async def describe(self, seen: drafting.Seen) -> drafting.TableDraft:
        """Return what a curator might say of a table."""
        return await drafting.describe(self._asker, seen)

    async def welcome(self, tables: Sequence[drafting.Seen]) -> str:
        """Return what an assistant over some tables might say first."""
        return await drafting.welcome(self._asker, tables)

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        await self._completer.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.aclose()

    def _schema_text(self, conversation: Conversation) -> str:
        """The tables the conversation may query, for a prompt."""
        if conversation.schema_text or self._catalogue is None:
            return conversation.schema_text
        return describe_catalogue(self._catalogue.only(*conversation.tables), self._samples)

    def _outline(self, conversation: Conversation) -> str:
        """The same tables, for a prompt that writes no query."""
        if conversation.schema_text or self._catalogue is None:
            return conversation.schema_text
        return outline_catalogue(self._catalogue.only(*conversation.tables), self._samples)


def _reading_version(prompts: Prompts) -> str:
    """Changes with the wording of a reading prompt and with the shape of its reply."""
    content = [[prompts.source(task), wire.model_json_schema()] for task, wire in READING.items()]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]
