"""Which embedder the corpora use: the encoder that comes with the project, or the endpoint EMBEDDINGS_URL names."""

from __future__ import annotations

from functools import lru_cache

from asgiref.sync import async_to_sync
from django.conf import settings

from agent.networks.encoder import Encoder
from agent.protocols.errors import LanguageError, ModelUnavailable
from agent.protocols.reading import Embedder


@lru_cache(maxsize=1)
def embedder() -> Embedder:
    """Return the embedder of this process."""
    if settings.EMBEDDINGS_URL:
        from corpora.embeddings_endpoint import EndpointEmbedder  # the client takes a while to import

        return EndpointEmbedder(settings.EMBEDDINGS_URL, settings.EMBEDDINGS_MODEL, settings.EMBEDDINGS_API_KEY)
    return Encoder.load()


def require_embedder() -> None:
    """Raise ModelUnavailable where EMBEDDINGS_URL names an endpoint that cannot be used, and say what to do."""
    if not settings.EMBEDDINGS_URL:
        return
    from corpora.embeddings_endpoint import EndpointEmbedder

    endpoint = EndpointEmbedder(settings.EMBEDDINGS_URL, settings.EMBEDDINGS_MODEL, settings.EMBEDDINGS_API_KEY)
    try:
        async_to_sync(endpoint.probe)()
    except LanguageError as error:
        raise ModelUnavailable(
            f"EMBEDDINGS_URL is {settings.EMBEDDINGS_URL}, and texts cannot be embedded there: {error.sentence} "
            "Correct EMBEDDINGS_URL, or unset it to use the encoder that comes with the project.",
            error.detail,
        ) from error
