"""What is asked of whoever reads texts: one typed request and reply per task, and the protocol that takes them.

The SUQL engine needs no more of a language than this `Reader`, so a test can hand it ten lines of rules. Each method
takes a batch and returns one reply per request, in order. How a batch becomes prompts is the backend's business and
never changes a reply.

Texts in requests come from users and corpora: they are data, delimited in prompts and never obeyed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict

from agent.text.values import AnswerType


class Task(BaseModel):
    """Base of all requests and replies: immutable, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Passage(Task):
    """A stretch of corpus text. `document` tells which of the texts of the list it came from (0-based).

    `start` is where it begins in that text, of `whole` characters (0: not known). `image` is a picture's address (http,
    https or data) instead of a text, for readers that see.
    """

    text: str
    document: int = 0
    start: int = 0
    whole: int = 0
    dated: str = ""  # ISO date where known
    label: str = ""  # who wrote it, where known
    image: str = ""


class AnswerRequest(Task):
    """One question on one text or list of texts, given as the passages nearest the question, best first.

    `example` shows the form an answer is wanted in ("CA" rather than California), where the query says so. `prose` says
    that the text stands alone, as the body of an article does, and is none of a list of opinions.
    """

    question: str
    passages: tuple[Passage, ...]
    type: AnswerType = AnswerType.TEXT
    options: tuple[str, ...] = ()
    example: str = ""
    prose: bool = False


class Span(Task):
    """A deciding stretch: characters `start:stop` of passage number `passage`."""

    passage: int
    start: int
    stop: int
    supports: bool = True  # False where it speaks against the value, and was outvoted


class AnswerReply(Task):
    """`value` is None where the passages do not say ("no info").

    `problem` is set where this one text could not be read (while others of the batch could): its value is then not
    "no info" but unknown, is not to be kept, and makes a result incomplete. One that is not `lasting` rests on more
    than the request, and may be another the next time: it counts for this query and is not to be kept either.
    """

    value: str | None
    spans: tuple[Span, ...] = ()
    confidence: float = 1.0
    problem: str = ""
    lasting: bool = True


class MatchRequest(Task):
    """Which of `values` (the vocabulary of an ENUM column) mean what `wanted` asks for?

    `known` are values of the same vocabulary that are the very word: `values` then only holds those that have it in
    them. `many` says that a row may have several values.
    """

    wanted: str
    values: tuple[str, ...]
    column: str = ""
    description: str = ""
    known: tuple[str, ...] = ()
    many: bool = True


class MatchReply(Task):
    """The values that match by meaning, a subset of those given. Empty where none does."""

    values: tuple[str, ...]


class SummaryRequest(Task):
    """What is the gist of these passages? (`summary(t)`)"""

    passages: tuple[Passage, ...]


class Reader(Protocol):
    """The reading tasks the SUQL engine needs. `name` and `version` are part of the memo's key.

    A reader that can also be shown pictures says so with an attribute `sees = True`.
    """

    name: str
    version: str

    async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]: ...

    async def match_values(self, requests: Sequence[MatchRequest]) -> list[MatchReply]: ...

    async def summarise(self, requests: Sequence[SummaryRequest]) -> list[AnswerReply]: ...


class CallRecord(BaseModel):
    """One call to a model, as it is logged. `prompt_hash` is sha256 over the messages and the schema."""

    task: str
    model: str
    prompt_hash: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0  # US dollars
    milliseconds: float = 0.0
    cached: bool = False
    error: str = ""
    items: int = 1


class CallLog(Protocol):
    """Where calls are written to."""

    def __call__(self, record: CallRecord) -> None: ...


class Embedder(Protocol):
    """Turns texts into unit vectors of `dimensions` float32 numbers: shape (len(texts), dimensions)."""

    name: str
    dimensions: int

    async def embed(self, texts: Sequence[str]) -> Any: ...
