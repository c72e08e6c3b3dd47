"""Cascades over simulated texts: are the targets met as often as promised, and which share of the texts is read?

The score is a normal variable whose mean differs between matches and others, so its quality is known.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.suql import Cascade
from agent.suql.thresholds import Decision, decide

WANTED = Cascade(recall=0.9, precision=0.9, confidence=0.95)
TEXTS = 2_000
RATE = 0.3  # of the texts match
APART = 2.5  # standard deviations between matches and others


class Simulated:
    """Texts of which a share `rate` match, with scores that tell them apart by `apart` standard deviations."""

    def __init__(self, seed: int, rate: float = RATE, apart: float = APART, texts: int = TEXTS) -> None:
        dice = random.Random(seed)  # noqa: S311
        self.truth = {str(number): dice.random() < rate for number in range(texts)}
        self.scores = {text: dice.gauss(apart if match else 0.0, 1.0) for text, match in self.truth.items()}
        self.order = list(self.truth)
        dice.shuffle(self.order)
        self.asked: list[str] = []

    async def ask(self, texts: Sequence[str]) -> Mapping[str, bool]:
        """Reads some of them."""
        self.asked += texts
        return {text: self.truth[text] for text in texts}

    async def run(self, wanted: Cascade) -> tuple[bool, float, Decision]:
        """Were the targets met, and which share of the texts has to be read in all?"""
        decision = await decide(self.scores, self.order, wanted, self.ask)
        matches = {text for text, match in self.truth.items() if match}
        found = (matches - decision.rejected) | decision.accepted
        recall, precision = len(found & matches) / len(matches), len(found & matches) / len(found)
        decided = len(decision.accepted) + len(decision.rejected)
        return recall >= wanted.recall and precision >= wanted.precision, 1 - decided / len(self.truth), decision


@dataclass(frozen=True, slots=True)
class Cascaded:
    """Over so many samples: how often the targets were met, and the mean share of texts that were read."""

    samples: int
    met: float
    read: float


async def measure_cascade(samples: int) -> Cascaded:
    """The same cascade over texts drawn from as many seeds."""
    runs = [await Simulated(seed).run(WANTED) for seed in range(samples)]
    return Cascaded(samples, sum(met for met, _, _ in runs) / samples, sum(read for _, read, _ in runs) / samples)
