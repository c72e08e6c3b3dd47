"""An encoder that remembers in the database, so that a sentence is encoded once for all processes and for good."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from agent.backends.builtin.reading.units import units
from agent.networks.encoder import DIMENSIONS, Encoder
from corpora.models import Passage, TextVector

Array = NDArray[np.float32]

PART = 2_000  # keys looked up in one statement
BATCH = 64  # passages computed, written and reported at once


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
    if missing:
        computed = dict(zip(missing, Encoder.load().encode(missing), strict=True))
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


def remember_passages(batches: int | None = None, report: Callable[[int, int], None] = lambda done, total: None) -> int:
    """Compute ahead what the builtin reader needs of every passage; the number of passages still left.

    Safe to interrupt, to run again and to run twice. At most `batches` are done; `report(done, total)` follows each.
    """
    bodies = list(Passage.objects.order_by("body").values_list("body", flat=True).distinct())
    known = set(TextVector.objects.values_list("key", flat=True))
    missing = sorted((body for body in bodies if _key(body) not in known), key=len)
    encoder = StoredEncoder()
    done = 0
    for start in range(0, len(missing), BATCH)[:batches]:
        batch = missing[start : start + BATCH]
        encoder.encode(list(dict.fromkeys(piece for body in batch for piece in (*(u.text for u in units(body)), body))))
        done += len(batch)
        report(done, len(missing))
    return len(missing) - done
