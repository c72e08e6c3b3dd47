"""Which stretch of the likeliest sentences answers a question: a log-linear model over `clues`.

The weights are learned offline by `train_stretches` and kept in `data/stretches.npz`: names of clues and their weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files

import numpy as np

from agent.language.builtin.reading.asked import Asked
from agent.language.builtin.reading.clues import clues
from agent.language.builtin.reading.stretches import Sentence, Stretch, stretches

SENTENCES = 4  # the likeliest ones are looked through


@dataclass(frozen=True, slots=True)
class Likely:
    """A sentence that may answer: the share of the question's content words in it, and its closeness (cosine)."""

    sentence: Sentence
    shared: float
    near: float


@dataclass(frozen=True, slots=True)
class Found:
    """The stretch of the sentence numbered `place` that answers best, and its probability among all of them."""

    place: int
    stretch: Stretch
    probability: float


def best(asked: Asked, likely: Sequence[Likely], accept: Callable[[str], bool] = bool) -> Found | None:
    """The likeliest answer of the first `SENTENCES` sentences, given in order, whose text is accepted; None where they
    hold none."""
    weights = _weights()
    places, scores = [], []
    for rank, one in enumerate(likely[:SENTENCES]):
        for stretch in stretches(one.sentence):
            start, stop = one.sentence.characters(stretch)
            if not accept(one.sentence.text[start:stop]):
                continue
            told = clues(asked, one.sentence, stretch, rank, one.shared, one.near)
            places.append((rank, stretch))
            scores.append(sum(weights.get(name, 0.0) * value for name, value in told))
    if not places:
        return None
    powers = np.exp(np.array(scores) - max(scores))
    chosen = int(powers.argmax())
    return Found(*places[chosen], probability=float(powers[chosen] / powers.sum()))


@lru_cache(maxsize=1)
def _weights() -> dict[str, float]:
    with as_file(files(__package__) / "data" / "stretches.npz") as path, np.load(path) as kept:
        names, weights = kept["names"].tolist(), kept["weights"].tolist()
    return dict(zip(names, weights, strict=True))
