"""An OpenAI-compatible `/embeddings` endpoint as an embedder."""

from __future__ import annotations

import asyncio
import base64
import ssl
from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from typing import Any

import httpx2
import numpy as np
import openai
from numpy.typing import NDArray

from agent.protocols.errors import BadReply, ModelUnavailable
from corpora.models.passages import DIMENSIONS

TIMEOUT = 60.0  # seconds for one request
PROBE_TIMEOUT = 10.0  # the same, for one short text
BATCH = 64  # texts in one request
AT_ONCE = 4  # requests
MODEL = "all-MiniLM-L6-v2"


class EndpointEmbedder:
    """`url` is the endpoint with or without its `/embeddings`. Its model must give vectors of 384 numbers."""

    dimensions = DIMENSIONS

    def __init__(self, url: str, model: str = "", api_key: str = "") -> None:
        self.url = url.rstrip("/").removesuffix("/embeddings")
        self.model = model or MODEL
        self.name = f"{self.model} at {self.url}"[:100]
        self._key = api_key or "none"
        self._form = "base64"  # far less work to read; who does not know it sends numbers, or refuses

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), 384). Raises ModelUnavailable, or BadReply for a reply of another form."""
        batches = [list(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        vectors = [np.empty((0, DIMENSIONS), dtype=np.float32)]
        async with self._client(TIMEOUT) as client:
            for start in range(0, len(batches), AT_ONCE):
                some = batches[start : start + AT_ONCE]
                vectors += await asyncio.gather(*(self._request(client, batch) for batch in some))
        return np.concatenate(vectors)

    async def probe(self) -> None:
        """Raise what `embed` would where the endpoint gives no vectors that can be stored; soon, for somebody waits."""
        async with self._client(PROBE_TIMEOUT, max_retries=1) as client:
            await self._request(client, ["A text to try the endpoint with."])

    def _client(self, timeout: float, max_retries: int = openai.DEFAULT_MAX_RETRIES) -> openai.AsyncOpenAI:
        """A client for one event loop. What it knows of certificates takes longer to load than many a request."""
        http = openai.DefaultAsyncHttpxClient(verify=_certificates(), timeout=timeout)
        return openai.AsyncOpenAI(
            base_url=self.url, api_key=self._key, timeout=timeout, max_retries=max_retries, http_client=http
        )

    async def _request(self, client: openai.AsyncOpenAI, batch: list[str]) -> NDArray[np.float32]:
        """The vectors of a batch. The client's own reading of a reply looks at each of 25,000 numbers by itself."""
        try:
            reply = await self._asked(client, batch)
            ordered = sorted(reply["data"], key=itemgetter("index"))
            vectors = np.stack([_numbers(item["embedding"]) for item in ordered])
        except openai.OpenAIError as error:
            raise ModelUnavailable("The embeddings endpoint does not answer.", f"{self.url}: {error}") from error
        except (LookupError, TypeError, ValueError) as error:
            raise BadReply("The embeddings endpoint's reply is not one.", f"{self.url}: {error!r}") from error
        if vectors.shape != (len(batch), DIMENSIONS):
            raise BadReply(
                f"The embeddings endpoint must give one vector of {DIMENSIONS} numbers a text.",
                f"{self.url}: shape {vectors.shape} for {len(batch)} texts",
            )
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: NDArray[np.float32] = vectors / np.where(norms == 0, 1, norms)
        return unit

    async def _asked(self, client: openai.AsyncOpenAI, batch: list[str]) -> Any:
        ask = client.embeddings.with_raw_response.create
        form = self._form
        try:
            reply = await ask(model=self.model, input=batch, encoding_format=form)
        except (openai.BadRequestError, openai.UnprocessableEntityError):
            if form == "float":
                raise
            reply = await ask(model=self.model, input=batch, encoding_format="float")
            self._form = "float"
        return reply.http_response.json()


def _numbers(said: str | list[float]) -> NDArray[np.float32]:
    """A vector as it comes: base64 of little-endian floats, or numbers."""
    if isinstance(said, str):
        return np.frombuffer(base64.b64decode(said, validate=True), "<f4")
    return np.asarray(said, dtype=np.float32)


@cache
def _certificates() -> ssl.SSLContext:
    return httpx2.create_ssl_context()
