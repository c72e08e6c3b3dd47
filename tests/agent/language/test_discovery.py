"""Looking for model servers on this machine."""

from __future__ import annotations

import socket
import time

from agent.backends.discovery import USUAL, Offer, look


async def test_a_server_is_offered_with_its_models(server):
    server.models = ["llama", "mistral"]
    offers = await look([("Ollama", server.base_url)])
    assert offers == [Offer("Ollama", server.base_url, ("llama", "mistral"))]
    assert server.requests == []  # nothing but the list was asked for


async def test_models_that_cannot_chat_are_not_offered(server):
    server.models = ["nomic-embed-text"]
    assert await look([("Ollama", server.base_url)]) == []


async def test_a_port_that_stays_silent_holds_nobody_up(server):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        places = [("silent", f"http://127.0.0.1:{silent.getsockname()[1]}/v1"), ("there", server.base_url)]
        started = time.monotonic()
        offers = await look(places, patience=0.3)
    assert [offer.name for offer in offers] == ["there"]
    assert time.monotonic() - started < 1.5


async def test_nothing_listening_is_no_offer_and_no_error():
    assert await look([("nothing", "http://127.0.0.1:9/v1")]) == []


def test_only_this_machine_is_looked_at():
    assert {url.split("/")[2].split(":")[0] for _, url in USUAL} == {"127.0.0.1"}
    assert {int(url.split(":")[2].split("/")[0]) for _, url in USUAL} == {11434, 1234, 8080, 8000}
