"""What the cross-encoder made of questions and passages, remembered: a pair is read once however often it is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from agent.backends.builtin.reading.vectors import Memory
from agent.networks.cross_encoder import Stretch
from agent.networks.layers import Array

PART = 32  # pairs read at once: a good half second on two idle cores, so that work can end between parts
REMEMBERED = 50_000

Pair = tuple[str, str]  # a question and a passage


class PairReader(Protocol):
    """What the reader needs of a cross-encoder: see `cross_encoder.CrossEncoder`."""

    def verdicts(self, pairs: Sequence[Pair]) -> Array: ...

    def stretches(self, pairs: Sequence[Pair]) -> list[Stretch]: ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """How likely a passage says yes to a question, no, or nothing; they sum to 1."""

    yes: float
    no: float
    nothing: float


class Readings:
    """Safe to share between threads. `load` gives the cross-encoder once something has to be read."""

    def __init__(self, load: Callable[[], PairReader]) -> None:
        self._verdicts: Memory[Pair, Verdict] = Memory(
            lambda pairs: [Verdict(*map(float, row)) for row in load().verdicts(pairs)], REMEMBERED
        )
        self._stretches: Memory[Pair, Stretch] = Memory(lambda pairs: load().stretches(pairs), REMEMBERED)

    def learn(self, judged: Iterable[Pair], cut: Iterable[Pair], check: Callable[[], None]) -> None:
        """Read what is not known yet, for verdicts and for stretches.

        `check` is called before every PART of the pairs and may raise to end it.
        """
        for memory, pairs in ((self._verdicts, judged), (self._stretches, cut)):
            wanted = sorted(dict.fromkeys(pairs), key=lambda pair: len(pair[0]) + len(pair[1]))
            for start in range(0, len(wanted), PART):
                check()
                memory.of(wanted[start : start + PART])

    def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Return what each passage says to its yes/no question."""
        return self._verdicts.of(pairs)

    def stretches(self, pairs: Sequence[Pair]) -> list[Stretch]:
        """Return the stretch of each passage that answers its question best."""
        return self._stretches.of(pairs)
