"""English resources of the builtin parser, as data files: kinds of food, common aspects, common words."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def load(name: str) -> dict[str, Any]:
    """One resource, e.g. "food" for food.toml. Raises FileNotFoundError where there is none."""
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def english_rank() -> dict[str, int]:
    """Common English words and their rank by frequency, 0 the most frequent."""
    lines = (files(__package__) / "english.txt").read_text(encoding="utf-8").splitlines()
    return {word: rank for rank, word in enumerate(line for line in lines if line and not line.startswith("#"))}
