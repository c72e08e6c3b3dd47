"""Finding the JSON in what a model wrote."""

from __future__ import annotations

import json
import re
from typing import Any

import pydantic_core

_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_THINKING = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)


def extract(text: str) -> Any:
    """Return the JSON object in a reply: the whole of it, the inside of a code fence, or the last object among prose.

    Servers without structured output wrap objects in fences, in thinking aloud and in politeness. Raises ValueError
    with a message fit to show to the model where there is no object.
    """
    text = _THINKING.sub("", text).strip()
    candidates = [text, *reversed(_FENCED.findall(text))]
    for candidate in candidates:
        try:
            value = json.loads(candidate)
        except ValueError:
            continue
        if isinstance(value, dict):
            return value
    found = _last_object(text)
    if found is None:
        raise ValueError(f"not a JSON object: {_why(text)}")
    return found


def extract_partial(text: str) -> dict[str, Any]:
    """Return the object of which `text` is the beginning, as far as it goes; empty before there is one."""
    start = text.find("{")
    if start < 0:
        return {}
    try:
        value = pydantic_core.from_json(text[start:], allow_partial="trailing-strings")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _last_object(text: str) -> dict[str, Any] | None:
    """The last complete top-level JSON object among other words."""
    decoder = json.JSONDecoder()
    found: dict[str, Any] | None = None
    position = text.find("{")
    while position >= 0:
        try:
            value, end = decoder.raw_decode(text, position)
        except ValueError:
            end = position + 1
        else:
            if isinstance(value, dict):
                found = value
        position = text.find("{", end)
    return found


def _why(text: str) -> str:
    """What the JSON reader tripped over."""
    try:
        value = json.loads(text)
    except ValueError as error:
        return str(error)
    return f"a {type(value).__name__} where an object was expected"
