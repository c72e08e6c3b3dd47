"""Which embedder the corpora use: the encoder that comes with the project, or the endpoint EMBEDDINGS_URL names."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings

from agent.language.encoder import Encoder
from agent.language.tasks import Embedder


@lru_cache(maxsize=1)
def embedder() -> Embedder:
    """The embedder of this process."""
    if settings.EMBEDDINGS_URL:
        from corpora.embeddings_endpoint import EndpointEmbedder  # the client takes a while to import

        return EndpointEmbedder(settings.EMBEDDINGS_URL, settings.EMBEDDINGS_MODEL, settings.EMBEDDINGS_API_KEY)
    return Encoder.load()
