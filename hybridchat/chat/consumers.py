"""One browser tab that looks at one conversation.

What a person does becomes a call of one service; what happens in the conversation is read from the database after each
hint, and every few seconds while a turn runs (hints may be lost), and sent as HTML. The tab owns no work: it may close.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from channels.generic.websocket import AsyncWebsocketConsumer

from agent.protocols.errors import AgentError
from hybridchat.addresses import address_key, client_address_of
from hybridchat.chat import allowance, forms, fragments, hints, limits, selectors, services
from hybridchat.chat.errors import ChatError, Flood, Malformed, NotFound, TooLong
from hybridchat.chat.fragments import Cursor, Frame
from hybridchat.chat.languages import language_of
from hybridchat.chat.lookout import lookout
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.owners import Owner, owner_of
from hybridchat.chat.threads import in_reading_thread, in_thread

logger = logging.getLogger(__name__)

NOT_YOURS = 4404  # htmx's extension does not reconnect after it
SENT_AWAY = 4429  # the page waits a minute before it tries again
COME_BACK = 1012  # "service restart": it reconnects, and asks for what it missed
LOOK_AGAIN = 2.0  # seconds between looks at the database while a turn runs: hints may be lost
LOOK_IDLY = 30.0  # and while none does
PING, PONG = "ping", "pong"  # a page asks whether the connection lives
TURNS = ("send", "retry", "without", "form", "meant")  # what asks for a turn
BREATH = 0.04  # seconds between frames, so that a burst of events is one frame


class ChatConsumer(AsyncWebsocketConsumer):
    """The websocket of a conversation. The protocol is in `hybridchat.chat.rendering`."""

    async def connect(self) -> None:
        await self.accept()
        self.wake = asyncio.Event()
        self.pump: asyncio.Task[None] | None = None
        self.gone = False
        try:
            await in_thread(self._enter)
        except NotFound:
            await self._leave(NOT_YOURS)
            return
        except Flood:
            await self._leave(SENT_AWAY)
            return
        self.group = hints.conversation_group(self.conversation.pk)
        await self.channel_layer.group_add(self.group, self.channel_name)
        self.wake.set()
        self.pump = asyncio.create_task(self._pump())

    async def disconnect(self, code: int) -> None:
        if self.pump is None:
            return
        lookout.forget(self._tell_place)
        self.pump.cancel()
        await self.channel_layer.group_discard(self.group, self.channel_name)
        with contextlib.suppress(asyncio.CancelledError):
            await self.pump

    async def _leave(self, code: int) -> None:
        """Close the socket; frames that were under way already are not acted on."""
        if not self.gone:
            self.gone = True
            await self.close(code=code)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.gone:
            return
        if text_data == PING:
            await self.send(text_data=PONG)
            return
        message: dict[str, Any] = {}
        try:
            message = _read(text_data)
            with lookout.arriving() as before:
                if before and message.get("type") in TURNS:
                    await self.send(text_data=fragments.arriving(before + 1))
                await in_thread(self._act, message)
        except Flood:
            await self._leave(SENT_AWAY)
        except (ChatError, AgentError) as error:
            await self._refuse(error, _identifier(message))
        if not self.gone and (heard := _identifier(message)):
            await self.send(text_data=json.dumps({"heard": heard}))

    async def _refuse(self, error: ChatError | AgentError, answers: str) -> None:
        """Say why something was not accepted; of what no page of ours sends, only a few times."""
        try:
            if isinstance(error, Malformed | TooLong):
                await in_thread(limits.check_sense, self.owner, self.address)
        except Flood:
            await self._leave(SENT_AWAY)
        else:
            await self.send(text_data=await in_thread(fragments.refusal, error.sentence, answers))

    async def turn_reached(self, hint: dict[str, Any]) -> None:
        """Handle the hint that a turn of this conversation has another event."""
        self.wake.set()

    async def turn_changed(self, hint: dict[str, Any]) -> None:
        """Handle the hint that a turn changed without an event."""
        html = await in_reading_thread(fragments.changed, self.conversation, UUID(hint["turn"]))
        if html:
            await self.send(text_data=html)

    def _enter(self) -> None:
        """Find out who is there, whether the conversation is theirs, and what they have seen of it."""
        self.owner: Owner = owner_of(self.scope["session"], self.scope["user"])
        self.address = address_key(client_address_of(self.scope))
        limits.check_sent_away(self.owner, self.address)
        wanted: UUID = self.scope["url_route"]["kwargs"]["conversation"]
        self.conversation: Conversation = selectors.conversation_of(self.owner, wanted)
        after = parse_qs(self.scope["query_string"].decode("ascii", "replace")).get("after", [""])[0]
        self.cursor = Cursor.read(after, self.conversation)

    async def _pump(self) -> None:
        """Send what happened, whenever there may be something new."""
        running = True
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_AGAIN if running else LOOK_IDLY):
                    await self.wake.wait()
            self.wake.clear()
            try:
                frame: Frame = await in_reading_thread(fragments.since, self.conversation, self.owner, self.cursor)
            except Exception:
                logger.exception("a frame of conversation %s could not be made", self.conversation.pk)
                await self._leave(COME_BACK)
                return
            if frame.html:
                await self.send(text_data=frame.html)
            self.cursor, running = frame.cursor, frame.running
            if frame.in_line is not None:
                lookout.watch(frame.in_line, self._tell_place)
            await asyncio.sleep(BREATH)

    async def _tell_place(self, turn: UUID, place: int) -> None:
        """Say where the turn stands in line."""
        await self.send(text_data=fragments.in_line(turn, place))

    def _act(self, message: dict[str, Any]) -> None:
        limits.check_frames(self.owner, self.address)
        handler = self._handlers().get(_text(message, "type"))
        if handler is None:
            raise Malformed("This page sent something the site does not understand. Please reload the page.")
        handler(message)

    def _handlers(self) -> dict[str, Callable[[dict[str, Any]], None]]:
        return {
            "send": self._send,
            "stop": self._stop,
            "retry": self._retry,
            "without": self._without,
            "feedback": self._feedback,
            "meant": self._meant,
            "form": self._form,
        }

    def _send(self, message: dict[str, Any]) -> None:
        self._check_share()
        services.receive(self.conversation, _uuid(message, "uuid"), _text(message, "message"), self.address)

    def _retry(self, message: dict[str, Any]) -> None:
        self._check_share()
        services.retry(self._turn(message), _uuid(message, "uuid"), self.address)

    def _without(self, message: dict[str, Any]) -> None:
        self._check_share()
        index, constraint = _number(message, "query"), _text(message, "constraint")
        services.search_without(self._turn(message), _uuid(message, "uuid"), index, constraint, self.address)

    def _form(self, message: dict[str, Any]) -> None:
        self._check_share()
        statement, text = forms.statement_of(self.conversation, message)
        services.submit(self.conversation, _uuid(message, "uuid"), [statement], text, self.address)

    def _stop(self, message: dict[str, Any]) -> None:
        services.request_stop(self._turn(message))

    def _feedback(self, message: dict[str, Any]) -> None:
        comment = _text(message, "comment") if "comment" in message else None
        reasons = _texts(message, "reasons") if "reasons" in message else None
        services.give_feedback(self._turn(message), _number(message, "rating") or None, comment, reasons)

    def _meant(self, message: dict[str, Any]) -> None:
        self._check_share()
        services.correct(self._turn(message), _uuid(message, "uuid"), _text(message, "message"), self.address)

    def _turn(self, message: dict[str, Any]) -> Turn:
        return selectors.turn_of(self.conversation, _uuid(message, "turn"))

    def _check_share(self) -> None:
        """May the owner ask for one more turn, so soon and at what it may cost?"""
        limits.check_pace(self.owner, self.address)
        allowance.check(self.owner, language_of(self.conversation), self.address)


def _read(text: str | None) -> dict[str, Any]:
    """A frame as a dict, or `TooLong` or `Malformed`."""
    if text is None or len(text.encode("utf-8", "replace")) > limits.FRAME_BYTES:
        raise TooLong(f"That is too long to send. The limit is {limits.MESSAGE_CHARACTERS:,} characters.")
    try:
        message = json.loads(text)
    except ValueError as error:
        raise Malformed("This page sent something the site cannot read. Please reload the page.") from error
    if not isinstance(message, dict):
        raise Malformed("This page sent something the site cannot read. Please reload the page.")
    return message


def _identifier(message: dict[str, Any]) -> str:
    """The identifier by which the page knows the frame; "" if it gave none."""
    return str(message.get("uuid", ""))[:36]


def _text(message: dict[str, Any], name: str) -> str:
    value = message.get(name, "")
    if not isinstance(value, str):
        raise Malformed(f"“{name}” should be text.")
    return value


def _texts(message: dict[str, Any], name: str) -> list[str]:
    """The choices of a form, which sends one as a text and several as a list; empty ones are none."""
    value = message.get(name, [])
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(one, str) for one in values):
        raise Malformed(f"“{name}” should be texts.")
    return [one for one in values if one]


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
