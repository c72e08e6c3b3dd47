"""Asking a model for a typed reply: checked against its schema, tried once more with the error shown, logged."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from agent.backends.prompted import json_text
from agent.backends.prompted.completion import Ask, Completer, Completion, Message, OnText
from agent.backends.prompted.prompts import OWN_PROMPTS, Prompts
from agent.backends.prompted.settings import ModelSettings, TaskName
from agent.protocols.errors import AgentError, BadReply
from agent.protocols.metering import report
from agent.protocols.reading import CallLog, CallRecord
from agent.protocols.tools import Tool


class Wire(BaseModel):
    """Base of what a model is asked to write.

    Every field is required and unknown ones are refused, so that pydantic's own JSON schema is one that servers accept
    as strict. The fields stand in the order in which they are best thought: what was found before what follows from it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)


W = TypeVar("W", bound=Wire)
T = TypeVar("T")


class Asker:
    """Asks one completer, in the terms of one `ModelSettings`, and writes every call to the log."""

    def __init__(
        self,
        completer: Completer,
        settings: ModelSettings,
        log: CallLog | None = None,
        prompts: Prompts = OWN_PROMPTS,
    ) -> None:
        self.prompts = prompts
        self._completer = completer
        self._settings = settings
        self._log = log

    async def ask(
        self,
        task: TaskName,
        messages: tuple[Message, ...],
        wire: type[W],
        check: Callable[[W], T],
        *,
        items: int = 1,
        on_text: OnText | None = None,
    ) -> T:
        """Return the checked reply to a prompt.

        `check` turns what was written into what is wanted and raises ValueError, in words for the model, where it
        cannot. A reply that does not fit is shown to the model with the reason, once; then it is a `BadReply`.
        """
        ask = Ask(task, self._settings.model_for(task), messages, wire.model_json_schema(), wire.__name__)
        text = (await self._complete(ask, items, on_text)).text
        try:
            return _read(text, wire, check)
        except ValueError as error:
            again = _with_error(ask, text, str(error))
        text = (await self._complete(again, items, on_text)).text
        try:
            return _read(text, wire, check)
        except ValueError as error:
            raise BadReply(
                "The language model gave a reply that could not be used, twice in a row. Please try again.",
                f"{task} by {ask.model}, prompt {ask.hash[:12]}: {error}; it wrote {text[:400]!r}",
            ) from error

    async def call(self, task: TaskName, messages: tuple[Message, ...], tools: tuple[Tool, ...]) -> Completion:
        """Return what the model says to a prompt with functions: words, or calls."""
        return await self._complete(Ask(task, self._settings.model_for(task), messages, {}, "", tools), 1, None)

    async def _complete(self, ask: Ask, items: int, on_text: OnText | None) -> Completion:
        """One call, logged whether it came back or not."""
        started = time.perf_counter()
        try:
            completion = await self._completer.complete(ask, on_text)
        except AgentError as error:
            self._write(ask, items, started, error=type(error).__name__)
            raise
        except asyncio.CancelledError:
            self._write(ask, items, started, error="Cancelled")
            raise
        self._write(ask, items, started, completion)
        return completion

    def _write(
        self, ask: Ask, items: int, started: float, completion: Completion | None = None, error: str = ""
    ) -> None:
        record = CallRecord(
            task=ask.task,
            model=ask.model,
            prompt_hash=ask.hash,
            milliseconds=(time.perf_counter() - started) * 1000,
            items=items,
            error=error,
        )
        if completion is not None:
            record = record.model_copy(update=self._spent(ask.model, completion))
        report(record)
        if self._log is not None:
            self._log(record)

    def _spent(self, model: str, completion: Completion) -> dict[str, Any]:
        """The part of a log record that tells what a completion took; a recording takes nothing."""
        cost = self._settings.cost(
            model, completion.prompt_tokens, completion.completion_tokens, completion.cached_tokens
        )
        return {
            "prompt_tokens": completion.prompt_tokens,
            "completion_tokens": completion.completion_tokens,
            "cost": 0.0 if completion.cached else cost,
            "cached": completion.cached,
            "milliseconds": completion.milliseconds,
        }


def _read(text: str, wire: type[W], check: Callable[[W], T]) -> T:
    """What was written, checked. Raises ValueError in words for the model."""
    value = json_text.extract(text)
    try:
        reply = wire.model_validate(value)
    except ValidationError as error:
        problems = (f"{'.'.join(map(str, e['loc'])) or 'the object'}: {e['msg']}" for e in error.errors()[:5])
        raise ValueError("; ".join(problems)) from error
    return check(reply)


def _with_error(ask: Ask, text: str, error: str) -> Ask:
    """The same prompt, followed by the reply that did not fit and why."""
    repair = (
        Message("assistant", text),
        Message("user", f"That reply cannot be used: {error}\nWrite the whole JSON object again, mended."),
    )
    return Ask(ask.task, ask.model, ask.messages + repair, ask.schema, ask.schema_name)
