"""A browser tab without a browser: an ASGI websocket to the real consumer, and everything it was sent."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter
from django.contrib.auth.models import AnonymousUser

from hybridchat.chat.models import Conversation
from hybridchat.chat.owners import TOKEN
from hybridchat.chat.routing import websocket_urlpatterns

PATIENCE = 10.0
ENDED = "#announcement"  # what a frame that brings the end of a turn holds


class Tab:
    """A tab, with everything it was sent."""

    def __init__(self, conversation: Conversation, token: str, after: str = "") -> None:
        scope = {
            "type": "websocket",
            "path": f"/ws/chat/{conversation.pk}/",
            "query_string": f"after={after}".encode() if after else b"",
            "headers": [],
            "subprotocols": [],
            "session": {TOKEN: token},
            "user": AnonymousUser(),
        }
        self.socket = ApplicationCommunicator(URLRouter(websocket_urlpatterns), scope)
        self.frames: list[str] = []

    async def open(self) -> None:
        await self.socket.send_input({"type": "websocket.connect"})
        accepted = await self.socket.receive_output(PATIENCE)
        assert accepted["type"] == "websocket.accept"

    async def close(self) -> None:
        await self.socket.send_input({"type": "websocket.disconnect", "code": 1001})
        await self.socket.wait(PATIENCE)

    async def say(self, **message: Any) -> None:
        await self.send(json.dumps({"HEADERS": {"HX-Request": "true"}, **message}))

    async def send(self, text: str | None = None, data: bytes | None = None) -> None:
        await self.socket.send_input({"type": "websocket.receive", "text": text, "bytes": data})

    async def until(self, pattern: str) -> str:
        """The first frame, from now on, that holds the pattern."""
        async with asyncio.timeout(PATIENCE):
            while True:
                frame = (await self.socket.receive_output(PATIENCE))["text"]
                self.frames.append(frame)
                if re.search(pattern, frame, re.S):
                    return frame

    @property
    def cursor(self) -> str:
        return re.findall(r'id="cursor" data-after="([\d.]+)"', "".join(self.frames))[-1]
