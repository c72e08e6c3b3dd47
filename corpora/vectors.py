"""An encoder that remembers in the database, so that a sentence is encoded once for all processes and for good."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import timedelta
from secrets import randbelow
from typing import NamedTuple

import numpy as np
from django.db import connection
from django.utils import timezone
from numpy.typing import NDArray

from agent.backends.builtin.reading.units import units
from agent.networks.encoder import DIMENSIONS, Encoder
from corpora.models import Passage, TextVector

Array = NDArray[np.float32]

PART = 2_000  # keys looked up in one statement
BATCH = 64  # texts computed, written and reported at once
KEPT_FOR = timedelta(days=7)  # vectors of questions, and of texts that may come back
DIGITS = 7  # of a key, in hexadecimal, that are looked at: 32 MB of bits
KEY = 64  # digits that a key has


class StoredEncoder:
    """`agent.networks.encoder.Encoder`, with what it computed kept in `TextVector` in half precision.

    Meant for threads that are not the event loop's; it gives the thread's database connection back after each call.
    """

    name = Encoder.name
    dimensions = DIMENSIONS

    def encode(self, texts: Sequence[str]) -> Array:
        """Shape (len(texts), 384), as `Encoder.encode`, to half precision."""
        try:
            found = _remembered(texts)
        finally:
            if not connection.in_atomic_block:
                connection.close()
        return np.stack([found[text] for text in texts]) if texts else np.empty((0, DIMENSIONS), np.float32)

    async def embed(self, texts: Sequence[str]) -> Array:
        """As `Encoder.embed`; single questions are not worth remembering."""
        return await Encoder.load().embed(texts)


def _remembered(texts: Sequence[str]) -> dict[str, Array]:
    keys = {text: _key(text) for text in texts}
    stored = {key: np.frombuffer(row, np.float16).astype(np.float32) for key, row in _rows(list(keys.values()))}
    found = {text: stored[key] for text, key in keys.items() if key in stored}
    missing = [text for text in keys if text not in found]
    for start in range(0, len(missing), BATCH):  # what is cut off goes on from there when it is asked for again
        part = missing[start : start + BATCH]
        computed = dict(zip(part, Encoder.load().encode(part), strict=True))
        TextVector.objects.bulk_create(
            [TextVector(key=keys[text], rows=row.astype(np.float16).tobytes()) for text, row in computed.items()],
            ignore_conflicts=True,
        )
        found.update(computed)
    return found


def _rows(keys: list[str]) -> Iterable[tuple[str, bytes]]:
    for start in range(0, len(keys), PART):
        part = TextVector.objects.filter(key__in=keys[start : start + PART])
        yield from ((key, bytes(row)) for key, row in part.values_list("key", "rows"))


def _key(text: str) -> str:
    return hashlib.sha256(f"{Encoder.name}\ntext\n{text}".encode()).hexdigest()


class Prepared(NamedTuple):
    """A step of `remember_passages`: the passage after which the next begins, and how many it brought to an end."""

    after: int
    passages: int


def remember_passages(after: int = 0) -> Iterator[Prepared]:
    """Compute ahead what the builtin reader needs of the passages after one, in the order of their numbers.

    A step computes one batch at most and looks at a few thousand passages, however many there are. Safe to interrupt,
    to go on with from what a step gave, and to run twice.
    """
    while some := list(Passage.objects.filter(pk__gt=after).order_by("pk").values_list("pk", "body")[:PART]):
        missing, left = _missing({body for _, body in some}), len(some)
        while len(missing) > BATCH:
            _prepare(missing[:BATCH])
            missing, left = missing[BATCH:], left - BATCH
            yield Prepared(after, BATCH)
        if missing:
            _prepare(missing)
        after = some[-1][0]
        yield Prepared(after, left)


def _missing(bodies: Collection[str]) -> list[str]:
    """Those that were not computed, short ones first: a batch takes as long as its longest."""
    keys = {_key(body): body for body in bodies}
    known = {key for key, _ in _rows(list(keys))}
    return sorted((body for key, body in keys.items() if key not in known), key=len)


def _prepare(bodies: Sequence[str]) -> None:
    StoredEncoder().encode(list(dict.fromkeys(piece for body in bodies for piece in _pieces(body))))


def _pieces(body: str) -> Iterator[str]:
    """What is encoded of a passage: its sentences and clauses, then, which says that they are encoded, all of it."""
    yield from (unit.text for unit in units(body))
    yield body


def forget_unused(kept_for: timedelta = KEPT_FOR) -> int:
    """Delete vectors that no passage uses and that were not made lately; returns how many.

    Memory does not grow with the passages: a bit stands for many keys. So few of those unused are kept by chance, and
    since other digits of the keys tell them apart each time, not for ever. Safe to interrupt and to run twice. What is
    deleted although it is wanted, since its passage came only now, is computed again when it is read.
    """
    old = TextVector.objects.filter(created__lt=timezone.now() - kept_for)
    if not old.exists():
        return 0
    used, deleted, after = _Used(), 0, ""
    for bodies in _bodies():
        used.add([_key(piece) for body in bodies for piece in _pieces(body)])
    while keys := list(old.filter(key__gt=after).order_by("key").values_list("key", flat=True)[:PART]):
        unused = [key for key, known in zip(keys, used.has(keys), strict=True) if not known]
        deleted += TextVector.objects.filter(key__in=unused).delete()[0]
        after = keys[-1]
    return deleted


def _bodies() -> Iterator[list[str]]:
    """What the passages say, some at a time."""
    after = 0
    while some := list(Passage.objects.filter(pk__gt=after).order_by("pk").values_list("pk", "body")[:PART]):
        yield [body for _, body in some]
        after = some[-1][0]


class _Used:
    """A set of keys, as bits at the places that some digits of the keys name: it may hold more than was put in."""

    def __init__(self) -> None:
        self._first = randbelow(KEY - DIGITS)
        self._bits = np.zeros(16**DIGITS // 8, np.uint8)

    def add(self, keys: Sequence[str]) -> None:
        byte, bit = self._places(keys)
        np.bitwise_or.at(self._bits, byte, bit)

    def has(self, keys: Sequence[str]) -> list[bool]:
        byte, bit = self._places(keys)
        found: list[bool] = (self._bits[byte] & bit).astype(bool).tolist()
        return found

    def _places(self, keys: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        numbers = np.array([int(key[self._first : self._first + DIGITS], 16) for key in keys], np.int64)
        return numbers >> 3, (1 << (numbers & 7)).astype(np.uint8)
