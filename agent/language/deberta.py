"""The DeBERTa-v3 encoder (He et al. 2021, 2023) on NumPy alone.

Twelve layers of six heads. Attention adds to content-to-content scores what content says of relative positions and
the other way round (disentangled attention, section 3.1 of the first paper); the projections of positions are shared
with those of content, and relative positions beyond 128 fall into buckets of growing width.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import as_strided

from agent.language.layers import Array, gelu, normalise

LAYERS = 12
HEADS = 6
WIDTH = 384
HEAD = WIDTH // HEADS
REACH = 256  # half of the learned relative positions
NEAR = 128  # relative positions up to here are told apart one by one; longer texts are not read at once
EPSILON = 1e-7


@dataclass(frozen=True, slots=True)
class _Layer:
    """The weights of one layer, transposed for `x @ w`, and its projections of the relative positions."""

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
    query_positions: Array  # (heads, head, 2 * REACH), from the most negative distance to the most positive
    key_positions: Array


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
        self._layers = [_layer(weights, f"encoder.layer.{index}.", positions) for index in range(LAYERS)]

    def hidden(self, words: Array, mask: Array) -> Array:
        """The last layer, shape (texts, tokens, 384), of word vectors of that shape and a mask of ones and zeros.

        Raises ValueError for texts of more than 128 tokens.
        """
        if words.shape[1] > NEAR:
            raise ValueError(f"At most {NEAR} tokens are read at once, not {words.shape[1]}.")
        hidden: Array = normalise(words, *self._norm, EPSILON) * mask[:, :, None]
        bias = (mask[:, None, None, :] - 1.0) * np.float32(1e9)
        for layer in self._layers:
            hidden = _apply(layer, hidden, bias)
        return hidden


def _layer(weights: Mapping[str, Array], prefix: str, positions: Array) -> _Layer:
    def part(name: str) -> tuple[Array, Array]:
        return np.ascontiguousarray(weights[prefix + name + ".weight"].T), weights[prefix + name + ".bias"]

    def norm(name: str) -> tuple[Array, Array]:
        return weights[prefix + name + ".weight"], weights[prefix + name + ".bias"]

    def placed(projection: tuple[Array, Array]) -> Array:
        rows = positions @ projection[0] + projection[1]
        return np.ascontiguousarray(rows.reshape(-1, HEADS, HEAD).transpose(1, 2, 0))

    query, key, value = (part(f"attention.self.{name}_proj") for name in ("query", "key", "value"))
    out, out_bias = part("attention.output.dense")
    up, up_bias = part("intermediate.dense")
    down, down_bias = part("output.dense")
    return _Layer(
        qkv=np.concatenate([query[0], key[0], value[0]], axis=1),
        qkv_bias=np.concatenate([query[1], key[1], value[1]]),
        out=out,
        out_bias=out_bias,
        norm1=norm("attention.output.LayerNorm"),
        up=up,
        up_bias=up_bias,
        down=down,
        down_bias=down_bias,
        norm2=norm("output.LayerNorm"),
        query_positions=placed(query),
        key_positions=placed(key),
    )


def _apply(layer: _Layer, hidden: Array, bias: Array) -> Array:
    rows, length, width = hidden.shape
    projected = (hidden.reshape(-1, width) @ layer.qkv + layer.qkv_bias).reshape(rows, length, 3, HEADS, HEAD)
    query, key, value = projected.transpose(2, 0, 3, 1, 4)
    scores = query @ key.transpose(0, 1, 3, 2)
    near = slice(REACH - length + 1, REACH + length)
    scores += _by_distance(query, layer.key_positions[:, :, near][:, :, ::-1])
    scores += _by_distance(key, layer.query_positions[:, :, near]).transpose(0, 1, 3, 2)
    scores *= np.float32((3 * HEAD) ** -0.5)
    scores += bias
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    mixed = (scores @ value).transpose(0, 2, 1, 3).reshape(-1, width)
    flat = hidden.reshape(-1, width)
    flat = normalise(mixed @ layer.out + layer.out_bias + flat, *layer.norm1, EPSILON)
    inner = gelu(flat @ layer.up + layer.up_bias)
    return normalise(inner @ layer.down + layer.down_bias + flat, *layer.norm2, EPSILON).reshape(rows, length, width)


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
