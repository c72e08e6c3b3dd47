"""How to reach a model, which model does which task, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

TaskName = Literal[
    "understand",
    "parse",
    "answer",
    "match_values",
    "summarise",
    "respond",
    "search",
    "converse",
    "call",
    "describe",
    "welcome",
]


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens. `cached` is what the server charges for prompt tokens it had kept."""

    prompt: float
    completion: float
    cached: float | None = None

    def of(self, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0) -> float:
        """Return the cost of one call in US dollars."""
        kept = min(cached_tokens, prompt_tokens)
        kept_price = self.prompt if self.cached is None else self.cached
        return ((prompt_tokens - kept) * self.prompt + kept * kept_price + completion_tokens * self.completion) / 1e6


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Everything an OpenAI-compatible backend is told.

    `model` does every task that `models` does not name another one for. A model without an entry in `prices` costs
    nothing (a local one, say). `api_key` may stay empty for servers that ask for none.

    `timeout` is how many seconds the server may stay silent in one attempt: before a plain reply, and between two
    pieces of a streamed one. `retries` is how often time-outs, lost connections, 408, 409, 429 and 5xx are tried again;
    a `retry-after` of up to two minutes is obeyed. `concurrency` is how many requests are in flight at once.

    `batch_items` and `batch_characters` limit how many texts share one reading prompt. `temperature` is left out of
    requests where it is None, and from then on where a server turns out not to accept it.

    `sees` says that the model that answers questions can be shown pictures.
    """

    model: str
    base_url: str = "https://api.openai.com/v1"
    api_key: str = field(default="", repr=False)
    models: Mapping[TaskName, str] = field(default_factory=dict)
    prices: Mapping[str, Price] = field(default_factory=dict)
    timeout: float = 600.0
    connect_timeout: float = 5.0
    retries: int = 2
    concurrency: int = 8
    batch_items: int = 32
    batch_characters: int = 24_000
    temperature: float | None = 0.0
    sees: bool = False

    def model_for(self, task: TaskName) -> str:
        """Return the name of the model that does a task."""
        return self.models.get(task, self.model)

    def cost(self, model: str, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0) -> float:
        """Return what a call cost in US dollars; 0 for a model without a price."""
        price = self.prices.get(model)
        return price.of(prompt_tokens, completion_tokens, cached_tokens) if price else 0.0
