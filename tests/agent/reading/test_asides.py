"""Of several texts, the farther one is from the question, the surer its reading has to be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from agent.backends.builtin.reading.judge import judge, texts_for
from agent.backends.builtin.reading.questions import read_question
from agent.backends.builtin.reading.readings import Array, Pair, Readings
from agent.backends.builtin.reading.vectors import Vectors
from agent.networks.cross_encoder import Stretch
from agent.networks.encoder import Encoder
from agent.protocols.reading import Passage

QUESTION = "are the problem sets fair?"
FAR = "My roommate plays the cello."
NEAR = "The problem sets asked for what was taught."


class Sure:
    """A network that says yes to everything, as sure as it is told to be."""

    def __init__(self, probability: float) -> None:
        self.probability = probability

    def verdicts(self, pairs: Sequence[Pair]) -> Array:
        return np.array([[self.probability, 0.0, 1 - self.probability]] * len(pairs), np.float32)

    def stretches(self, pairs: Sequence[Pair]) -> list[Stretch]:
        raise AssertionError("nothing is cut here")


@pytest.mark.parametrize(
    ("probability", "texts", "supporting"),
    [
        (0.8, (FAR, NEAR), [NEAR]),
        (0.999, (FAR, NEAR), [FAR, NEAR]),
        (0.8, (FAR,), [FAR]),  # a text alone was meant to be asked
    ],
)
def test_what_lies_aside_counts_only_where_it_is_sure(
    probability: float, texts: tuple[str, ...], supporting: list[str]
) -> None:
    question = read_question(QUESTION)
    passages = [Passage(text=text, document=number) for number, text in enumerate(texts)]
    vectors = Vectors(Encoder.load())
    vectors.learn(texts_for(question, passages))
    reply = judge(question, passages, vectors, Readings(lambda: Sure(probability)))
    assert reply.value == "Yes"
    assert sorted(passages[span.passage].text for span in reply.spans) == sorted(supporting)
