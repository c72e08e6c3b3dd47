"""The cues of `phrases.toml` as compiled patterns."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from agent.text.patterns import rows_bounded

_LISTS: dict[str, dict[str, list[str]]] = tomllib.loads(
    files(__package__).joinpath("phrases.toml").read_text(encoding="utf-8")
)
_ALTERNATIVES: dict[str, str] = {
    name: f"(?:{'|'.join(phrases)})" for lists in _LISTS.values() for name, phrases in lists.items()
}


def alternatives(*names: str) -> str:
    """One or several lists as an alternation, with the lists they name filled in."""
    joined = "|".join(_ALTERNATIVES[name] for name in names)
    return re.sub(r"\{(\w+)\}", lambda match: _ALTERNATIVES.get(match[1], match[0]), f"(?:{joined})")


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern, without regard to case, in which `{name}` stands for a list."""
    filled = re.sub(r"\{([a-z]\w+)\}", lambda match: alternatives(match[1]), pattern)
    return re.compile(rows_bounded(filled), re.IGNORECASE)


@cache
def said(name: str) -> re.Pattern[str]:
    """The cue anywhere in a message, as whole words."""
    return compiled(rf"(?<!\w){{{name}}}(?!\w)")


def comparatives() -> list[tuple[str, str, re.Pattern[Any]]]:
    """(column, "<" or ">", pattern), in the order of the file."""
    found = []
    for name in _LISTS["comparative"]:
        column, sign = name.split()
        found.append((column, sign, re.compile(rf"\b{_ALTERNATIVES[name]}\b", re.IGNORECASE)))
    return found
