"""The ASGI application: who may open a websocket."""

from __future__ import annotations

from uuid import uuid4

import pytest
from asgiref.testing import ApplicationCommunicator
from django.test import override_settings

from hybridchat.asgi import application


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("origin", ["https://evil.example", "http://chat.example.org.evil.example", "null"])
async def test_a_page_of_another_site_cannot_open_a_websocket(origin: str) -> None:
    scope = {
        "type": "websocket",
        "path": f"/ws/chat/{uuid4()}/",
        "query_string": b"",
        "headers": [(b"host", b"chat.example.org"), (b"origin", origin.encode())],
        "subprotocols": [],
    }
    with override_settings(ALLOWED_HOSTS=["chat.example.org"]):
        browser = ApplicationCommunicator(application, scope)
        await browser.send_input({"type": "websocket.connect"})
        assert (await browser.receive_output())["type"] == "websocket.close"
