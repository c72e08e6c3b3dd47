"""Hashes of what an answer depends on besides the code: the prompts, and the weights of the networks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
DIGITS = 16


@cache
def prompts_hash() -> str:
    """The hash of all prompts."""
    return _hash((HERE / "backends" / "prompts").glob("*.jinja"))


@cache
def weights_hash() -> str:
    """The hash of the weights of all networks: those kept here, and those of the sentence encoder."""
    from agent.networks.encoder import SHA256  # what it needs takes a while to import

    return _hash(HERE.rglob("*.npz"), SHA256)


def _hash(files: Iterable[Path], more: str = "") -> str:
    digest = hashlib.sha256(more.encode())
    for file in sorted(files):
        digest.update(f"\n{file.relative_to(HERE)}\n".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:DIGITS]
