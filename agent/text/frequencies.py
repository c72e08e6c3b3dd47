"""How common English words are."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def english_rank() -> dict[str, int]:
    """Return common English words and their rank by frequency, 0 the most frequent."""
    lines = (files(__package__) / "english.txt").read_text(encoding="utf-8").splitlines()
    return {word: rank for rank, word in enumerate(line for line in lines if line and not line.startswith("#"))}
