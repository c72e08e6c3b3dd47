"""An OpenAI-compatible `/embeddings` endpoint as an embedder."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Sequence
from functools import cache
from operator import itemgetter

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
        ask = client.embeddings.with_raw_response.create
        try:
            reply = (await ask(model=self.model, input=batch, encoding_format="float")).http_response.json()
            ordered = sorted(reply["data"], key=itemgetter("index"))
            vectors = np.asarray([item["embedding"] for item in ordered], dtype=np.float32)
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


@cache
def _certificates() -> ssl.SSLContext:
    return httpx2.create_ssl_context()
