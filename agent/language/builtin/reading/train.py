"""Learn the weights again: `python -m agent.language.builtin.reading.train FILE... [--held-out FILE]`.

Each file holds one JSON object a line: `passage` and `yesno`, a list of `{"q": question, "a": Yes | No | no info,
"why": kind}`. Prints how well the network, tempered by the wording, does in five-fold cross-validation by passage, and
on the held-out file, which is not learned from; then writes `data/weights.npz` and `data/wording.json`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.language.builtin.reading.alignment import Aligned
from agent.language.builtin.reading.features import look, texts_needed
from agent.language.builtin.reading.learning import learn
from agent.language.builtin.reading.network import CLASSES
from agent.language.builtin.reading.questions import read_question
from agent.language.builtin.reading.vectors import TextEncoder, Vectors
from agent.language.builtin.reading.wording import learn_wording
from agent.language.encoder import Encoder

FOLDS = 5
MEMBERS = 4
LEVELS = (
    0.0,
    0.5,
    0.55,
    0.58,
    0.6,
    0.62,
    0.64,
    0.66,
    0.68,
    0.7,
)  # probabilities from which Yes is said, for the report
WEIGHTS = Path(__file__).parent / "data" / "weights.npz"
WORDING = WEIGHTS.with_name("wording.json")


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled question on the passage numbered `number`; `kind` is what makes it hard."""

    number: int
    passage: str
    question: str
    label: int
    kind: str


def examples(paths: Sequence[str]) -> list[Example]:
    """Every labelled question of the files."""
    found = []
    number = 0
    for path in paths:
        for line in Path(path).read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            for item in entry["yesno"]:
                label = CLASSES.index(item["a"])
                found.append(Example(number, entry["passage"], item["q"], label, item.get("why", "")))
            number += 1
    return found


def seen(items: Sequence[Example], encoder: TextEncoder) -> tuple[list[Aligned], NDArray[np.float64]]:
    """What the network sees of each example."""
    vectors = Vectors(encoder, sentences=1_000_000)
    vectors.learn(text for one in items for text in texts_needed(read_question(one.question), [one.passage]))
    looks = [look(read_question(one.question), one.passage, vectors) for one in items]
    return [one.aligned for one in looks], np.stack([one.features for one in looks])


def cross_validated(
    items: Sequence[Example], aligned: Sequence[Aligned], features: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Probabilities of each example from a network and a wording that were not learned from its passage."""
    labels = np.array([one.label for one in items])
    folds = np.array([one.number % FOLDS for one in items])
    guesses = np.zeros((len(items), len(CLASSES)))
    for fold in range(FOLDS):
        kept = np.flatnonzero(folds != fold).tolist()
        network = learn([aligned[index] for index in kept], features[kept], labels[kept], MEMBERS)
        wording = learn_wording([items[index].question for index in kept], labels[kept])
        for index in np.flatnonzero(folds == fold).tolist():
            told = network.probabilities(aligned[index], features[index])
            guesses[index] = wording.temper(told, items[index].question)
    return guesses


def report(title: str, items: Sequence[Example], guesses: NDArray[np.float64]) -> str:
    """Accuracy and Yes-precision at several levels of caution, and accuracy by kind at the first."""
    labels = np.array([one.label for one in items])
    lines = [f"{title}: {len(items)} questions"]
    for level in LEVELS:
        cautious = guesses.copy()
        cautious[guesses[:, 0] < level, 0] = 0.0
        best = cautious.argmax(axis=1)
        yes = best == 0
        lines.append(
            f"  Yes from {level:.2f}: accuracy {(best == labels).mean():.3f}, Yes-precision "
            f"{(labels[yes] == 0).mean():.3f}, Yes said {yes.mean():.3f}"
        )
    best = guesses.argmax(axis=1)
    for kind in sorted({one.kind for one in items}):
        rows = np.array([one.kind == kind for one in items])
        lines.append(f"    {kind:14} {(best == labels)[rows].mean():.3f} of {rows.sum()}")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str], encoder: TextEncoder) -> None:
    """Cross-validate, learn from everything, test on what was held out, write the weights."""
    parser = argparse.ArgumentParser(prog="train")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--held-out")
    options = parser.parse_args(arguments)
    items = examples(options.files)
    aligned, features = seen(items, encoder)
    sys.stdout.write(report("cross-validated", items, cross_validated(items, aligned, features)))
    labels = np.array([one.label for one in items])
    network = learn(aligned, features, labels, MEMBERS)
    network.save(WEIGHTS)
    wording = learn_wording([one.question for one in items], labels)
    wording.save(WORDING)
    if options.held_out:
        others = examples([options.held_out])
        aligned, features = seen(others, encoder)
        told = [network.probabilities(one, row) for one, row in zip(aligned, features, strict=True)]
        guesses = [wording.temper(one, other.question) for one, other in zip(told, others, strict=True)]
        sys.stdout.write(report("held out", others, np.stack(guesses)))


if __name__ == "__main__":
    main(sys.argv[1:], Encoder.load())
