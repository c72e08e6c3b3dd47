"""How the reader is asked: several texts in a prompt, several prompts at once, and every failure met in its own way.

A prompt that comes back wrong is asked again in halves, down to one text, and later prompts are smaller. A server that
is busy or was not there is asked once or twice more, after a pause. One that says nothing is given up after a while.
How texts are put together never changes what is read from them: each reply is checked on its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from agent.protocols.errors import (
    AgentError,
    BadReply,
    LanguageError,
    ModelRefused,
    ModelUnavailable,
    NotAllowed,
    RateLimited,
)
from agent.protocols.metering import metered
from agent.protocols.reading import AnswerReply, AnswerRequest, MatchReply, MatchRequest, Reader, SummaryRequest
from agent.suql.calls import SUMMARY
from agent.suql.result import Usage

TEXTS = 8  # requests handed over together to a reader that does not say how many it takes in a prompt
AT_ONCE = 8  # prompts at once, where the reader does not say
SILENCE = 300.0  # seconds after which a prompt is given up
ATTEMPTS = 3
PAUSE = 0.2  # seconds before a second attempt; twice as many before a third
LONGEST_PAUSE = 10.0  # seconds that a server's wish to wait is obeyed
RECOVERY = 20  # prompts that work before they grow again

Request = TypeVar("Request", AnswerRequest, SummaryRequest, MatchRequest)
Ask = Callable[[Sequence[Request]], Awaitable[Sequence[Any]]]


class Sizes:
    """How many texts go into one prompt: what the reader declares, fewer after a failure, slowly more again."""

    def __init__(self, reader: Reader) -> None:
        self.declared = max(1, int(getattr(reader, "batch", 0) or 0))
        self.current = self.declared if self.declared > 1 else TEXTS
        self._largest = self.current
        self._worked = 0

    @property
    def shared(self) -> bool:
        """Do several requests make one call?"""
        return self.declared > 1

    def worked(self) -> None:
        """A prompt came back right."""
        self._worked += 1
        if self._worked >= RECOVERY:
            self.current, self._worked = min(self._largest, self.current * 2), 0

    def failed(self, size: int) -> None:
        """A prompt of that size came back wrong."""
        self.current, self._worked = max(1, min(self.current, size // 2)), 0


class OutOfBudget(LanguageError):
    """The prompt was not sent: the budget has run out."""


class Reading:
    """One query's prompts, counted in its usage. `is_over` says, before each, whether the budget has run out."""

    def __init__(
        self,
        reader: Reader,
        sizes: Sizes,
        usage: Usage,
        silence: float = SILENCE,
        is_over: Callable[[], bool] = lambda: False,
    ) -> None:
        self._reader = reader
        self._usage = usage
        self._silence = silence
        self._is_over = is_over
        self.sizes = sizes
        self.concurrency = max(1, int(getattr(reader, "concurrency", 0) or AT_ONCE))
        self._places = asyncio.Semaphore(self.concurrency)

    def calls(self, texts: int) -> int:
        """Return how many calls so many texts take."""
        return -(-texts // self.sizes.current) if self.sizes.shared else texts

    def texts(self, calls: int) -> int:
        """Return how many texts so many calls can read."""
        return calls * self.sizes.current if self.sizes.shared else calls

    async def answers(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply | LanguageError]:
        """For each request its reply, or the error that kept it from having one."""
        return await self._halved(self._reader.answer, requests)

    async def summaries(self, requests: Sequence[SummaryRequest]) -> list[AnswerReply | LanguageError]:
        """The same for summaries; a reader that has no way of its own to sum up is asked for one like anything else."""
        summarise = getattr(self._reader, "summarise", None)
        if summarise is None:
            return await self.answers([AnswerRequest(question=SUMMARY, passages=one.passages) for one in requests])
        return await self._halved(summarise, requests)

    async def match(self, request: MatchRequest) -> MatchReply:
        """Which values mean what is wanted. Raises a `LanguageError`, or `NotAllowed` for a reader that cannot tell."""
        match_values = getattr(self._reader, "match_values", None)
        if match_values is None:
            raise NotAllowed("same(), and = on an ENUM column, compare by meaning; this reader has no match_values().")
        replies: Sequence[MatchReply] = await self._patient(match_values, [request], MatchReply)
        return replies[0]

    async def _halved(self, ask: Ask[Request], requests: Sequence[Request]) -> list[AnswerReply | LanguageError]:
        try:
            replies = await self._patient(ask, requests, AnswerReply)
        except (BadReply, ModelRefused) as error:
            if len(requests) == 1:
                return [error]
            self.sizes.failed(len(requests))
            middle = len(requests) // 2
            parts = await asyncio.gather(*(self._halved(ask, part) for part in (requests[:middle], requests[middle:])))
            return [reply for part in parts for reply in part]
        except LanguageError as error:
            return [error] * len(requests)
        self.sizes.worked()
        return list(replies)

    async def _patient(self, ask: Ask[Request], requests: Sequence[Request], kind: type[Any]) -> Sequence[Any]:
        """The replies to one prompt; a server that is busy or away is tried again."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                async with self._places:
                    if self._is_over():
                        raise OutOfBudget("The budget has run out.")
                    with self._counted(len(requests)):
                        return _checked(await self._in_time(ask, requests), len(requests), kind)
            except (RateLimited, ModelUnavailable) as error:
                pause = _pause(error, attempt)
                if pause is None:
                    raise
            await asyncio.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    async def _in_time(self, ask: Ask[Request], requests: Sequence[Request]) -> Sequence[Any]:
        try:
            async with asyncio.timeout(self._silence):
                return await ask(requests)
        except TimeoutError as error:
            raise _Silent(f"The language model did not answer within {self._silence:g} seconds.") from error
        except AgentError:
            raise
        except Exception as error:
            raise BadReply("The language model's reply could not be used.", repr(error)) from error

    @contextmanager
    def _counted(self, requests: int) -> Iterator[None]:
        """Counts what a prompt takes: as the reader tells it, else one call, or one for each request."""
        expected = 1 if self.sizes.shared else requests
        self._usage.calls += expected
        with metered() as records:
            try:
                yield
            finally:
                paid = [record for record in records if not record.cached]
                self._usage.calls += len(paid) - expected if records else 0
                self._usage.tokens += sum(record.prompt_tokens + record.completion_tokens for record in paid)
                self._usage.cost += sum(record.cost for record in paid)


class _Silent(ModelUnavailable):
    """A prompt that was given up. It is not tried again: the next one would be as long in coming."""


def _pause(error: LanguageError, attempt: int) -> float | None:
    """Seconds to wait before the next attempt; None if there is to be none."""
    if isinstance(error, _Silent) or attempt == ATTEMPTS or (attempt == 2 and not isinstance(error, RateLimited)):
        return None
    asked = error.retry_after if isinstance(error, RateLimited) else None
    pause = PAUSE * 2 ** (attempt - 1) if asked is None else asked
    return pause if pause <= LONGEST_PAUSE else None


def _checked(replies: Any, count: int, kind: type[Any]) -> Sequence[Any]:
    if not isinstance(replies, Sequence) or not all(isinstance(reply, kind) for reply in replies):
        raise BadReply("The language model's reply could not be used.", repr(replies)[:200])
    if len(replies) != count:
        raise BadReply("The language model left some questions unanswered.", f"{len(replies)} of {count}")
    return replies
