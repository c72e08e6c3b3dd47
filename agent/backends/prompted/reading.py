"""The task `answer`: many questions on many texts in few prompts, each reply checked on its own.

What a model writes counts only as far as the request bears it out: an item it was not given is ignored, a value that
is not of the type is no value, a quote that is not in its passage or that speaks to the model is no evidence, and a
value without any evidence is no value. What is said in words is cleaned. So a text that talks the model into something
can spoil at most the answer about itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from agent.backends.prompted import pictures
from agent.backends.prompted.asking import Asker, Wire
from agent.backends.prompted.clean import clean, visible
from agent.backends.prompted.quotes import locate
from agent.backends.prompted.settings import ModelSettings
from agent.backends.prompted.together import together
from agent.backends.prompted.values import typed
from agent.protocols.errors import BadReply, LanguageError, ModelRefused
from agent.protocols.reading import AnswerReply, AnswerRequest, Passage, Span
from agent.text.addressed import addresses_the_reader
from agent.text.values import AnswerType

LEFT_OUT = "[…]"
APART = 3
"""Characters between two passages that may be blanks: so few are nothing left out."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


class Finding(Wire):
    """What one place in the texts says on the question, in its own words."""

    quote: str
    says: str


class ItemAnswer(Wire):
    """The answer to one item of the prompt."""

    id: str
    findings: list[Finding]
    value: str | None


class Answers(Wire):
    """The reply to the prompt `answer`: each item is decided, or its passages are silent."""

    items: list[ItemAnswer]
    silent: list[str]


Numbered = tuple[int, AnswerRequest]
"""A request and its place in the batch."""


class PassageReader:
    """Answers questions on passages."""

    def __init__(self, asker: Asker, settings: ModelSettings) -> None:
        self._asker = asker
        self._settings = settings

    async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
        """One reply per request, in order. A request without words to read is "no info" and costs nothing.

        A single text that cannot be read (the model refuses it, or twice writes nonsense about it) does not fail the
        others: its reply says so in `problem`. Raises the `LanguageError` where no text at all could be read.
        """
        readable = [
            (n, request)
            for n, request in enumerate(requests)
            if any(passage.text.strip() or passage.image for passage in request.passages)
        ]
        found: dict[int, AnswerReply] = {}
        for batch in await together(self._batch(batch) for batch in self._batches(readable)):
            found.update(batch)
        problems = [found[n].problem for n, _ in readable]
        if problems and all(problems):
            raise BadReply("The language model could not read the texts it was given. Please try again.", problems[0])
        return [found.get(n, AnswerReply(value=None)) for n in range(len(requests))]

    def _batches(self, items: Sequence[Numbered]) -> Iterator[list[Numbered]]:
        """Runs of requests that share a prompt: not too many, not too long."""
        batch: list[Numbered] = []
        size = 0
        for item in items:
            length = sum(len(passage.text) for passage in item[1].passages)
            shows = any(passage.image for passage in [*item[1].passages, *(batch[-1][1].passages if batch else ())])
            full = len(batch) >= self._settings.batch_items or size + length > self._settings.batch_characters
            full = full or shows  # a prompt with pictures holds one item, so that nobody mixes them up
            if batch and full:
                yield batch
                batch, size = [], 0
            batch.append(item)
            size += length
        if batch:
            yield batch

    async def _batch(self, batch: Sequence[Numbered]) -> dict[int, AnswerReply]:
        """The replies to a batch. What comes back wrong or not at all is asked again in halves, down to one."""
        try:
            found = await self._prompt(batch)
        except (BadReply, ModelRefused) as error:
            if len(batch) == 1:
                return {batch[0][0]: _unread(error)}
            found = {}
        missing = [item for item in batch if item[0] not in found]
        if len(missing) == len(batch) == 1:
            return {batch[0][0]: AnswerReply(value=None, problem="The model left this text out of its reply.")}
        middle = len(missing) // 2 if len(missing) == len(batch) else 0
        parts = [part for part in (missing[:middle], missing[middle:]) if part]
        for replies in await together(self._batch(part) for part in parts):
            found.update(replies)
        return found

    async def _prompt(self, batch: Sequence[Numbered]) -> dict[int, AnswerReply]:
        """The usable replies of one prompt, by place in the batch."""
        by_id = {str(position + 1): item for position, item in enumerate(batch)}
        images = tuple(_opened(passage.image) for _, request in batch for passage in request.passages if passage.image)
        messages = self._asker.prompts.render("answer", questions=_by_question(by_id))
        messages = (*messages[:-1], replace(messages[-1], images=images)) if images else messages
        return await self._asker.ask(
            "answer", messages, Answers, lambda reply: _accepted(reply, by_id), items=len(batch)
        )


def _by_question(by_id: Mapping[str, Numbered]) -> list[dict[str, Any]]:
    """The requests as the prompt shows them: each question once, with its items."""
    questions: dict[tuple[Any, ...], dict[str, Any]] = {}
    for name, (_, request) in by_id.items():
        asked = (request.question, request.type, request.options, request.example)
        shown = questions.setdefault(asked, _question(request))
        shown["items"].append({"id": name} | _shown(request))
    return list(questions.values())


