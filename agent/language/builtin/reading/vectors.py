"""Sentence vectors, remembered by content, so that a passage is encoded once however often it is asked about."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


class SentenceEncoder(Protocol):
    """What the reader needs of an encoder: unit vectors, shape (len(texts), dimensions)."""

    def encode(self, texts: Sequence[str]) -> Array: ...


class Vectors:
    """A bounded memory of sentence vectors over an encoder. Safe to share between threads.

    `limit` is a number of texts; 40,000 vectors of 384 numbers take about 60 MB.
    """

    def __init__(self, encoder: SentenceEncoder, limit: int = 40_000) -> None:
        self._encoder = encoder
        self._limit = limit
        self._known: OrderedDict[str, Array] = OrderedDict()
        self._lock = threading.Lock()

    def learn(self, texts: Iterable[str]) -> None:
        """Encode in one call what is not known yet."""
        with self._lock:
            missing = list(dict.fromkeys(text for text in texts if text not in self._known))
        if not missing:
            return
        vectors = self._encoder.encode(missing)
        with self._lock:
            self._known.update(zip(missing, vectors, strict=True))
            while len(self._known) > self._limit:
                self._known.popitem(last=False)

    def of(self, texts: Sequence[str]) -> Array:
        """The vectors of `texts`, one row each."""
        self.learn(texts)
        with self._lock:
            rows = [self._known.get(text) for text in texts]
            for text in texts:
                if text in self._known:
                    self._known.move_to_end(text)
        lost = [text for text, row in zip(texts, rows, strict=True) if row is None]
        again = iter(self._encoder.encode(lost)) if lost else iter(())
        return np.stack([row if row is not None else next(again) for row in rows])
