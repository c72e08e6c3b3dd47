"""The systems that can answer: ours, and those it is compared with. `hybridchat.chat.overrides` has their names."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from django.conf import settings

from agent.systems.end_to_end import EndToEnd
from agent.systems.fallback import Fallback
from agent.systems.function_calling import FunctionCalling
from agent.systems.linearization import Linearization
from agent.turn import Agent
from corpora.embedding import embedder
from corpora.vectors import StoredEncoder


class RememberingEmbedder:
    """The encoder that keeps its vectors in the database: a row's document is embedded once."""

    name = StoredEncoder.name
    dimensions = StoredEncoder.dimensions

    async def embed(self, texts: Sequence[str]) -> Any:
        """As `StoredEncoder.encode`, off the event loop."""
        return await asyncio.to_thread(StoredEncoder().encode, texts)


def arranged(agent: Agent, system: str) -> Agent:
    """The system of that name, made of an agent's parts. Raises ValueError for a name that is none."""
    if system == "suql":
        return agent
    parts = {field.name: getattr(agent, field.name) for field in fields(agent)}
    if system == "function-calling":
        return FunctionCalling(**parts)
    if system == "fallback":
        return Fallback(**parts)
    parts["applications"] = None
    if system == "end-to-end":
        return EndToEnd(**parts)
    kind, _, top = system.partition("-")
    if kind == "linearization":
        rows = embedder() if settings.EMBEDDINGS_URL else RememberingEmbedder()
        return Linearization(**parts, top=int(top), embedder=embedder(), rows=rows)
    raise ValueError(f"There is no system {system!r}.")
