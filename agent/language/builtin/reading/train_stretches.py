"""Learn the weights of short answers again: `python -m agent.language.builtin.reading.train_stretches FILE...`.

Each file holds one JSON object a line: `passage` and `spans`, a list of `{"q": question, "a": stretch of the passage}`.
Prints F1 over words and the share of exact answers on each file by weights learned from the others, then learns from
all and writes `data/stretches.npz`. The last file may be kept out of that with `--held-out`.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.language.builtin.reading.asked import read_asked
from agent.language.builtin.reading.clues import Clue, clues
from agent.language.builtin.reading.extract import likely_sentences
from agent.language.builtin.reading.stretch_model import SENTENCES
from agent.language.builtin.reading.stretches import stretches
from agent.language.builtin.reading.vectors import TextEncoder, Vectors
from agent.language.encoder import Encoder
from agent.language.tasks import Passage

OFTEN = 8  # questions in which a clue has to be seen to get a weight
EPOCHS = 8
RATE = 0.15
DECAY = 0.05
USEFUL = 0.5  # F1 that the best stretch of a passage needs for the question to be learned from
WEIGHTS = Path(__file__).parent / "data" / "stretches.npz"
_ARTICLES = frozenset({"a", "an", "the"})

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """The stretches of one passage: clues in sparse form (row, number of the clue's name, value), and each stretch's F1
    with the answer."""

    rows: NDArray[np.int64]
    names: NDArray[np.int64]
    values: Floats
    overlaps: Floats


class Names(dict[str, int]):
    """The number of each clue's name, given in the order in which they are first asked for."""

    def __missing__(self, name: str) -> int:
        self[name] = len(self)
        return self[name]


def overlap(given: str, wanted: str) -> float:
    """F1 over words without articles, as question answering measures it (Rajpurkar et al. 2016)."""
    left, right = (
        Counter(word for word in re.findall(r"[a-z0-9$€£%]+", text.lower()) if word not in _ARTICLES)
        for text in (given, wanted)
    )
    shared = (left & right).total()
    return 2 * shared / (left.total() + right.total()) if shared else 0.0


def examples(path: str, vectors: Vectors, names: Names) -> list[Example]:
    """Every question of a file that has a short answer."""
    entries = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    return [
        _example(entry["passage"], item["q"], item["a"], vectors, names)
        for entry in entries
        for item in entry.get("spans", ())
    ]


def _example(passage: str, question: str, answer: str, vectors: Vectors, names: Names) -> Example:
    asked = read_asked(question)
    seen: list[list[Clue]] = []
    overlaps = []
    for rank, (_, one) in enumerate(likely_sentences(question, [Passage(text=passage)], vectors)[:SENTENCES]):
        for stretch in stretches(one.sentence):
            seen.append(list(clues(asked, one.sentence, stretch, rank, one.shared, one.near)))
            start, stop = one.sentence.characters(stretch)
            overlaps.append(overlap(one.sentence.text[start:stop], answer))
    return Example(
        np.repeat(np.arange(len(seen)), [len(row) for row in seen]),
        np.array([names[name] for row in seen for name, _ in row], np.int64),
        np.array([value for row in seen for _, value in row]),
        np.array(overlaps),
    )


def learn(items: Sequence[Example], count: int) -> Floats:
    """The weights of `count` clues: AdaGrad on the log-likelihood of stretches, each wanted as far as it overlaps."""
    seen = np.zeros(count)
    for one in items:
        seen[np.unique(one.names)] += 1
    weights, squares = np.zeros(count), np.full(count, 1e-6)
    sparse = [_often(one, seen) for one in items if one.overlaps.size and one.overlaps.max() >= USEFUL]
    random = np.random.default_rng(0)
    for _ in range(EPOCHS):
        for place in random.permutation(len(sparse)).tolist():
            one = sparse[place]
            guessed = _softmax(_scores(one, weights))
            error = guessed - (_share(one.overlaps**4) + _share(guessed * (one.overlaps**3 + 1e-9))) / 2
            touched, inverse = np.unique(one.names, return_inverse=True)
            slope = np.bincount(inverse, error[one.rows] * one.values, len(touched)) + DECAY * weights[touched]
            squares[touched] += slope**2
            weights[touched] -= RATE * slope / np.sqrt(squares[touched])
    return weights


def _often(one: Example, seen: Floats) -> Example:
    """The example with the clues that get a weight."""
    kept = seen[one.names] >= OFTEN
    return Example(one.rows[kept], one.names[kept], one.values[kept], one.overlaps)


def _scores(one: Example, weights: Floats) -> Floats:
    return np.bincount(one.rows, weights[one.names] * one.values, len(one.overlaps)).astype(np.float64)


def _softmax(scores: Floats) -> Floats:
    return _share(np.exp(scores - scores.max()))


def _share(values: Floats) -> Floats:
    shares: Floats = values / values.sum()
    return shares


def scored(items: Sequence[Example], weights: Floats) -> list[float]:
    """The F1 of each question's chosen stretch."""
    return [float(one.overlaps[_scores(one, weights).argmax()]) if one.overlaps.size else 0.0 for one in items]


def main(arguments: Sequence[str], encoder: TextEncoder) -> None:
    """Cross-validate by file, learn from everything, test on what was held out, write the weights."""
    parser = argparse.ArgumentParser(prog="train_stretches")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--held-out")
    options = parser.parse_args(arguments)
    vectors, names = Vectors(encoder, sentences=1_000_000), Names()
    parts = [examples(path, vectors, names) for path in options.files]
    for place, part in enumerate(parts):
        others = [one for other, items in enumerate(parts) if other != place for one in items]
        if others:
            _report(options.files[place], scored(part, learn(others, len(names))))
    weights = learn([one for part in parts for one in part], len(names))
    if options.held_out:
        held = examples(options.held_out, vectors, names)
        _report(f"held out: {options.held_out}", scored(held, np.pad(weights, (0, len(names) - len(weights)))))
    learned = {name: weights[number] for name, number in names.items() if number < len(weights) and weights[number]}
    np.savez_compressed(
        WEIGHTS, names=np.array(list(learned)), weights=np.array(list(learned.values()), dtype=np.float16)
    )


def _report(name: str, overlaps: Sequence[float]) -> None:
    exact = np.mean([one > 0.999 for one in overlaps])
    sys.stdout.write(f"{name}: {len(overlaps)} questions, F1 {np.mean(overlaps):.3f}, exact {exact:.3f}\n")


if __name__ == "__main__":
    main(sys.argv[1:], Encoder.load())
