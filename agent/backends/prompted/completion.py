"""The seam between tasks and servers: one prompt in, one text out.

Whatever can complete a prompt (a server, a folder of recordings) is a `Completer`; tasks, prompts and checks are the
same above all of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from agent.backends.prompted.settings import TaskName
from agent.protocols.tools import Tool, ToolCall

OnText = Callable[[str], None]
"""Called with the whole text so far. A later call replaces what an earlier one said, so a retry needs no undoing."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt; `role` is "system", "user", "assistant" or "tool". `images` are addresses of pictures.

    An assistant's message may make `calls`; a tool's has the answer to the call whose id is `answers`.
    """

    role: str
    content: str
    images: tuple[str, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    answers: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """One prompt: the messages, and the JSON schema (strict) that the reply has to fit, under a short name.

    With `tools`, the reply is plain words, or calls of them; the schema is empty.
    """

    task: TaskName
    model: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    schema_name: str
    tools: tuple[Tool, ...] = ()

    @property
    def hash(self) -> str:
        """sha256 over the messages and the schema: the name of this prompt in call logs and recordings.

        The model is left out on purpose, so that a recording stands for the prompt whoever completed it.
        """
        content: dict[str, Any] = {
            "messages": [[message.role, message.content, *message.images] for message in self.messages],
            "schema": self.schema,
        }
        if self.tools:
            content["tools"] = [[tool.name, tool.description, tool.schema] for tool in self.tools]
            content["calls"] = [[call.name, call.arguments] for one in self.messages for call in one.calls]
        return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Completion:
    """What came back. `cached_tokens` are prompt tokens the server had kept; `cached` says no model was called.

    `milliseconds` is the time the server took, without the wait for a free place among the requests in flight.
    """

    text: str
    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cached: bool = False
    milliseconds: float = 0.0
    calls: tuple[ToolCall, ...] = ()


class Completer(Protocol):
    """Completes prompts.

    Raises `ModelUnavailable`, `RateLimited`, `ModelRefused`, `BadReply` (a reply that was cut short) or
    `MissingRecording`. Cancelling the call closes the request that is in flight.
    """

    async def complete(self, ask: Ask, on_text: OnText | None = None) -> Completion: ...

    async def aclose(self) -> None: ...
