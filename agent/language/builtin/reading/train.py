"""Learn the weights again: `python -m agent.language.builtin.reading.train FILE... `.

Each file holds one JSON object a line: `passage` and `yesno`, a list of `{"q": question, "a": Yes | No | no info}`.
Prints accuracy and Yes-precision in five-fold cross-validation by passage, then writes `data/weights.npz`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from agent.language.builtin.reading.features import look, texts_needed
from agent.language.builtin.reading.model import CLASSES, Matrix, fit
from agent.language.builtin.reading.questions import read_question
from agent.language.builtin.reading.vectors import SentenceEncoder, Vectors
from agent.language.encoder import Encoder

PENALTY = 0.05
FOLDS = 5
WEIGHTS = Path(__file__).parent / "data" / "weights.npz"


def examples(paths: Sequence[str]) -> Iterator[tuple[int, str, str, int]]:
    """(number of the passage, passage, question, class) of every labelled question."""
    number = 0
    for path in paths:
        for line in Path(path).read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            for item in entry["yesno"]:
                yield number, entry["passage"], item["q"], CLASSES.index(item["a"])
            number += 1


def rows_of(items: Sequence[tuple[int, str, str, int]], encoder: SentenceEncoder) -> Matrix:
    """What the model sees of each item."""
    vectors = Vectors(encoder, limit=1_000_000)
    vectors.learn(text for _, passage, asked, _ in items for text in texts_needed(read_question(asked), [passage]))
    return np.stack([look(read_question(asked), passage, vectors).features for _, passage, asked, _ in items])


def main(paths: Sequence[str], encoder: SentenceEncoder) -> None:
    """Cross-validate, say how well it does, and write the weights learned from everything."""
    items = list(examples(paths))
    rows = rows_of(items, encoder)
    labels = np.array([item[3] for item in items])
    folds = np.array([item[0] % FOLDS for item in items])
    guesses = np.zeros((len(items), len(CLASSES)))
    for fold in range(FOLDS):
        learned = fit(rows[folds != fold], labels[folds != fold], PENALTY)
        guesses[folds == fold] = learned.probabilities(rows[folds == fold])
    best = guesses.argmax(axis=1)
    said_yes = labels[best == 0] == 0
    sys.stdout.write(
        f"{len(items)} questions: accuracy {(best == labels).mean():.3f}, Yes-precision {said_yes.mean():.3f}\n"
    )
    fit(rows, labels, PENALTY).save(WEIGHTS)


if __name__ == "__main__":
    main(sys.argv[1:], Encoder.load())
