"""The openai backend: any server that speaks OpenAI's chat completions (OpenAI, Azure, vLLM, Ollama, llama.cpp, ...).

Servers differ in what they accept beside the messages. What one turns out not to accept is remembered in its
`Dialect` and not sent again: structured output steps down from a JSON schema to a JSON object to plain words (the
replies are checked all the same), and an unwelcome temperature or usage report is left out.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import openai
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout

from agent.backends.examples import Examples
from agent.backends.prompted import Ask, Completion, Message, ModelSettings, OnText, Price
from agent.backends.prompted.language import PromptedLanguage
from agent.backends.prompted.prompts import OWN_PROMPTS, Prompts
from agent.catalogue.tables import Catalogue
from agent.protocols.errors import BadReply, LanguageError, ModelRefused, ModelUnavailable, RateLimited
from agent.protocols.reading import CallLog
from agent.protocols.tools import Tool, ToolCall

__all__ = ["Dialect", "ModelSettings", "OpenAICompleter", "OpenAILanguage", "Price"]

FORMATS = ("json_schema", "json_object", "text")
"""How a structured reply is asked for, the strictest first."""

NO_REPLY = "The language model's server sent an invalid reply. Is its address correct?"


class OpenAILanguage(PromptedLanguage):
    """A `Language` spoken by a model behind an OpenAI-compatible endpoint."""

    def __init__(
        self,
        settings: ModelSettings,
        catalogue: Catalogue | None = None,
        *,
        samples: Mapping[tuple[str, str], Sequence[str]] | None = None,
        log: CallLog | None = None,
        examples: Examples | None = None,
        prompts: Prompts = OWN_PROMPTS,
    ) -> None:
        completer = OpenAICompleter(settings)
        super().__init__(completer, settings, catalogue, samples=samples, log=log, examples=examples, prompts=prompts)


@dataclass(slots=True)
class Dialect:
    """What a server accepts, as far as its refusals have told."""

    format: str = FORMATS[0]
    temperature: bool = True
    usage: bool = True  # stream_options.include_usage

    def learn(self, error: openai.APIStatusError, sent: Mapping[str, Any]) -> bool:
        """Return whether the error names something that was sent and can be left out; if so, it is from now on."""
        text = f"{getattr(error, 'param', None) or ''} {error.message} {error.body}".casefold()
        if "stream_options" in sent and ("stream_options" in text or "include_usage" in text):
            self.usage = False
            return True
        if "temperature" in sent and "temperature" in text:
            self.temperature = False
            return True
        refused = sent.get("response_format")
        if refused and any(word in text for word in ("response_format", "json_schema", "json_object", "schema")):
            self._step_down(refused["type"])
            return True
        return False

    def _step_down(self, refused: str) -> None:
        """Requests in flight together are refused together; only the first steps down from the same place."""
        if self.format == refused:
            self.format = FORMATS[FORMATS.index(refused) + 1]


class OpenAICompleter:
    """Completes prompts with the `openai` package's asynchronous client.

    Retries with back-off, `retry-after` and time-outs are the client's own. A client and its connections belong to one
    event loop; a completer may be used from several, one after the other or in several threads.
    """

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._dialect = Dialect()
        self._loops: WeakKeyDictionary[asyncio.AbstractEventLoop, tuple[AsyncOpenAI, asyncio.Semaphore]]
        self._loops = WeakKeyDictionary()

    async def complete(self, ask: Ask, on_text: OnText | None = None) -> Completion:
        """One completion; see `Completer` for what it raises."""
        client, places = self._here()
        async with places:
            started = time.perf_counter()
            try:
                reply = await self._accepted(client, ask, on_text)
            except openai.OpenAIError as error:
                raise _ours(error, self._settings) from error
            except json.JSONDecodeError as error:  # the client reads a reply's body and lets this through
                raise ModelUnavailable(NO_REPLY, str(error)) from error
        return reply.completion(ask, (time.perf_counter() - started) * 1000)

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        here = self._loops.pop(asyncio.get_running_loop(), None)
        if here is not None:
            await here[0].close()

    def _here(self) -> tuple[AsyncOpenAI, asyncio.Semaphore]:
        """The client and the free places of the running event loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._loops:
            self._loops[loop] = (client_for(self._settings), asyncio.Semaphore(self._settings.concurrency))
        return self._loops[loop]

    async def _accepted(self, client: AsyncOpenAI, ask: Ask, on_text: OnText | None) -> _Reply:
        """The reply, in words the server accepts; each refusal it explains makes the next attempt plainer."""
        while True:
            request = self._request(ask, streamed=on_text is not None)
            try:
                if on_text is not None:
                    return await _streamed(client, request, on_text)
                return await _whole(client, request)
            except openai.APIStatusError as error:
                if isinstance(error, openai.RateLimitError) or not self._dialect.learn(error, request):
                    raise

    def _request(self, ask: Ask, *, streamed: bool) -> dict[str, Any]:
        """The parameters of the request, as far as the server takes them."""
        dialect = self._dialect
        messages = [_message(message) for message in ask.messages]
        request: dict[str, Any] = {"model": ask.model, "messages": messages}
        if self._settings.temperature is not None and dialect.temperature:
            request["temperature"] = self._settings.temperature
        if ask.tools:
            return request | {"tools": [_function(tool) for tool in ask.tools]}
        if dialect.format == "json_schema":
            schema = {"name": ask.schema_name, "schema": dict(ask.schema), "strict": True}
            request["response_format"] = {"type": "json_schema", "json_schema": schema}
        else:
            messages[0]["content"] += _schema_in_words(ask.schema)
            if dialect.format == "json_object":
                request["response_format"] = {"type": "json_object"}
        if streamed:
            request["stream"] = True
            if dialect.usage:
                request["stream_options"] = {"include_usage": True}
        return request


