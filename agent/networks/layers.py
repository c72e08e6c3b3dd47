"""What the networks run here have in common: the layer, but for its attention's scores, and texts taken together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

BATCH_TOKENS = 2_048  # tokens, padding included, that go through a network at once


@dataclass(frozen=True, slots=True)
class Layer:
    """The weights of one transformer layer, transposed for `x @ w`; `qkv` are three projections side by side."""

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
    epsilon: float  # of its normalisations


def read_layer(weights: Mapping[str, Array], prefix: str, projections: Sequence[str], epsilon: float) -> Layer:
    """The layer whose weights' names begin with `prefix`; `projections` are its names of query, key and value."""

    def part(name: str) -> tuple[Array, Array]:
        return np.ascontiguousarray(weights[prefix + name + ".weight"].T), weights[prefix + name + ".bias"]

    def norm(name: str) -> tuple[Array, Array]:
        return weights[prefix + name + ".weight"], weights[prefix + name + ".bias"]

    projected = [part(f"attention.self.{name}") for name in projections]
    return Layer(
        np.concatenate([weight for weight, _ in projected], axis=1),
        np.concatenate([bias for _, bias in projected]),
        *part("attention.output.dense"),
        norm("attention.output.LayerNorm"),
        *part("intermediate.dense"),
        *part("output.dense"),
        norm("output.LayerNorm"),
        epsilon,
    )


def heads_of(layer: Layer, hidden: Array, heads: int) -> Array:
    """Query, key and value of each head, stacked: (3, texts, heads, tokens, width of a head)."""
    texts, length, width = hidden.shape
    projected: Array = hidden.reshape(-1, width) @ layer.qkv + layer.qkv_bias
    return projected.reshape(texts, length, 3, heads, width // heads).transpose(2, 0, 3, 1, 4)


def attended(layer: Layer, hidden: Array, scores: Array, value: Array) -> Array:
    """Return the layer's output from the scores of its attention, which are overwritten."""
    width = hidden.shape[-1]
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    mixed: Array = (scores @ value).transpose(0, 2, 1, 3).reshape(-1, width)
    flat = hidden.reshape(-1, width)
    flat = normalise(mixed @ layer.out + layer.out_bias + flat, *layer.norm1, layer.epsilon)
    inner = gelu(flat @ layer.up + layer.up_bias)
    return normalise(inner @ layer.down + layer.down_bias + flat, *layer.norm2, layer.epsilon).reshape(hidden.shape)


def normalise(values: Array, scale: Array, shift: Array, epsilon: float) -> Array:
    """Layer normalisation over the last axis (Ba et al. 2016)."""
    centred: Array = values - values.mean(axis=-1, keepdims=True)
    variance = np.einsum("...i,...i->...", centred, centred)[..., None] / np.float32(values.shape[-1])
    centred /= np.sqrt(variance + np.float32(epsilon))
    centred *= scale
    centred += shift
    return centred


def gelu(values: Array) -> Array:
    """GELU by its tanh form; its largest difference from the exact one is 5e-4, far below what shows in a result."""
    inner: Array = values * values
    inner *= np.float32(0.044715)
    inner += np.float32(1.0)
    inner *= values
    inner *= np.float32(0.7978845608)
    np.tanh(inner, out=inner)
    inner += np.float32(1.0)
    inner *= values
    inner *= np.float32(0.5)
    return inner


def softmax(scores: Array) -> Array:
    """Over the last axis."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    result: Array = powers / powers.sum(axis=-1, keepdims=True)
    return result


def padded(ids: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], Array]:
    """(token numbers, mask), both of shape (texts, longest): zeros after each text's end."""
    length = max(len(row) for row in ids)
    tokens = np.zeros((len(ids), length), dtype=np.int64)
    mask = np.zeros((len(ids), length), dtype=np.float32)
    for row, values in enumerate(ids):
        tokens[row, : len(values)] = values
        mask[row, : len(values)] = 1.0
    return tokens, mask


def batches(encodings: Sequence[Sequence[int]]) -> list[list[int]]:
    """Indices grouped by similar length, so that little of a batch is padding."""
    order = sorted(range(len(encodings)), key=lambda index: len(encodings[index]))
    groups: list[list[int]] = []
    for index in order:
        if groups and (len(groups[-1]) + 1) * len(encodings[index]) <= BATCH_TOKENS:
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups
