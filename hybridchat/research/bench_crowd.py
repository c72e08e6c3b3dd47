"""Measures a crowd: many people who send a message to a running site at the same moment.

Each has a browser session of their own. Timed are the first sign that comes back (their place in line, or their turn),
and the end of the answer, both from the moment of sending.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from websockets.asyncio.client import ClientConnection, connect

from hybridchat.chat import services
from hybridchat.chat.owners import TOKEN, Owner, key_of
from hybridchat.research.bench import median, percentile

ENDED = "#announcement"  # what a frame that brings the end of a turn holds
LONGEST = 300.0  # seconds
SIGNS = ('id="line"', 'id="status-', "beforeend:#turns")


@dataclass(frozen=True, slots=True)
class Wait:
    """Milliseconds of one person until the first sign and until the answer."""

    first: float
    answer: float


async def measure_crowd(port: int, people: int, messages: Sequence[tuple[str, str]]) -> list[Wait]:
    """What each of so many people waits; `messages` are pairs of assistant and message, used in turn."""
    chosen = [messages[number % len(messages)] for number in range(people)]
    tabs = [await _opened(port, assistant) for assistant, _ in chosen]
    try:
        return await asyncio.gather(*(_asked(tab, words) for tab, (_, words) in zip(tabs, chosen, strict=True)))
    finally:
        await asyncio.gather(*(tab.close() for tab in tabs))


def crowd_table(waits: Sequence[Wait]) -> str:
    """Median, 95th percentile and maximum of both times, and how many medians the slowest answer took."""
    lines = [f"{'':14}{'median ms':>12}{'p95 ms':>12}{'max ms':>12}"]
    for name, times in (("first sign", [wait.first for wait in waits]), ("answer", [wait.answer for wait in waits])):
        lines.append(f"{name:14}{median(times):12.0f}{percentile(times, 95):12.0f}{max(times):12.0f}")
    answers = [wait.answer for wait in waits]
    return "\n".join([*lines, f"the slowest answer took {max(answers) / median(answers):.2f} medians"])


async def _opened(port: int, assistant: str) -> ClientConnection:
    """A tab of a new browser session, with a conversation of its own."""
    cookie, conversation = await sync_to_async(_visitor)(assistant)
    address = f"ws://127.0.0.1:{port}/ws/chat/{conversation}/"
    headers = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={cookie}"}
    return await connect(address, origin=f"http://127.0.0.1:{port}", additional_headers=headers, proxy=None)


def _visitor(assistant: str) -> tuple[str, str]:
    token, session = str(uuid4()), SessionStore()
    session[TOKEN] = token
    session.create()
    return session.session_key, str(services.new_conversation(Owner(key_of(token)), assistant).pk)


async def _asked(tab: ClientConnection, message: str) -> Wait:
    sent, first = time.perf_counter(), 0.0
    await tab.send(json.dumps({"type": "send", "uuid": str(uuid4()), "message": message}))
    async with asyncio.timeout(LONGEST):
        async for frame in tab:
            since = (time.perf_counter() - sent) * 1000
            if not first and any(sign in str(frame) for sign in SIGNS):
                first = since
            if ENDED in str(frame):
                return Wait(first, since)
    raise RuntimeError("The site closed a connection before the answer came.")
