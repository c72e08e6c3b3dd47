"""How many values to ask for at a time.

Where every value has to be asked, waves only grow, so that the statements between them do not cost more than they
show. Where LIMIT may stop early, a wave is as wide as the rows still missing are expected to need, cut by a margin:
less than needed costs a round, more costs values. How much that counts depends on how long the reader takes.
"""

from __future__ import annotations

import math
from collections.abc import Callable

MARGIN = 0.8  # of the values expected to be needed; found by simulation, for about 1.2 times the fewest values
FILLED = 0.3  # of a prompt; one that would be this full is filled up, since it is paid for anyway
LARGEST = 8_192  # values of one wave
BYTES = 8 * 2**20  # of the texts of one wave
FIRST = 1_024  # values of the first wave, before it is known how long texts are
UNHURRIED = 0.25  # of the patience: a reader as fast as this is asked only for what is sure to be needed


class Waves:
    """The widths of one SELECT's waves. `batch` texts fit a prompt, `concurrency` prompts are answered at once."""

    def __init__(self, batch: int, concurrency: int, patience: float, clock: Callable[[], float]) -> None:
        self.batch = batch
        self.round = batch * concurrency
        self._patience = patience
        self._clock = clock
        self._most = FIRST
        self._width = self.round
        self._asking = 0.0  # seconds the last wave took
        self._looking = 0.0  # seconds between the waves

    def looked(self, seconds: float) -> None:
        """The statement before a wave took so long."""
        self._looking = seconds

    def asked(self, seconds: float, values: int, characters: int) -> None:
        """A wave took so long, and its texts were so long."""
        self._asking = seconds
        if values:
            self._most = max(self.round, min(LARGEST, BYTES * values // max(characters, 1)))

    def width(self) -> int:
        """Values for a wave that is needed whatever comes: one round, more where looking takes long beside asking."""
        if self._looking * 4 > self._asking:
            self._width *= 2
        self._width = min(self._width, self._most)
        return self._width

    def most(self) -> int:
        """The most values of one wave."""
        return self._most

    def whole_prompts(self, values: int) -> int:
        """So many values, down to whole prompts."""
        return values - values % self.batch if values > self.batch else values

    def ahead(self, missing: int, chance: float) -> int:
        """How many rows to ask about beyond the `missing` ones that are sure to be needed."""
        haste = min(1.0, self._asking / self._patience)
        if haste < UNHURRIED:
            return 0
        expected = max(missing, math.floor(MARGIN * haste * missing / max(chance, 0.001)))
        if expected >= FILLED * self.batch:
            expected = -(-expected // self.batch) * self.batch
        return max(0, min(expected, self.round, self._most) - missing)
