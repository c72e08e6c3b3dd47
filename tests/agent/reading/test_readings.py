"""A pair is read once, however often its verdict is needed, and reading ends when nobody waits for it any more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from agent.backends.builtin.reading.readings import PART, Pair, Readings, Verdict
from agent.networks.cross_encoder import Stretch
from agent.networks.layers import Array


class CountingReader:
    """Says the same of everything and remembers what it was asked."""

    def __init__(self) -> None:
        self.judged: list[Pair] = []
        self.cut: list[Pair] = []

    def verdicts(self, pairs: Sequence[Pair]) -> Array:
        self.judged += pairs
        return np.tile(np.array([0.5, 0.25, 0.25], np.float32), (len(pairs), 1))

    def stretches(self, pairs: Sequence[Pair]) -> list[Stretch]:
        self.cut += pairs
        return [Stretch(0, 1, 0.5)] * len(pairs)


def test_a_pair_is_read_once() -> None:
    reader = CountingReader()
    readings = Readings(lambda: reader)
    pair = ("is it?", "It is.")

    readings.learn([pair, pair], [pair], lambda: None)

    assert readings.verdicts([pair]) == [Verdict(0.5, 0.25, 0.25)]
    assert readings.stretches([pair]) == [Stretch(0, 1, 0.5)]
    assert (reader.judged, reader.cut) == ([pair], [pair])


def test_nothing_is_loaded_before_something_is_read() -> None:
    def load() -> CountingReader:
        raise AssertionError("Loaded without need.")

    Readings(load).learn([], [], lambda: None)


def test_reading_ends_between_parts() -> None:
    reader = CountingReader()
    left = [True]

    def check() -> None:
        if not left:
            raise KeyboardInterrupt
        left.pop()

    with pytest.raises(KeyboardInterrupt):
        Readings(lambda: reader).learn([(f"is it {number}?", "It is.") for number in range(3 * PART)], [], check)

    assert len(reader.judged) == PART
