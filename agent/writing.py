"""A reply that is shown while it is written: from a backend's callback to the events of a turn."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from agent.language import Language, Reply, RespondRequest, StreamingLanguage
from agent.text.english import listed

Emit = Callable[[str, dict[str, Any]], Awaitable[None]]


def with_unused(reply: Reply, unused: tuple[str, ...]) -> Reply:
    """Return the reply, with what was said and not used, whichever backend wrote it."""
    if not unused:
        return reply
    said = f"I did not use: {listed([f'“{words}”' for words in unused])}."
    return reply.model_copy(update={"text": f"{reply.text}\n\n{said}".strip()})


async def write(language: Language, request: RespondRequest, emit: Emit) -> Reply:
    """Return the reply. From a backend that can show it while writing, "text" events carry the words so far.

    An event that takes its time holds up no words: the next one has the latest. Errors are those of the backend and of
    `emit`; whoever cancels this cancels the writing.
    """
    if not isinstance(language, StreamingLanguage):
        return await language.respond(request)
    latest, news = "", asyncio.Event()

    def on_text(text: str) -> None:
        nonlocal latest
        latest = text
        news.set()

    writing = asyncio.create_task(language.respond_streaming(request, on_text))
    writing.add_done_callback(lambda _: news.set())
    shown = ""
    try:
        while not writing.done():
            await news.wait()
            news.clear()
            if latest != shown and not writing.done():
                shown = latest
                await emit("text", {"text": shown})
        return await writing
    finally:
        writing.cancel()
