"""The DeBERTa-v3 encoder (He et al. 2021, 2023) on NumPy alone.

Twelve layers of six heads. Attention adds to content-to-content scores what content says of relative positions and
the other way round (disentangled attention, section 3.1 of the first paper); the projections of positions are shared
with those of content, and relative positions beyond 128 fall into buckets of growing width.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from agent.networks.layers import Array, Layer, attended, heads_of, normalise, read_layer

LAYERS = 12
HEADS = 6
WIDTH = 384
HEAD = WIDTH // HEADS
REACH = 256  # half of the learned relative positions
NEAR = 128  # relative positions up to here are told apart one by one
LONGEST = 512  # tokens that are read at once at most
EPSILON = 1e-7
PROJECTIONS = ("query_proj", "key_proj", "value_proj")


@dataclass(frozen=True, slots=True)
class _Positions:
    """Projections of the relative positions: (heads, head, 2 * REACH), the most negative distance first."""

    query: Array
    key: Array


class Deberta:
    """`weights` are named as in the published checkpoints, word vectors apart: they are looked up by the caller."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self._norm = (weights["embeddings.LayerNorm.weight"], weights["embeddings.LayerNorm.bias"])
        positions = normalise(
            weights["encoder.rel_embeddings.weight"],
            weights["encoder.LayerNorm.weight"],
            weights["encoder.LayerNorm.bias"],
            EPSILON,
        )
        prefixes = [f"encoder.layer.{index}." for index in range(LAYERS)]
        self._layers = [
            (read_layer(weights, prefix, PROJECTIONS, EPSILON), _positions(weights, prefix, positions))
            for prefix in prefixes
        ]

    def hidden(self, words: Array, mask: Array) -> Array:
        """The last layer, shape (texts, tokens, 384), of word vectors of that shape and a mask of ones and zeros.

        Raises ValueError for texts of more than 512 tokens.
        """
        if words.shape[1] > LONGEST:
            raise ValueError(f"At most {LONGEST} tokens are read at once, not {words.shape[1]}.")
        hidden: Array = normalise(words, *self._norm, EPSILON) * mask[:, :, None]
        bias = (mask[:, None, None, :] - 1.0) * np.float32(1e9)
        for layer, positions in self._layers:
            hidden = _apply(layer, positions, hidden, bias)
        return hidden


def _positions(weights: Mapping[str, Array], prefix: str, positions: Array) -> _Positions:
    def placed(name: str) -> Array:
        projection = f"{prefix}attention.self.{name}"
        rows = positions @ weights[projection + ".weight"].T + weights[projection + ".bias"]
        return np.ascontiguousarray(rows.reshape(-1, HEADS, HEAD).transpose(1, 2, 0))

    query, key, _ = PROJECTIONS
    return _Positions(placed(query), placed(key))


def _apply(layer: Layer, positions: _Positions, hidden: Array, bias: Array) -> Array:
    length = hidden.shape[1]
    query, key, value = heads_of(layer, hidden, HEADS)
    scores = query @ key.transpose(0, 1, 3, 2)
    places = places_of(length)
    scores += _by_distance(query, positions.key[:, :, places[::-1]])
    scores += _by_distance(key, positions.query[:, :, places]).transpose(0, 1, 3, 2)
    scores *= np.float32((3 * HEAD) ** -0.5)
    scores += bias
    return attended(layer, hidden, scores, value)


@lru_cache(maxsize=LONGEST)
def places_of(length: int) -> NDArray[np.int64]:
    """Return the learned position of each of the distances `1 - length` to `length - 1`; far ones share some."""
    distance = np.arange(1 - length, length)
    far = np.maximum(np.abs(distance), NEAR)
    growth = np.log(far / NEAR) / np.log((LONGEST - 1) / NEAR) * (NEAR - 1)
    shared = (np.ceil(growth) + NEAR).astype(np.int64) * np.sign(distance)
    bucket = np.where(np.abs(distance) <= NEAR, distance, shared)
    places: NDArray[np.int64] = np.clip(bucket + REACH, 0, 2 * REACH - 1)
    return places


def _by_distance(content: Array, positions: Array) -> Array:
    """What each place's content says of each other place by the distance between them: (texts, heads, places, places).

    `positions` are those of 2 * places - 1 distances. Row i of the product is read from place `places - 1 - i` on, so
    that its columns are the distances from i to 0, 1, 2, ...: one view with shifted rows, without copying.
    """
    length = content.shape[2]
    told = np.ascontiguousarray(content @ positions[None])
    step, item = told.strides[2:]
    return as_strided(
        told[:, :, :, length - 1 :],
        shape=(*told.shape[:3], length),
        strides=(*told.strides[:2], step - item, item),
        writeable=False,
    )
