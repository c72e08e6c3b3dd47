"""One value, asked once: the memory of answers between queries.

A memo's key is a hash over everything a value depends on (content, question, type, options, reader and its version),
its value is JSON. Where it is kept is the business of whoever owns the process; `MemoryMemo` keeps it in the process.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Memo(Protocol):
    """Values by key. A value once written stays: the key covers all that it depends on."""

    async def get_many(self, keys: Sequence[str]) -> Mapping[str, Any]:
        """Return the values of those keys that have one."""
        ...

    async def put_many(self, values: Mapping[str, Any]) -> None:
        """Remembers values."""
        ...


class MemoryMemo:
    """A memo in this process, which forgets the oldest values beyond `size`."""

    def __init__(self, size: int = 100_000) -> None:
        self._size = size
        self._values: dict[str, Any] = {}

    async def get_many(self, keys: Sequence[str]) -> Mapping[str, Any]:
        return {key: self._values[key] for key in keys if key in self._values}

    async def put_many(self, values: Mapping[str, Any]) -> None:
        for key, value in values.items():
            self._values.setdefault(key, value)
        while len(self._values) > self._size:
            del self._values[next(iter(self._values))]


def key(*parts: object) -> str:
    """Return the key of what the parts determine, in hexadecimal."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False, default=str).encode()).hexdigest()
