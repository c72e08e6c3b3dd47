"""One browser tab that looks at one conversation.

What a person does becomes a call of one service; what happens in the conversation is read from the database after each
hint, and every few seconds while a turn runs (hints may be lost), and sent as HTML. The tab owns no work: it may close.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections import deque
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from channels.generic.websocket import AsyncWebsocketConsumer

from agent.errors import AgentError
from hybridchat.chat import allowance, forms, fragments, hints, limits, selectors, services
from hybridchat.chat.errors import ChatError, Malformed, NotFound, TooFast, TooLong
from hybridchat.chat.fragments import Cursor, Frame
from hybridchat.chat.languages import current_language
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.owners import Owner, owner_of
from hybridchat.chat.runner import start_parsing, warm_up
from hybridchat.chat.threads import in_thread

logger = logging.getLogger(__name__)

NOT_YOURS = 4404  # htmx's extension does not reconnect after it
COME_BACK = 1012  # "service restart": it reconnects, and asks for what it missed
LOOK_AGAIN = 2.0  # seconds between looks at the database while a turn runs: hints may be lost
LOOK_IDLY = 30.0  # and while none does
PING, PONG = "ping", "pong"  # a page asks whether the connection lives
BREATH = 0.04  # seconds between frames, so that a burst of events is one frame


class ChatConsumer(AsyncWebsocketConsumer):
    """The websocket of a conversation. The protocol is in `hybridchat.chat.rendering`."""

    async def connect(self) -> None:
        await self.accept()
        self.wake = asyncio.Event()
        self.received: deque[float] = deque()
        self.pump: asyncio.Task[None] | None = None
        try:
            await in_thread(self._enter)
        except NotFound:
            await self.close(code=NOT_YOURS)
            return
        self.group = hints.conversation_group(self.conversation.pk)
        await self.channel_layer.group_add(self.group, self.channel_name)
        self.wake.set()
        self.pump = asyncio.create_task(self._pump())
        if self.waiting is not None:
            start_parsing(self.waiting)
        else:
            warm_up(self.conversation.language)

    async def disconnect(self, code: int) -> None:
        if self.pump is None:
            return
        await self.channel_layer.group_discard(self.group, self.channel_name)
        self.pump.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.pump

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if text_data == PING:
            await self.send(text_data=PONG)
            return
        message: dict[str, Any] = {}
        try:
            self._check_pace()
            message = _read(text_data)
            await self._act(message)
        except (ChatError, AgentError) as error:
            html = await in_thread(fragments.refusal, error.sentence, _identifier(message))
            await self.send(text_data=html)
        if heard := _identifier(message):
            await self.send(text_data=json.dumps({"heard": heard}))

    async def turn_reached(self, hint: dict[str, Any]) -> None:
        """Hint: a turn of this conversation has an event more."""
        self.wake.set()

    async def turn_changed(self, hint: dict[str, Any]) -> None:
        """Hint: something about a turn changed that is no event."""
        html = await in_thread(fragments.changed, self.conversation, UUID(hint["turn"]))
        if html:
            await self.send(text_data=html)

    def _enter(self) -> None:
        """Find out who is there, whether the conversation is theirs, and what they have seen of it."""
        self.owner: Owner = owner_of(self.scope["session"], self.scope["user"])
        wanted: UUID = self.scope["url_route"]["kwargs"]["conversation"]
        self.conversation: Conversation = selectors.conversation_of(self.owner, wanted)
        after = parse_qs(self.scope["query_string"].decode("ascii", "replace")).get("after", [""])[0]
        self.cursor = Cursor.read(after, self.conversation)
        received = self.conversation.turns.filter(status=Turn.Status.RECEIVED).first()
        self.waiting = received.pk if received else None

    async def _pump(self) -> None:
        """Send what happened, whenever there may be something new."""
        running = True
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_AGAIN if running else LOOK_IDLY):
                    await self.wake.wait()
            self.wake.clear()
            try:
                frame: Frame = await in_thread(fragments.since, self.conversation, self.owner, self.cursor)
            except Exception:
                logger.exception("a frame of conversation %s could not be made", self.conversation.pk)
                await self.close(code=COME_BACK)
                return
            if frame.html:
                await self.send(text_data=frame.html)
            self.cursor, running = frame.cursor, frame.running
            await asyncio.sleep(BREATH)

    async def _act(self, message: dict[str, Any]) -> None:
        handler = self._handlers().get(_text(message, "type"))
        if handler is None:
            raise Malformed("This page sent something I do not understand. Please reload it.")
        started = await in_thread(handler, message)
        if started is not None:
            start_parsing(started)

    def _handlers(self) -> dict[str, Callable[[dict[str, Any]], UUID | None]]:
        return {
            "send": self._send,
            "stop": self._stop,
            "retry": self._retry,
            "without": self._without,
            "feedback": self._feedback,
            "form": self._form,
        }

    def _send(self, message: dict[str, Any]) -> UUID | None:
        self._check_share()
        turn, created = services.receive(self.conversation, _uuid(message, "uuid"), _text(message, "message"))
        return turn.pk if created else None

    def _retry(self, message: dict[str, Any]) -> UUID | None:
        self._check_share()
        turn, created = services.retry(self._turn(message), _uuid(message, "uuid"))
        return turn.pk if created and turn.status == Turn.Status.RECEIVED else None

    def _without(self, message: dict[str, Any]) -> UUID | None:
        self._check_share()
        index, constraint = _number(message, "query"), _text(message, "constraint")
        services.search_without(self._turn(message), _uuid(message, "uuid"), index, constraint)
        return None

    def _form(self, message: dict[str, Any]) -> UUID | None:
        self._check_share()
        statement, text = forms.statement_of(self.conversation, message)
        turn, created = services.submit(self.conversation, _uuid(message, "uuid"), [statement], text)
        return turn.pk if created else None

    def _stop(self, message: dict[str, Any]) -> None:
        services.request_stop(self._turn(message))

    def _feedback(self, message: dict[str, Any]) -> None:
        comment = _text(message, "comment") if "comment" in message else None
        services.give_feedback(self._turn(message), _number(message, "rating") or None, comment)

    def _turn(self, message: dict[str, Any]) -> Turn:
        return selectors.turn_of(self.conversation, _uuid(message, "turn"))

    def _check_share(self) -> None:
        """May the owner ask for one more turn, so soon and at what it may cost?"""
        limits.check_pace(self.owner)
        allowance.check(self.owner, current_language())

    def _check_pace(self) -> None:
        now = time.monotonic()
        while self.received and now - self.received[0] > 10:
            self.received.popleft()
        if len(self.received) >= limits.FRAMES_PER_TEN_SECONDS:
            raise TooFast("That is faster than I can follow. Please wait a few seconds.")
        self.received.append(now)


def _read(text: str | None) -> dict[str, Any]:
    """A frame as a dict, or `TooLong` or `Malformed`."""
    if text is None or len(text.encode("utf-8", "replace")) > limits.FRAME_BYTES:
        raise TooLong(f"That is too long to send at once; up to {limits.MESSAGE_CHARACTERS:,} characters are read.")
    try:
        message = json.loads(text)
    except ValueError as error:
        raise Malformed("This page sent something I cannot read. Please reload it.") from error
    if not isinstance(message, dict):
        raise Malformed("This page sent something I cannot read. Please reload it.")
    return message


def _identifier(message: dict[str, Any]) -> str:
    """The identifier by which the page knows the frame; "" where it gave none."""
    return str(message.get("uuid", ""))[:36]


def _text(message: dict[str, Any], name: str) -> str:
    value = message.get(name, "")
    if not isinstance(value, str):
        raise Malformed(f"“{name}” should be text.")
    return value


def _uuid(message: dict[str, Any], name: str) -> UUID:
    try:
        return UUID(_text(message, name))
    except ValueError as error:
        raise Malformed(f"“{name}” should be an identifier. Please reload the page.") from error


def _number(message: dict[str, Any], name: str) -> int:
    try:
        return int(message.get(name, 0))
    except (TypeError, ValueError) as error:
        raise Malformed(f"“{name}” should be a number.") from error
