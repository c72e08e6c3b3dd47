"""Backpropagation for `network`, on NumPy alone: Adam with decoupled weight decay and dropout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agent.language.builtin.reading.alignment import Aligned
from agent.language.builtin.reading.network import CLASSES, Matrix, Network, basis_of, softmax

DIRECTIONS = 48
HIDDEN = 48
EPOCHS = 9
BATCH = 64
RATE = 1e-3
DECAY = 1e-3
DROP_WORDS, DROP_FEATURES, DROP_HIDDEN = 0.2, 0.3, 0.4


@dataclass(frozen=True)
class Batch:
    """Rows of words with the example each belongs to (ascending, none left out), features, and wanted classes."""

    words: Matrix
    owner: NDArray[np.int64]
    features: Matrix
    wanted: Matrix


def learn(
    aligned: Sequence[Aligned], features: NDArray[np.float64], labels: NDArray[np.int64], members: int
) -> Network:
    """A network of `members` averaged members, learned from examples."""
    basis = basis_of(aligned, features, DIRECTIONS)
    words = [basis.words(one) for one in aligned]
    rows, wanted = basis.features(features), np.eye(len(CLASSES), dtype=np.float32)[labels]
    return Network(basis, tuple(_member(words, rows, wanted, seed) for seed in range(members)))


def _member(words: list[Matrix], rows: Matrix, wanted: Matrix, seed: int) -> dict[str, Matrix]:
    random = np.random.default_rng(seed)
    weights = _start(words[0].shape[1], rows.shape[1], random)
    optimiser = Adam(weights)
    for _ in range(EPOCHS):
        order = random.permutation(len(rows))
        for start in range(0, len(order), BATCH):
            chosen = order[start : start + BATCH]
            owner = np.repeat(np.arange(len(chosen)), [len(words[index]) for index in chosen])
            batch = Batch(np.vstack([words[index] for index in chosen]), owner, rows[chosen], wanted[chosen])
            optimiser.step(gradients(weights, batch, random))
    return weights


def _start(words: int, features: int, random: np.random.Generator) -> dict[str, Matrix]:
    def layer(rows: int, columns: int, size: float = 1.0) -> Matrix:
        drawn: Matrix = (random.standard_normal((rows, columns)) * np.sqrt(1.5 / rows) * size).astype(np.float32)
        return drawn

    zeros = np.zeros
    return {
        "W1": layer(words, HIDDEN),
        "b1": zeros(HIDDEN, np.float32),
        "W2": layer(2 * HIDDEN + features, HIDDEN),
        "b2": zeros(HIDDEN, np.float32),
        "W3": layer(HIDDEN, len(CLASSES), 0.3),
        "b3": zeros(len(CLASSES), np.float32),
        "W4": zeros((features, len(CLASSES)), np.float32),
    }


def gradients(weights: dict[str, Matrix], batch: Batch, random: np.random.Generator) -> dict[str, Matrix]:
    """The slope of the mean cross-entropy, with dropout."""
    words = batch.words * _keep(batch.words.shape, DROP_WORDS, random)
    features = batch.features * _keep(batch.features.shape, DROP_FEATURES, random)
    size = len(features)
    first = words @ weights["W1"] + weights["b1"]
    hidden = np.maximum(first, 0)
    begins = np.searchsorted(batch.owner, np.arange(size))
    count = np.bincount(batch.owner, minlength=size)[:, None].astype(np.float32)
    highest = np.maximum.reduceat(hidden, begins, axis=0)
    joined = np.hstack([np.add.reduceat(hidden, begins, axis=0) / count, highest, features])
    second = joined @ weights["W2"] + weights["b2"]
    kept = _keep(second.shape, DROP_HIDDEN, random)
    inner = np.maximum(second, 0) * kept
    guess = softmax(inner @ weights["W3"] + weights["b3"] + features @ weights["W4"])

    out = (guess - batch.wanted) / size
    inward = (out @ weights["W3"].T) * kept * (second > 0)
    back = inward @ weights["W2"].T
    width = hidden.shape[1]
    to_mean, to_highest = back[:, :width] / count, back[:, width : 2 * width]
    to_hidden = to_mean[batch.owner] + to_highest[batch.owner] * (hidden == highest[batch.owner])
    to_first = to_hidden * (first > 0)
    return {
        "W1": words.T @ to_first,
        "b1": to_first.sum(axis=0),
        "W2": joined.T @ inward,
        "b2": inward.sum(axis=0),
        "W3": inner.T @ out,
        "b3": out.sum(axis=0),
        "W4": features.T @ out,
    }


def _keep(shape: tuple[int, ...], drop: float, random: np.random.Generator) -> Matrix:
    return ((random.random(shape, dtype=np.float32) > drop) / np.float32(1 - drop)).astype(np.float32)


class Adam:
    """Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019); changes weights in place."""

    def __init__(self, weights: dict[str, Matrix]) -> None:
        self._weights = weights
        self._first = {name: np.zeros_like(value) for name, value in weights.items()}
        self._second = {name: np.zeros_like(value) for name, value in weights.items()}
        self._steps = 0

    def step(self, slopes: dict[str, Matrix]) -> None:
        """Move every weight once."""
        self._steps += 1
        for name, weight in self._weights.items():
            slope = slopes[name]
            self._first[name] = 0.9 * self._first[name] + 0.1 * slope
            self._second[name] = 0.999 * self._second[name] + 0.001 * slope**2
            mean = self._first[name] / (1 - 0.9**self._steps)
            size = np.sqrt(self._second[name] / (1 - 0.999**self._steps)) + 1e-8
            decay = DECAY * weight if weight.ndim == 2 else 0.0
            weight -= RATE * (mean / size + decay)