def client_for(settings: ModelSettings) -> AsyncOpenAI:
    """Return a client of the `openai` package; one for a server on this machine never goes through a proxy."""
    timeout = Timeout(settings.timeout, connect=settings.connect_timeout)
    local = urlsplit(settings.base_url).hostname in ("localhost", "127.0.0.1", "::1")
    return AsyncOpenAI(
        base_url=settings.base_url,
        api_key=settings.api_key or "none",
        max_retries=settings.retries,
        timeout=timeout,
        http_client=DefaultAsyncHttpxClient(timeout=timeout, trust_env=not local),
    )


@dataclass(slots=True)
class _Reply:
    """What a server sent, plain or streamed."""

    text: str = ""
    refusal: str = ""
    finish: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int = 0
    calls: tuple[ToolCall, ...] = ()

    def count(self, usage: openai.types.CompletionUsage | None) -> None:
        """Take over the server's count of tokens, where it gives one."""
        if usage is None:
            return
        self.prompt_tokens, self.completion_tokens = usage.prompt_tokens, usage.completion_tokens
        if usage.prompt_tokens_details is not None:
            self.cached_tokens = usage.prompt_tokens_details.cached_tokens or 0

    def completion(self, ask: Ask, milliseconds: float) -> Completion:
        """Return the completion, if this is a whole one. Raises `ModelRefused` or `BadReply`."""
        if self.refusal or self.finish == "content_filter":
            raise ModelRefused("The language model declined to answer this.", self.refusal or "content filter")
        if self.finish == "length":
            raise BadReply(
                "The language model's reply was cut short: it was too long.", f"it ended {self.text[-80:]!r}"
            )
        asked = sum(len(message.content) for message in ask.messages)
        return Completion(
            text=self.text,
            model=ask.model,
            prompt_tokens=_estimated(asked) if self.prompt_tokens is None else self.prompt_tokens,
            completion_tokens=_estimated(len(self.text)) if self.completion_tokens is None else self.completion_tokens,
            cached_tokens=self.cached_tokens,
            milliseconds=milliseconds,
            calls=self.calls,
        )


async def _whole(client: AsyncOpenAI, request: Mapping[str, Any]) -> _Reply:
    """The reply in one piece."""
    answer: openai.types.chat.ChatCompletion = await client.chat.completions.create(**request)
    if not isinstance(answer, openai.types.chat.ChatCompletion) or not answer.choices:
        raise ModelUnavailable(NO_REPLY, f"it sent {str(answer)[:200]!r}")
    choice = answer.choices[0]
    reply = _Reply(choice.message.content or "", choice.message.refusal or "", choice.finish_reason)
    reply.calls = tuple(
        ToolCall(call.id, call.function.name, call.function.arguments)
        for call in choice.message.tool_calls or ()
        if call.type == "function"
    )
    reply.count(answer.usage)
    return reply


