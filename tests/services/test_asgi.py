"""The ASGI application: who may open a websocket."""

from __future__ import annotations

from uuid import uuid4

import pytest
from asgiref.testing import ApplicationCommunicator
from django.template import engines

from hybridchat.asgi import application
from hybridchat.chat.warming import warm_up


async def first_reply(origin: str) -> str:
    """What a browser on a page of this origin hears when it opens a websocket of this machine's site."""
    scope = {
        "type": "websocket",
        "path": f"/ws/chat/{uuid4()}/",
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"origin", origin.encode())],
        "subprotocols": [],
    }
    browser = ApplicationCommunicator(application, scope)
    await browser.send_input({"type": "websocket.connect"})
    return str((await browser.receive_output(5))["type"])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost.evil.example", "null"])
async def test_a_page_of_another_site_cannot_open_a_websocket(origin: str) -> None:
    assert await first_reply(origin) == "websocket.close"


@pytest.mark.django_db(transaction=True)
async def test_a_page_of_this_site_can() -> None:
    assert await first_reply("http://localhost:8765") == "websocket.accept"


def test_a_fresh_process_compiles_its_templates_beside_the_first_people() -> None:
    """What a frame is made of is ready before anybody sends a message."""
    thread = warm_up()
    thread.join(20)
    assert not thread.is_alive()
    (cached,) = engines["django"].engine.template_loaders
    assert {"chat/turn.html", "chat/_composer.html", "chat/_line.html"} <= set(cached.get_template_cache)
