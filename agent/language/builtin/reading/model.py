"""The small model that weighs the features: softmax regression, learned offline by `train`, kept in `data/weights.npz`.

It gives three probabilities: that the passage says yes, says no, or does not say.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
CLASSES = ("Yes", "No", "no info")


@dataclass(frozen=True, slots=True)
class Weights:
    """Rows are standardised with `mean` and `scale`, then `coefficients` (inputs, 3) and `intercept` (3,) apply."""

    mean: Matrix
    scale: Matrix
    coefficients: Matrix
    intercept: Matrix

    def probabilities(self, rows: Matrix) -> Matrix:
        """Shape (rows, 3), in the order of CLASSES."""
        return softmax((rows - self.mean) / self.scale @ self.coefficients + self.intercept)

    def save(self, path: Path) -> None:
        """Write them as half-precision numbers."""
        np.savez_compressed(
            path,
            mean=self.mean.astype(np.float32),
            scale=self.scale.astype(np.float32),
            coefficients=self.coefficients.astype(np.float32),
            intercept=self.intercept.astype(np.float32),
        )


def softmax(scores: Matrix) -> Matrix:
    """Row by row."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    result: Matrix = powers / powers.sum(axis=1, keepdims=True)
    return result


def fit(rows: Matrix, labels: NDArray[np.int64], penalty: float, rounds: int = 300) -> Weights:
    """Softmax regression with an L2 penalty per row, by accelerated gradient descent."""
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale = np.where(scale < 1e-9, 1.0, scale)
    inputs = (rows - mean) / scale
    wanted = np.eye(len(CLASSES))[labels]
    coefficients = np.zeros((rows.shape[1], len(CLASSES)))
    intercept = np.log(wanted.mean(axis=0))
    step = 1.0 / (0.5 * float(np.linalg.norm(inputs, 2)) ** 2 / len(rows) + penalty)
    momentum = coefficients
    for round_ in range(rounds):
        errors = softmax(inputs @ momentum + intercept) - wanted
        moved = momentum - step * (inputs.T @ errors / len(rows) + penalty * momentum)
        intercept = intercept - errors.mean(axis=0)
        momentum = moved + round_ / (round_ + 3) * (moved - coefficients)
        coefficients = moved
    return Weights(mean, scale, coefficients, intercept)


@lru_cache(maxsize=1)
def load() -> Weights:
    """The committed weights."""
    with as_file(files(__package__) / "data" / "weights.npz") as path, np.load(path) as data:
        return Weights(*(data[name].astype(np.float64) for name in ("mean", "scale", "coefficients", "intercept")))
