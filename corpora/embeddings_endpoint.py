"""An OpenAI-compatible `/embeddings` endpoint as an embedder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import openai
from numpy.typing import NDArray

from agent.protocols.errors import BadReply, ModelUnavailable
from corpora.models.passages import DIMENSIONS

TIMEOUT = 60.0  # seconds for one request
PROBE_TIMEOUT = 10.0  # the same, for one short text
BATCH = 64  # texts in one request
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
        vectors = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        async with openai.AsyncOpenAI(base_url=self.url, api_key=self._key, timeout=TIMEOUT) as client:
            for start in range(0, len(texts), BATCH):
                batch = list(texts[start : start + BATCH])
                vectors[start : start + len(batch)] = await self._request(client, batch)
        return vectors

    async def probe(self) -> None:
        """Raise what `embed` would where the endpoint gives no vectors that can be stored; soon, for somebody waits."""
        async with openai.AsyncOpenAI(
            base_url=self.url, api_key=self._key, timeout=PROBE_TIMEOUT, max_retries=1
        ) as client:
            await self._request(client, ["A text to try the endpoint with."])

    async def _request(self, client: openai.AsyncOpenAI, batch: list[str]) -> NDArray[np.float32]:
        try:
            reply = await client.embeddings.create(model=self.model, input=batch, encoding_format="float")
            ordered = sorted(reply.data, key=lambda item: item.index)
            vectors = np.asarray([item.embedding for item in ordered], dtype=np.float32)
        except openai.OpenAIError as error:
            raise ModelUnavailable("The embeddings endpoint does not answer.", f"{self.url}: {error}") from error
        except (AttributeError, TypeError, ValueError) as error:
            raise BadReply("The embeddings endpoint's reply is not one.", f"{self.url}: {error!r}") from error
        if vectors.shape != (len(batch), DIMENSIONS):
            raise BadReply(
                f"The embeddings endpoint must give one vector of {DIMENSIONS} numbers a text.",
                f"{self.url}: shape {vectors.shape} for {len(batch)} texts",
            )
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: NDArray[np.float32] = vectors / np.where(norms == 0, 1, norms)
        return unit
