"""An encoder that remembers in the database, so that a sentence is encoded once for all processes and for good."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from agent.backends.builtin.reading.units import units
from agent.networks.encoder import DIMENSIONS, Encoder
from corpora.models import Passage, TextVector

Array = NDArray[np.float32]

PART = 2_000  # keys looked up in one statement
BATCH = 64  # texts computed, written and reported at once


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
    """Compute the sentences and clauses of some passages, and then, which says that they are computed, the passages."""
    pieces = [piece for body in bodies for piece in (*(unit.text for unit in units(body)), body)]
    StoredEncoder().encode(list(dict.fromkeys(pieces)))
