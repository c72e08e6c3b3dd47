"""The tasks `match_values` and `summarise`."""

from __future__ import annotations

import re

from agent.backends.prompted.asking import Asker, Wire
from agent.backends.prompted.clean import clean, visible
from agent.protocols.reading import AnswerReply, MatchReply, MatchRequest, SummaryRequest
from agent.text.addressed import addresses_the_reader


class Matches(Wire):
    """The reply to the prompt `match_values`."""

    values: list[str]


class Gist(Wire):
    """The reply to the prompt `summarise`; null where the passages say nothing."""

    summary: str | None


async def match_values(asker: Asker, request: MatchRequest) -> MatchReply:
    """Return the values of the vocabulary that mean what was asked for. Words that are not in it are ignored."""
    if not request.values:
        return MatchReply(values=())
    asked = request.model_dump(mode="json", exclude_defaults=True)
    messages = asker.prompts.render("match_values", request=asked)
    return await asker.ask("match_values", messages, Matches, lambda reply: _known(reply, request))


async def summarise(asker: Asker, request: SummaryRequest) -> AnswerReply:
    """Return the gist of some passages; no passages, no gist and no call."""
    passages = [
        {"document": passage.document, "date": passage.dated, "text": visible(passage.text)}
        for passage in request.passages
        if passage.text.strip()
    ]
    if not passages:
        return AnswerReply(value=None)
    messages = asker.prompts.render("summarise", passages=passages)
    texts = [passage.text for passage in request.passages]
    return await asker.ask("summarise", messages, Gist, lambda reply: _gist(reply, texts))


def _gist(reply: Gist, texts: list[str]) -> AnswerReply:
    """The gist in plain words, without the sentences that speak to a reader of prompts."""
    sentences = re.split(r"(?<=[.!?])\s+", clean(reply.summary or "", texts))
    kept = " ".join(sentence for sentence in sentences if not addresses_the_reader(sentence, closed=False))
    return AnswerReply(value=kept.strip() or None)


def _known(reply: Matches, request: MatchRequest) -> MatchReply:
    """The replied values that are in the vocabulary, in its order and its spelling."""
    wanted = {value.strip().casefold() for value in reply.values}
    return MatchReply(values=tuple(value for value in request.values if value.strip().casefold() in wanted))
