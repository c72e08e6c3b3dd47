"""Model servers on this machine, to be offered; nothing is used unasked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import openai

from agent.backends.openai import client_for
from agent.backends.prompted import ModelSettings


@dataclass(frozen=True, slots=True)
class Offer:
    """A model server that answered: what it usually is at that port, where it is, and its models (not embedders)."""

    name: str
    base_url: str
    models: tuple[str, ...]


USUAL = (
    ("Ollama", "http://127.0.0.1:11434/v1"),
    ("LM Studio", "http://127.0.0.1:1234/v1"),
    ("llama.cpp", "http://127.0.0.1:8080/v1"),
    ("vLLM", "http://127.0.0.1:8000/v1"),
)
"""Where model servers listen when nobody told them otherwise."""

PATIENCE = 0.8
"""Seconds a server on the same machine has to list its models."""


async def look(places: Sequence[tuple[str, str]] = USUAL, patience: float = PATIENCE) -> list[Offer]:
    """The servers that list at least one model, in the order of `places`, after at most `patience` seconds or so.

    All are asked at once. A port where something else listens, or nothing, is no offer.
    """
    found = await asyncio.gather(*(_ask(name, base_url, patience) for name, base_url in places))
    return [offer for offer in found if offer is not None]


async def _ask(name: str, base_url: str, patience: float) -> Offer | None:
    settings = ModelSettings(model="", base_url=base_url, timeout=patience, connect_timeout=patience, retries=0)
    async with client_for(settings) as client:
        try:
            async with asyncio.timeout(patience):
                page = await client.models.list()
        except (openai.OpenAIError, TimeoutError, ValueError):  # nothing there, or no model server: both are no offer
            return None
    models = tuple(model.id for model in getattr(page, "data", None) or () if "embed" not in model.id.casefold())
    return Offer(name, base_url, models) if models else None
