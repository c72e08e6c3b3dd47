"""An encoder that remembers in the database, so that a sentence is encoded once for all processes and for good."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from agent.language.builtin.reading.units import units
from agent.language.encoder import DIMENSIONS, Encoder
from corpora.models import Passage, TextVector

Array = NDArray[np.float32]
Tokens = tuple[Array, list[tuple[int, int]]]
Value = TypeVar("Value")

PART = 2_000  # keys looked up in one statement
BATCH = 64  # passages computed, written and reported at once


class StoredEncoder:
    """`agent.language.encoder.Encoder`, with what it computed kept in `TextVector` in half precision.

    Meant for threads that are not the event loop's; it gives the thread's database connection back after each call.
    """

    name = Encoder.name
    dimensions = DIMENSIONS

    def encode(self, texts: Sequence[str]) -> Array:
        """Shape (len(texts), 384), as `Encoder.encode`, to half precision."""
        found = _remembered("text", texts, lambda missing: list(Encoder.load().encode(missing)), _pack, _unpack)
        return np.stack([found[text] for text in texts]) if texts else np.empty((0, DIMENSIONS), np.float32)

    def encode_tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """As `Encoder.encode_tokens`, to half precision."""
        found = _remembered("tokens", texts, Encoder.load().encode_tokens, _pack_tokens, _unpack_tokens)
        return [found[text] for text in texts]

    async def embed(self, texts: Sequence[str]) -> Array:
        """As `Encoder.embed`; single questions are not worth remembering."""
        return await Encoder.load().embed(texts)


def _remembered(
    kind: str,
    texts: Sequence[str],
    compute: Callable[[list[str]], Sequence[Value]],
    pack: Callable[[Value], tuple[bytes, bytes]],
    unpack: Callable[[bytes, bytes], Value],
) -> dict[str, Value]:
    try:
        keys = {text: _key(kind, text) for text in texts}
        stored = {key: unpack(bytes(rows), bytes(offsets)) for key, rows, offsets in _rows(list(keys.values()))}
        found = {text: stored[key] for text, key in keys.items() if key in stored}
        missing = [text for text in keys if text not in found]
        if missing:
            computed = dict(zip(missing, compute(missing), strict=True))
            packed = [(keys[text], *pack(value)) for text, value in computed.items()]
            TextVector.objects.bulk_create(
                [TextVector(key=key, rows=rows, offsets=offsets) for key, rows, offsets in packed],
                ignore_conflicts=True,
            )
            found.update(computed)
        return found
    finally:
        if not connection.in_atomic_block:
            connection.close()


def _rows(keys: list[str]) -> Iterable[tuple[Any, Any, Any]]:
    for start in range(0, len(keys), PART):
        yield from TextVector.objects.filter(key__in=keys[start : start + PART]).values_list("key", "rows", "offsets")


def _key(kind: str, text: str) -> str:
    return hashlib.sha256(f"{Encoder.name}\n{kind}\n{text}".encode()).hexdigest()


def _pack(row: Array) -> tuple[bytes, bytes]:
    return row.astype(np.float16).tobytes(), b""


def _unpack(rows: bytes, offsets: bytes) -> Array:
    return np.frombuffer(rows, np.float16).astype(np.float32)


def _pack_tokens(value: Tokens) -> tuple[bytes, bytes]:
    rows, offsets = value
    return rows.astype(np.float16).tobytes(), np.array(offsets, np.int32).tobytes()


def _unpack_tokens(rows: bytes, offsets: bytes) -> Tokens:
    vectors = np.frombuffer(rows, np.float16).astype(np.float32).reshape(-1, DIMENSIONS)
    pairs = np.frombuffer(offsets, np.int32).reshape(-1, 2)
    return vectors, [(int(start), int(stop)) for start, stop in pairs]


def remember_passages(batches: int | None = None, report: Callable[[int, int], None] = lambda done, total: None) -> int:
    """Compute ahead what the builtin reader needs of every passage; the number of passages still left.

    Safe to interrupt, to run again and to run twice. At most `batches` are done; `report(done, total)` follows each.
    """
    bodies = list(Passage.objects.order_by("body").values_list("body", flat=True).distinct())
    known = set(TextVector.objects.values_list("key", flat=True))
    missing = sorted((body for body in bodies if _key("text", body) not in known), key=len)
    encoder = StoredEncoder()
    done = 0
    for start in range(0, len(missing), BATCH)[:batches]:
        batch = missing[start : start + BATCH]
        encoder.encode(list(dict.fromkeys(piece for body in batch for piece in (*(u.text for u in units(body)), body))))
        done += len(batch)
        report(done, len(missing))
    return len(missing) - done
