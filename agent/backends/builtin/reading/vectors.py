"""Vectors of texts, remembered by content: a passage is encoded once however often it is read."""

from __future__ import annotations

import json
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import numpy as np

from agent.networks.layers import Array

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

PART = 64  # sentences encoded at once: some quarter of a second on two idle cores, so that work can end between parts


class TextEncoder(Protocol):
    """What the reader needs of an encoder: see `agent.networks.encoder.Encoder`."""

    def encode(self, texts: Sequence[str]) -> Array: ...


class Memory(Generic[Key, Value]):
    """Values by key, the least used forgotten first. Safe to share between threads."""

    def __init__(self, compute: Callable[[Sequence[Key]], Sequence[Value]], limit: int) -> None:
        self._compute = compute
        self._limit = limit
        self._known: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, keys: Sequence[Key]) -> list[Value]:
        """Return the value of each key; what is not known is computed in one call."""
        with self._lock:
            found = {key: self._known[key] for key in keys if key in self._known}
        missing = [key for key in dict.fromkeys(keys) if key not in found]
        if missing:
            found.update(zip(missing, self._compute(missing), strict=True))
        with self._lock:
            for key in found:
                self._known[key] = found[key]
                self._known.move_to_end(key)
            while len(self._known) > self._limit:
                self._known.popitem(last=False)
        return [found[key] for key in keys]

    def items(self) -> list[tuple[Key, Value]]:
        """Everything remembered, the least used first."""
        with self._lock:
            return list(self._known.items())

    def put(self, keys: Sequence[Key], values: Iterable[Value]) -> None:
        """Remember values that were computed before."""
        with self._lock:
            self._known.update(zip(keys, values, strict=True))


class Vectors:
    """Sentence vectors over one encoder. `sentences` bounds the memory: 40,000 take 60 MB."""

    def __init__(self, encoder: TextEncoder, sentences: int = 40_000) -> None:
        self._sentences: Memory[str, Array] = Memory(lambda missing: list(encoder.encode(missing)), sentences)

    def learn(self, texts: Iterable[str], check: Callable[[], None] = lambda: None) -> None:
        """Encode what is not known yet. `check` is called before every PART of the texts and may raise to end it."""
        wanted = list(dict.fromkeys(texts))
        for start in range(0, len(wanted), PART):
            check()
            self._sentences.of(wanted[start : start + PART])

    def of(self, texts: Sequence[str]) -> Array:
        """Return the vectors of `texts`, one row each."""
        return np.stack(self._sentences.of(texts))

    def save(self, path: Path) -> None:
        """Write the sentence vectors, in half precision, so that another process need not compute them again."""
        items = self._sentences.items()
        texts = json.dumps([text for text, _ in items]).encode()
        rows = np.stack([row for _, row in items]) if items else np.empty((0, 0), np.float32)
        part = path.with_suffix(f".{os.getpid()}.part")
        with part.open("wb") as file:
            np.savez(file, texts=np.frombuffer(texts, np.uint8), rows=rows.astype(np.float16))
        part.replace(path)

    def recall(self, path: Path) -> None:
        """Take up what `save` wrote. Raises OSError if there is no such file."""
        with np.load(path) as stored:
            texts, rows = json.loads(stored["texts"].tobytes()), stored["rows"].astype(np.float32)
        self._sentences.put(texts, rows)
