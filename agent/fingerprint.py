"""Hashes of what an answer depends on besides the code: the prompts, and the weights of the networks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from agent.networks.wheels import WEIGHTS_OF

HERE = Path(__file__).parent
DIGITS = 16


@cache
def prompts_hash(folder: Path | None = None) -> str:
    """The hash of all prompts: those that come with the agent, and those of a version in a folder."""
    ours = (HERE / "backends" / "prompts").glob("*.jinja")
    return _hash([*ours, *(folder.glob("*.jinja") if folder else ())])


@cache
def weights_hash() -> str:
    """The hash of the weights of all networks: those kept here, and those that come in wheels."""
    return _hash(HERE.rglob("*.npz"), " ".join(f"{name} {sha256}" for name, sha256 in WEIGHTS_OF.items()))


def _hash(files: Iterable[Path], more: str = "") -> str:
    digest = hashlib.sha256(more.encode())
    for file in sorted(files):
        named = file.relative_to(HERE) if file.is_relative_to(HERE) else file.name
        digest.update(f"\n{named}\n".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:DIGITS]
