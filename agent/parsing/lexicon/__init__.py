"""English resources of the builtin parser, as data files: kinds of food, common aspects, closed classes of words."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def load(name: str) -> dict[str, Any]:
    """One resource, e.g. "food" for food.toml. Raises FileNotFoundError where there is none."""
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text(encoding="utf-8"))