def _question(request: AnswerRequest) -> dict[str, Any]:
    shown: dict[str, Any] = {"question": request.question, "type": request.type.value}
    if request.options:
        shown["options"] = list(request.options)
    if request.example:
        shown["answer_looks_like"] = request.example
    return shown | {"items": []}


def _shown(request: AnswerRequest) -> dict[str, Any]:
    """What an item is asked about: its texts, each in one piece, and with its date where that is known."""
    shown: list[str | list[str]] = []
    in_order = [request.passages[number] for number in _in_order(request.passages)]
    for _, passages in groupby(in_order, key=lambda passage: passage.document):
        of_one = list(passages)
        text = f"the picture below, number {len(shown) + 1}" if of_one[0].image else _joined(of_one)
        dated = of_one[0].dated
        shown.append([dated, text] if dated else text)
    return {"texts": shown}


def _joined(passages: Sequence[Passage]) -> str:
    """The passages of one text in its order, with "[…]" where something of it is left out."""
    pieces: list[str] = []
    at = 0
    for passage in passages:
        if passage.start > at + APART:
            pieces.append(LEFT_OUT)
        pieces.append(visible(passage.text))
        at = passage.start + len(passage.text)
    if at + APART < passages[-1].whole:
        pieces.append(LEFT_OUT)
    return " ".join(pieces)


def _in_order(passages: Sequence[Passage]) -> list[int]:
    """The numbers of passages, text by text, the one with the best passage first, and each as it is written."""
    first: dict[int, int] = {}
    for number, passage in enumerate(passages):
        first.setdefault(passage.document, number)
    return sorted(range(len(passages)), key=lambda n: (first[passages[n].document], passages[n].start, n))


def _accepted(reply: Answers, by_id: Mapping[str, Numbered]) -> dict[int, AnswerReply]:
    """The answers to items that were asked, once each, decided or silent; of the others there is none.

    Raises ValueError if there is none at all.
    """
    named = [*(item.id for item in reply.items), *reply.silent]
    once = {name for name in by_id if named.count(name) == 1}
    found = {by_id[item.id][0]: _grounded(item, by_id[item.id][1]) for item in reply.items if item.id in once}
    found |= {by_id[name][0]: AnswerReply(value=None) for name in reply.silent if name in once}
    if not found:
        raise ValueError(f"name each of {', '.join(by_id)} exactly once, in items or in silent, under its own id")
    return found


def _grounded(item: ItemAnswer, request: AnswerRequest) -> AnswerReply:
    """The answer as far as the passages bear it out. What is seen in a picture cannot be quoted from it."""
    value = typed(item.value, request.type, request.options)
    if value is None:
        return AnswerReply(value=None)
    if any(passage.image for passage in request.passages):
        return AnswerReply(value=value)
    spans = tuple(span for finding in item.findings if (span := _span(finding, value, request)))
    if not any(span.supports for span in spans):
        return AnswerReply(value=None)
    if request.type is AnswerType.TEXT:
        value = clean(value, [passage.text for passage in request.passages])
        if not value:
            return AnswerReply(value=None)
    return AnswerReply(value=value, spans=tuple(sorted(spans, key=lambda span: not span.supports)))


def _span(finding: Finding, value: str, request: AnswerRequest) -> Span | None:
    """Where the quoted words stand, or None if no passage of the request has them, or they are no evidence.

    Words that run over the end of a passage are looked for sentence by sentence, the longest first.
    """
    sentences = sorted(_SENTENCE_END.split(finding.quote), key=len, reverse=True)
    for quote in dict.fromkeys([finding.quote, *sentences]):
        found = [(number, locate(quote, request.passages[number].text)) for number in _in_order(request.passages)]
        places = [(number, *where) for number, where in found if where is not None]
        for number, start, stop in places:
            if not addresses_the_reader(request.passages[number].text[start:stop], closed=_closed(request)):
                supports = _supports(finding.says, value, request)
                return Span(passage=number, start=start, stop=stop, supports=supports)
        if places or addresses_the_reader(quote, closed=_closed(request)):
            return None  # nor is a part of an order
    return None


def _closed(request: AnswerRequest) -> bool:
    """Is the answer one of a few words, or a figure?"""
    return request.type is not AnswerType.TEXT


def _supports(says: str, value: str, request: AnswerRequest) -> bool:
    """Whether a finding speaks for the value. Open answers are composed of their findings, so all of those do."""
    if request.type is AnswerType.TEXT and value not in ("Yes", "No"):
        return True
    said = typed(says, request.type, request.options)
    return said is None or said == value


def _opened(picture: str) -> str:
    """The address of a picture. Raises `BadReply`, which leaves this one picture unread, where it has none."""
    found = pictures.address(picture)
    if found is None:
        raise BadReply("The picture is neither an address (http, https, data) nor an image's bytes.", picture[:80])
    return found


def _unread(error: LanguageError) -> AnswerReply:
    return AnswerReply(value=None, problem=str(error))
