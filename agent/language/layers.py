"""What the networks run here have in common: normalisation, activation, and texts of like length taken together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

BATCH_TOKENS = 2_048  # tokens, padding included, that go through a network at once


def normalise(values: Array, scale: Array, shift: Array, epsilon: float = 1e-12) -> Array:
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
