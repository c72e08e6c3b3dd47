"""EMBEDDINGS_URL: another server's embeddings, in place of the encoder."""

from __future__ import annotations

import json
import struct
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from agent.networks.encoder import Encoder
from agent.protocols.errors import BadReply, ModelUnavailable
from corpora.embedding import embedder
from corpora.embeddings_endpoint import BATCH, EndpointEmbedder
from corpora.models import Passage, Restaurant


class Server(HTTPServer):
    """Answers with `reply`; keeps the requests it got."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[tuple[str, str | None, dict[str, Any]]] = []
        self.dimensions = 384
        self.status = 200
        self.base64 = "unknown"  # is what it is to the server: numbers are sent; or "refused"; or "sent"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, self.headers.get("Authorization"), body))
        wanted = body["encoding_format"] == "base64"
        vectors: list[Any] = [[float(len(text))] * self.server.dimensions for text in body["input"]]
        if wanted and self.server.base64 == "sent":
            vectors = [b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode() for vector in vectors]
        rows = [{"object": "embedding", "index": number, "embedding": one} for number, one in enumerate(vectors)]
        reply = {"object": "list", "model": "m", "data": rows[::-1], "usage": {"prompt_tokens": 1, "total_tokens": 1}}
        self.send_response(400 if wanted and self.server.base64 == "refused" else self.server.status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(reply).encode())

    def log_message(self, *args: Any) -> None:
        """Tests are quiet."""


@contextmanager
def answering() -> Iterator[Server]:
    """A server that answers until the block ends."""
    with Server() as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


@pytest.fixture
def server() -> Iterator[Server]:
    with answering() as running:
        yield running


@pytest.mark.parametrize("base64", ["sent", "unknown"])
async def test_vectors_come_in_the_order_of_the_texts_and_of_unit_length(server: Server, base64: str) -> None:
    server.base64 = base64
    texts = [f"text {number}" for number in range(BATCH + 1)]
    vectors = await EndpointEmbedder(server.url, "mini", "key").embed(texts)
    assert vectors.shape == (BATCH + 1, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    paths, keys, bodies = zip(*server.requests, strict=True)
    assert set(paths) == {"/v1/embeddings"}
    assert set(keys) == {"Bearer key"}
    assert [text for body in bodies for text in body["input"]] == texts
    assert {body["model"] for body in bodies} == {"mini"}


async def test_an_endpoint_that_refuses_base64_is_asked_for_numbers_from_then_on(server: Server) -> None:
    server.base64 = "refused"
    embedder = EndpointEmbedder(server.url)
    for _ in range(2):
        assert (await embedder.embed(["a"])).shape == (1, 384)
    assert [body["encoding_format"] for _, _, body in server.requests] == ["base64", "float", "float"]


async def test_the_address_may_end_in_embeddings(server: Server) -> None:
    await EndpointEmbedder(f"{server.url}/embeddings").embed(["a"])
    assert server.requests[0][0] == "/v1/embeddings"


async def test_vectors_of_another_size_are_refused(server: Server) -> None:
    server.dimensions = 768
    with pytest.raises(BadReply, match="384"):
        await EndpointEmbedder(server.url).embed(["a"])


async def test_an_error_of_the_server_is_said(server: Server) -> None:
    server.status = 401
    with pytest.raises(ModelUnavailable, match="embeddings endpoint"):
        await EndpointEmbedder(server.url).embed(["a"])


def test_the_setting_chooses(settings: Any, server: Server) -> None:
    embedder.cache_clear()
    settings.EMBEDDINGS_URL = server.url
    assert isinstance(embedder(), EndpointEmbedder)
    embedder.cache_clear()
    settings.EMBEDDINGS_URL = ""
    assert isinstance(embedder(), Encoder)


PLACE = '{"slug": "a", "name": "A", "city": "B", "lat": 1, "lon": 2, "reviews": [{"text": "Quiet and cheap."}]}'


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("fault", ["nobody listens", "another path", "another size"])
def test_an_endpoint_that_cannot_be_used_costs_no_row_and_no_passage(
    settings: Any, server: Server, tmp_path: Path, fault: str
) -> None:
    file = tmp_path / "places.jsonl"
    file.write_text(PLACE, encoding="utf-8")
    call_command("load_corpora", restaurants=[file], verbosity=0)
    held = list(Passage.objects.order_by("pk").values_list("pk", "embedder"))
    assert held
    settings.EMBEDDINGS_URL = "http://127.0.0.1:9/v1" if fault == "nobody listens" else server.url
    server.status = 404 if fault == "another path" else 200
    server.dimensions = 768 if fault == "another size" else 384
    file.write_text(PLACE.replace("Quiet", "Loud"), encoding="utf-8")
    with pytest.raises(CommandError) as told:
        call_command("load_corpora", restaurants=[file], clear=True, verbosity=0)
    for part in ("Nothing was loaded or removed", settings.EMBEDDINGS_URL, "Correct EMBEDDINGS_URL, or unset it"):
        assert part in str(told.value)
    assert "384" in str(told.value) or fault != "another size"
    assert list(Passage.objects.order_by("pk").values_list("pk", "embedder")) == held
    assert Restaurant.objects.get(slug="a").reviews.get().text == "Quiet and cheap."
