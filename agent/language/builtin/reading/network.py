"""The small network that weighs what is seen of a question beside a passage (see `features` and `alignment`).

Each content word of the question, with what it meets in the passage, goes through one hidden layer; mean and maximum
over the words join the features in a second one, beside a direct linear path. Several networks learned from different
starts are averaged. The weights are learned offline by `train` and kept in `data/weights.npz`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.language.builtin.reading.alignment import Aligned

Matrix = NDArray[np.float32]
CLASSES = ("Yes", "No", "no info")
PRODUCT_SCALE = 3.0  # brings the products of two projections to the size of the projections


@dataclass(frozen=True)
class Basis:
    """How inputs are brought to size: token vectors are centred and projected (384 to 48), all inputs standardised."""

    centre: Matrix
    directions: Matrix
    word_mean: Matrix
    word_scale: Matrix
    mean: Matrix
    scale: Matrix

    def words(self, aligned: Aligned) -> Matrix:
        """The rows of one question's content words."""
        rows: Matrix = (self.raw_words(aligned) - self.word_mean) / self.word_scale
        return rows

    def raw_words(self, aligned: Aligned) -> Matrix:
        """The same before they are standardised."""
        asked, soft, hard = (
            (part - self.centre) @ self.directions for part in (aligned.asked, aligned.soft, aligned.hard)
        )
        return np.hstack([asked, soft, asked * soft * PRODUCT_SCALE, np.abs(asked - hard), aligned.context])

    def features(self, rows: NDArray[np.float64]) -> Matrix:
        """Standardised features, one row an example."""
        result: Matrix = ((rows - self.mean) / self.scale).astype(np.float32)
        return result


@dataclass(frozen=True)
class Network:
    """A basis and the weights of each member: `W1 b1` words, `W2 b2` joined, `W3 b3` out, `W4` past both."""

    basis: Basis
    members: tuple[Mapping[str, Matrix], ...]

    def probabilities(self, aligned: Aligned, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """(yes, no, no info), which sum to 1."""
        words, row = self.basis.words(aligned), self.basis.features(features[None, :])
        total = np.zeros(len(CLASSES))
        for member in self.members:
            hidden = np.maximum(words @ member["W1"] + member["b1"], 0)
            joined = np.hstack([hidden.mean(axis=0), hidden.max(axis=0), row[0]])[None, :]
            inner = np.maximum(joined @ member["W2"] + member["b2"], 0)
            total += softmax(inner @ member["W3"] + member["b3"] + row @ member["W4"])[0]
        return total / len(self.members)

    def save(self, path: Path) -> None:
        """Write everything in half precision."""
        arrays = {f"basis.{name}": value for name, value in vars(self.basis).items()}
        for number, member in enumerate(self.members):
            arrays |= {f"{number}.{name}": value for name, value in member.items()}
        np.savez_compressed(path, **{name: value.astype(np.float16) for name, value in arrays.items()})


def softmax(scores: Matrix) -> Matrix:
    """Row by row."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    result: Matrix = powers / powers.sum(axis=1, keepdims=True)
    return result


def basis_of(aligned: Sequence[Aligned], features: NDArray[np.float64], directions: int) -> Basis:
    """The basis that examples ask for: principal directions of the questions' tokens, means and deviations."""
    asked = np.vstack([one.asked for one in aligned])
    centre = asked.mean(axis=0)
    _, _, rows = np.linalg.svd((asked - centre)[::4], full_matrices=False)
    empty = np.zeros(1, np.float32)
    start = Basis(centre, rows[:directions].T, empty, empty, features.mean(axis=0), _spread(features))
    words = np.vstack([start.raw_words(one) for one in aligned])
    return Basis(centre, start.directions, words.mean(axis=0), _spread(words), start.mean, start.scale)


def _spread(rows: NDArray[np.floating]) -> Matrix:
    spread = rows.std(axis=0)
    return np.where(spread < 1e-3, 1.0, spread).astype(np.float32)


@lru_cache(maxsize=1)
def load() -> Network:
    """The committed weights."""
    with as_file(files(__package__) / "data" / "weights.npz") as path, np.load(path) as data:
        arrays = {name: data[name].astype(np.float32) for name in data.files}
    basis = Basis(**{name.removeprefix("basis."): value for name, value in arrays.items() if name.startswith("basis.")})
    count = 1 + max(int(name.split(".")[0]) for name in arrays if name[0].isdigit())
    names = ("W1", "b1", "W2", "b2", "W3", "b3", "W4")
    return Network(basis, tuple({name: arrays[f"{number}.{name}"] for name in names} for number in range(count)))
