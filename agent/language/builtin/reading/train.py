"""Learn the weights again: `python -m agent.language.builtin.reading.train FILE... [--held-out FILE]`.

Each file holds one JSON object a line: `passage` and `yesno`, a list of `{"q": question, "a": Yes | No | no info,
"why": kind}`. Prints how well the network does on each file when it has learned from the others (with one file:
five-fold by passage), and on the held-out file; then writes `data/weights.npz`.

Leaving out whole files is the honest measure, since each has its own writers and subjects: by passage, what is learned
of how those people put their questions looks like reading and is three points of accuracy that other questions lack.
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
from agent.language.encoder import Encoder

FOLDS = 5
MEMBERS = 4
LEVELS = (0.0, 0.5, 0.55, 0.6, 0.65, 0.7)  # probabilities from which Yes is said, for the report
WEIGHTS = Path(__file__).parent / "data" / "weights.npz"


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled question; `kind` is what makes it hard. Examples of one `fold` are left out together."""

    fold: int
    passage: str
    question: str
    label: int
    kind: str


def examples(paths: Sequence[str]) -> list[Example]:
    """Every labelled question of the files; a file is a fold, and so is every fifth passage of a file by itself."""
    found = []
    for number, path in enumerate(paths):
        for place, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines()):
            entry = json.loads(line)
            fold = number if len(paths) > 1 else place % FOLDS
            for item in entry["yesno"]:
                label = CLASSES.index(item["a"])
                found.append(Example(fold, entry["passage"], item["q"], label, item.get("why", "")))
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
    """Probabilities of each example from a network that has seen nothing of its fold."""
    labels = np.array([one.label for one in items])
    folds = np.array([one.fold for one in items])
    guesses = np.zeros((len(items), len(CLASSES)))
    for fold in np.unique(folds):
        kept = np.flatnonzero(folds != fold).tolist()
        network = learn([aligned[index] for index in kept], features[kept], labels[kept], MEMBERS)
        for index in np.flatnonzero(folds == fold).tolist():
            guesses[index] = network.probabilities(aligned[index], features[index])
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
    network = learn(aligned, features, np.array([one.label for one in items]), MEMBERS)
    network.save(WEIGHTS)
    if options.held_out:
        others = examples([options.held_out])
        aligned, features = seen(others, encoder)
        guesses = np.stack([network.probabilities(one, row) for one, row in zip(aligned, features, strict=True)])
        sys.stdout.write(report("held out", others, guesses))


if __name__ == "__main__":
    main(sys.argv[1:], Encoder.load())
