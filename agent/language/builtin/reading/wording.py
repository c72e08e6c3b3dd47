"""What the wording of a question alone makes likely: "did they still ...?" is answered no more often than "is it ...?".

A log-linear model over common words of questions. It knows nothing of the text, so it only tempers what the network
makes of both. The weights are learned by `train` and kept in `data/wording.json`, where a person can read them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.language.builtin.reading.learning import Adam
from agent.language.builtin.reading.network import CLASSES, Matrix, softmax
from agent.language.builtin.reading.words import tokens

SHARE = 0.3  # the power with which the wording tempers the network's probabilities
COMMON = 20  # questions that a word must occur in to have a weight
PENALTY = 3.3  # on the squared weights, against the sum of the examples' losses
STEPS, RATE = 400, 0.02
FLOOR = 1e-4  # no probability of the network is taken for less

Numbers = NDArray[np.float64]
_ALWAYS = ""  # the entry whose weights every question has


@dataclass(frozen=True)
class Wording:
    """Per stem of a question, what it adds to the logarithm of each class's odds."""

    weights: Mapping[str, tuple[float, ...]]

    def probabilities(self, question: str) -> Numbers:
        """(yes, no, no info), which sum to 1."""
        known = np.array([self.weights[stem] for stem in {_ALWAYS, *_stems(question)} if stem in self.weights])
        scores = known.sum(axis=0, keepdims=True).astype(np.float32)
        likely: Numbers = softmax(scores)[0].astype(np.float64)
        return likely

    def temper(self, probabilities: Numbers, question: str) -> Numbers:
        """What another model, which has seen the text, holds likely, tempered by how the question is worded."""
        both = np.maximum(probabilities, FLOOR) * self.probabilities(question) ** SHARE
        tempered: Numbers = both / both.sum()
        return tempered

    def save(self, path: Path) -> None:
        """Write one word a line, in the order of the alphabet."""
        lines = [f"{json.dumps(stem)}: {json.dumps(self.weights[stem])}" for stem in sorted(self.weights)]
        path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def learn_wording(questions: Sequence[str], labels: NDArray[np.int64]) -> Wording:
    """The most likely weights for labelled questions, kept small by the penalty."""
    counted = Counter(stem for question in questions for stem in _stems(question))
    words = [_ALWAYS, *sorted(stem for stem, count in counted.items() if count >= COMMON)]
    there = np.array([[word in stems for word in words] for stems in map(_stems, questions)], dtype=np.float32)
    there[:, 0] = 1.0
    wanted = np.eye(len(CLASSES), dtype=np.float32)[labels]
    weights: dict[str, Matrix] = {"W": np.zeros((len(words), len(CLASSES)), np.float32)}
    optimiser = Adam(weights, rate=RATE, decay=0.0)
    for _ in range(STEPS):
        surplus = softmax(there @ weights["W"]) - wanted
        optimiser.step({"W": (there.T @ surplus + PENALTY * weights["W"]) / len(questions)})
    rows = [tuple(round(float(one), 3) for one in row) for row in weights["W"]]
    return Wording(dict(zip(words, rows, strict=True)))


@lru_cache(maxsize=1)
def load() -> Wording:
    """The committed weights."""
    data = json.loads((files(__package__) / "data" / "wording.json").read_text(encoding="utf-8"))
    return Wording({stem: tuple(row) for stem, row in data.items()})


def _stems(question: str) -> frozenset[str]:
    return frozenset(token.stem for token in tokens(question) if token.stem[:1].isalnum())