async def _streamed(client: AsyncOpenAI, request: Mapping[str, Any], on_text: OnText) -> _Reply:
    """The reply as it is written. A stream that breaks off is asked for once more."""
    try:
        return await _stream(client, request, on_text)
    except _CutOff:
        return await _stream(client, request, on_text)


async def _stream(client: AsyncOpenAI, request: Mapping[str, Any], on_text: OnText) -> _Reply:
    reply = _Reply()
    async with await client.chat.completions.create(**request) as stream:
        try:
            async for chunk in stream:
                reply.count(chunk.usage)
                if not chunk.choices:
                    continue
                choice = chunk.choices[0]
                reply.finish = choice.finish_reason or reply.finish
                reply.refusal += choice.delta.refusal or ""
                if choice.delta.content:
                    reply.text += choice.delta.content
                    on_text(reply.text)
        except openai.APIConnectionError as error:
            raise _CutOff(str(error)) from error
    if reply.finish is None:
        raise _CutOff("the stream ended before the reply did")
    return reply


class _CutOff(openai.OpenAIError):
    """A stream that broke off in the middle of a reply."""


def _message(message: Message) -> dict[str, Any]:
    """A message as the server takes it, with the calls it makes or answers."""
    sent: dict[str, Any] = {"role": message.role, "content": _content(message)}
    if message.calls:
        sent["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.calls
        ]
    return sent | {"tool_call_id": message.answers} if message.answers else sent


def _function(tool: Tool) -> dict[str, Any]:
    described = {"name": tool.name, "description": tool.description, "parameters": dict(tool.schema)}
    return {"type": "function", "function": described}


def _content(message: Message) -> Any:
    """The words of a message, or the words and pictures as parts."""
    if not message.images:
        return message.content
    pictures = [{"type": "image_url", "image_url": {"url": image}} for image in message.images]
    return [{"type": "text", "text": message.content}, *pictures]


def _schema_in_words(schema: Mapping[str, Any]) -> str:
    """For servers that hold no model to a schema: the schema as part of the prompt."""
    return f"\n\nReply with one JSON object and nothing else. It has to fit this JSON schema:\n{json.dumps(schema)}"


def _estimated(characters: int) -> int:
    """Tokens of a text, where the server does not count them: about four characters each in English."""
    return -(-characters // 4)


def _ours(error: openai.OpenAIError, settings: ModelSettings) -> LanguageError:
    """The same failure as one of the engine's errors, with what to do about it."""
    server, detail = settings.base_url, f"{type(error).__name__}: {error}"
    match error:
        case openai.APITimeoutError():
            return ModelUnavailable(
                f"The language model did not answer within {settings.timeout:g} seconds. Please try again.", detail
            )
        case openai.APIConnectionError():
            return ModelUnavailable(
                f"The language model's server at {server} cannot be reached. Is it running?", detail
            )
        case _CutOff():
            return ModelUnavailable("The language model's reply broke off. Please try again.", detail)
        case openai.APIStatusError():
            return _refused_request(error, server, detail)
    return ModelUnavailable(NO_REPLY, detail)


def _refused_request(error: openai.APIStatusError, server: str, detail: str) -> LanguageError:
    """What a status code means. Too long a prompt is a `BadReply`, so that a batch is tried again in halves."""
    words = f"{error.code} {error.message}".casefold()
    match error:
        case openai.RateLimitError() if "insufficient_quota" in words:
            return RateLimited("The account at the language model's server has no credit left.", detail)
        case openai.RateLimitError():
            return RateLimited(
                "The language model is busy. Please try again in a moment.",
                detail,
                _retry_after(error.response.headers),
            )
        case openai.AuthenticationError() | openai.PermissionDeniedError():
            return ModelUnavailable(f"The language model's server at {server} did not accept the API key.", detail)
        case openai.NotFoundError():
            return ModelUnavailable(f"The server at {server} does not know this model, or has no such address.", detail)
    if "content_filter" in words or "content management policy" in words:
        return ModelRefused("The language model's server declined to pass this on to the model.", detail)
    if "context_length" in words or "context length" in words or "context size" in words:
        return BadReply("This is more text than the language model can read at once.", detail)
    if error.status_code >= 500:
        return ModelUnavailable("The language model's server has a problem. Please try again.", detail)
    return ModelUnavailable("The language model's server did not accept the request.", detail)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds, where the server gives a number of them."""
    try:
        return float(headers["retry-after"])
    except (KeyError, ValueError):
        return None
