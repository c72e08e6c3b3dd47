"""A reader whose answer nobody waits for any more stops taking the processor."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import numpy as np
import pytest

from agent.backends.builtin.reading.reader import BuiltinReader
from agent.backends.builtin.reading.stopping import Abandoned, Wanted
from agent.backends.builtin.reading.vectors import PART, Vectors
from agent.networks.layers import Array
from agent.protocols.reading import AnswerRequest, Passage

WAIT = 5.0  # seconds after which something that should happen is taken not to


class GatedEncoder:
    """Encodes a part only when the gate opens; counts the parts."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.gate = threading.Event()
        self.left = threading.Event()
        self.parts = 0

    def encode(self, texts: Sequence[str]) -> Array:
        self.parts += 1
        self.begun.set()
        assert self.gate.wait(WAIT)
        self.left.set()
        return np.ones((len(texts), 384), np.float32)


def many_requests() -> list[AnswerRequest]:
    texts = [f"On day {number} the soup was cold." for number in range(3 * PART)]
    return [AnswerRequest(question="was the soup hot?", passages=(Passage(text=text),)) for text in texts]


async def test_a_cancelled_answer_encodes_no_further_part_and_judges_nothing() -> None:
    encoder = GatedEncoder()
    answer = asyncio.create_task(BuiltinReader(encoder).answer(many_requests()))
    assert await asyncio.to_thread(encoder.begun.wait, WAIT)

    answer.cancel()
    with pytest.raises(asyncio.CancelledError):
        await answer
    encoder.gate.set()

    assert await asyncio.to_thread(encoder.left.wait, WAIT)
    await asyncio.sleep(0.2)
    assert encoder.parts == 1


def test_work_that_is_wanted_is_not_ended() -> None:
    wanted = Wanted()
    wanted.check()
    wanted.withdraw()
    with pytest.raises(Abandoned):
        wanted.check()


def test_sentences_learned_in_parts_are_all_known() -> None:
    encoder = GatedEncoder()
    encoder.gate.set()
    texts = [f"Sentence {number}." for number in range(PART + 1)]
    vectors = Vectors(encoder)
    vectors.learn(texts)
    assert encoder.parts == 2
    vectors.of(texts)
    assert encoder.parts == 2
