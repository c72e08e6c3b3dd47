"""Functions that a model may call, what it calls them with, and what it is told came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Tool:
    """A function as a model sees it; `schema` is the JSON schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call, as the model wrote it: `arguments` is JSON, if the model keeps to the rules."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolRound:
    """Calls that a model made at once, each with its answer as JSON."""

    calls: tuple[ToolCall, ...]
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolStep:
    """What a model does next: it calls functions, or replies."""

    calls: tuple[ToolCall, ...] = ()
    text: str = ""
