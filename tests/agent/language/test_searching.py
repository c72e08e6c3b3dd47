"""The query of a search by similarity, as a model takes it from the talk."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime

from agent.backends.openai import OpenAILanguage
from agent.language import ChatKind, Conversation, PastTurn, UnderstandRequest
from agent.protocols.reading import CallRecord
from tests.agent.language.model_server import ModelServer, Say

TALK = Conversation(
    assistant="places",
    tables=("places",),
    past=(PastTurn(user="something by the sea", agent="Here is The Pier."),),
    now=datetime(2026, 11, 20, 10),
)


def says(query: str, chat: str | None = None, reply: str = "") -> Say:
    return Say(json.dumps({"query": query, "chat": chat, "reply": reply}))


async def test_the_query_is_taken_from_the_whole_talk(
    server: ModelServer, speak: Callable[..., OpenAILanguage], calls: list[CallRecord]
) -> None:
    server.will(says("cheap  place by the sea"))
    async with speak() as language:
        wish = await language.search_wish(UnderstandRequest(message="and cheap", conversation=TALK))
    assert wish.query == "cheap place by the sea"
    assert "something by the sea" in str(server.requests[0]["messages"])
    assert calls[0].task == "search"


async def test_small_talk_has_a_reply_and_no_query(server: ModelServer, speak: Callable[..., OpenAILanguage]) -> None:
    server.will(says("", "thanks", "You are welcome."))
    async with speak() as language:
        wish = await language.search_wish(UnderstandRequest(message="thanks", conversation=TALK))
    assert (wish.query, wish.chat, wish.reply) == ("", ChatKind.THANKS, "You are welcome.")


async def test_a_reply_that_says_nothing_is_asked_for_again(
    server: ModelServer, speak: Callable[..., OpenAILanguage]
) -> None:
    server.will(says(""), says("the pier"))
    async with speak() as language:
        wish = await language.search_wish(UnderstandRequest(message="is it open?", conversation=TALK))
    assert wish.query == "the pier"
    assert len(server.requests) == 2
