"""A reply is shown while it is written, where the backend can do that."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from agent.language import Conversation, Language, Reply, RespondRequest, StreamingLanguage
from agent.protocols.errors import ModelUnavailable
from agent.writing import with_unused, write

REQUEST = RespondRequest(
    message="hi", conversation=Conversation(assistant="", tables=(), now=datetime(2026, 11, 20, tzinfo=UTC))
)


class Whole:
    """A backend that gives its reply in one piece."""

    name = version = notice = ""

    async def answer(self, requests: Any) -> Any: ...
    async def match_values(self, requests: Any) -> Any: ...
    async def summarise(self, requests: Any) -> Any: ...
    async def understand(self, request: Any) -> Any: ...
    async def parse(self, request: Any) -> Any: ...

    async def respond(self, request: RespondRequest) -> Reply:
        return Reply(text="Two places.")


class Writer(Whole):
    """A backend that writes word by word."""

    ended = False

    async def respond_streaming(self, request: RespondRequest, on_text: Any) -> Reply:
        try:
            for text in ("Two", "Two places", "Two places fit."):
                on_text(text)
                await asyncio.sleep(0.02)
        finally:
            self.ended = True
        return Reply(text="Two places fit.", suggestions=("Cheaper",))


class Broken(Writer):
    async def respond_streaming(self, request: RespondRequest, on_text: Any) -> Reply:
        on_text("Two")
        await asyncio.sleep(0.02)
        raise ModelUnavailable("The model is gone.")


def test_the_backends_here_are_what_they_claim() -> None:
    assert isinstance(Whole(), Language)
    assert not isinstance(Whole(), StreamingLanguage)
    assert isinstance(Writer(), StreamingLanguage)


async def shown_by(language: Any, seconds: float = 0.0) -> tuple[Reply, list[str]]:
    shown: list[str] = []

    async def emit(kind: str, payload: dict[str, Any]) -> None:
        assert kind == "text"
        shown.append(payload["text"])
        await asyncio.sleep(seconds)

    return await write(language, REQUEST, emit), shown


async def test_a_reply_in_one_piece_makes_no_text_events() -> None:
    assert await shown_by(Whole()) == (Reply(text="Two places."), [])


async def test_words_are_shown_as_they_come_and_the_reply_is_what_counts() -> None:
    reply, shown = await shown_by(Writer())
    assert shown == ["Two", "Two places", "Two places fit."]
    assert reply.suggestions == ("Cheaper",)


async def test_slow_events_skip_words_instead_of_holding_them_up() -> None:
    _, shown = await shown_by(Writer(), seconds=0.2)
    assert shown == ["Two"]


async def test_the_backends_error_is_the_error() -> None:
    with pytest.raises(ModelUnavailable):
        await shown_by(Broken())


@pytest.mark.parametrize("late", ["cancelled", "emit fails"])
async def test_the_writing_ends_with_whoever_waits_for_it(late: str) -> None:
    writer = Writer()

    async def emit(kind: str, payload: dict[str, Any]) -> None:
        if late == "emit fails":
            raise LookupError("lease lost")

    task = asyncio.create_task(write(writer, REQUEST, emit))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises((asyncio.CancelledError, LookupError)):
        await task
    await asyncio.sleep(0)
    assert writer.ended


def test_what_was_not_used_is_said_whichever_backend_wrote_the_reply() -> None:
    reply = with_unused(Reply(text="Two places."), ("within 2 miles", "for four"))
    assert reply.text == "Two places.\n\nI did not use: “within 2 miles” and “for four”."
    assert with_unused(Reply(text="Two places."), ()).text == "Two places."
