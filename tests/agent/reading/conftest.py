"""A reader over the real encoder, and short ways to ask it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.backends.builtin.reading.reader import BuiltinReader
from agent.networks.encoder import Encoder
from agent.protocols.reading import AnswerReply, AnswerRequest, Passage
from agent.text.values import AnswerType

Ask = Callable[..., AnswerReply]


@pytest.fixture(scope="session")
def reader() -> BuiltinReader:
    return BuiltinReader(Encoder.load())


@pytest.fixture
def ask(reader: BuiltinReader) -> Ask:
    """Ask a question of texts: strings, or (text, ISO date) pairs; each is a document of its own."""

    def put(
        question: str,
        *texts: str | tuple[str, str],
        type_: AnswerType = AnswerType.TEXT,
        options: tuple[str, ...] = (),
    ) -> AnswerReply:
        pairs = [text if isinstance(text, tuple) else (text, "") for text in texts]
        passages = tuple(Passage(text=text, document=at, dated=dated) for at, (text, dated) in enumerate(pairs))
        request = AnswerRequest(question=question, passages=passages, type=type_, options=options)
        return reader.answer_now([request])[0]

    return put
