"""How many values to ask for at a time.

Where every value has to be asked, waves only grow, so that the statements between them do not cost more than they
show. Where LIMIT may stop early, the rows after those that are sure to be needed are asked in the same wave as long as
enough of its prompts are expected to be needed: how likely a row is to be needed follows from how often the condition
held so far. A prompt that is paid for anyway is filled with the rows that come next.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

NEEDED = 0.8  # of the prompts of a wave, expected: no more than 1 / 0.8 = 1.25 times the fewest are sent
WORTHWHILE = 0.2  # how likely a text is to be needed, to go into a prompt that is sent anyway
TRUSTED = 50  # tries; a rate seen more often than that may still be another one among the next rows
LARGEST = 8_192  # values of one wave
BYTES = 8 * 2**20  # of the texts of one wave
FIRST = 1_024  # values of the first wave, before it is known how long texts are
UNHURRIED = 0.25  # of the patience: a reader as fast as this is asked only for what is sure to be needed


@dataclass(frozen=True, slots=True)
class Belief:
    """How likely a row is to match: the mean of a beta distribution, and after how many tries that is believed."""

    chance: float
    tried: int = 0

    def needed(self, missing: int) -> Iterator[float]:
        """For one row after another, how likely it is to be needed: fewer than `missing` rows before it match.

        The number of rows up to the last match wanted is distributed as a beta negative binomial (Johnson, Kemp and
        Kotz 2005, chapter 6).
        """
        weight = min(self.tried, TRUSTED) + 2
        chance = min(max(self.chance, 1e-6), 1 - 1e-6)
        hits, misses = chance * weight, (1 - chance) * weight
        yield from (1.0 for _ in range(missing))
        here = sum(math.log((hits + match) / (weight + match)) for match in range(missing))
        left, failures = 1.0, 0
        while True:
            left -= math.exp(here)
            yield max(left, 0.0)
            here += math.log((missing + failures) / (failures + 1))
            here += math.log((misses + failures) / (weight + missing + failures))
            failures += 1


class Waves:
    """The widths of one SELECT's waves. `batch` texts make one call, `together` texts are read at once."""

    def __init__(self, batch: int, together: int, patience: float, clock: Callable[[], float]) -> None:
        self.batch = batch
        self.together = together
        self._patience = patience
        self._clock = clock
        self._most = FIRST
        self._width = self.together
        self._asking = 0.0  # seconds the last wave took
        self._looking = 0.0  # seconds between the waves

    def looked(self, seconds: float) -> None:
        """The statement before a wave took so long."""
        self._looking = seconds

    def asked(self, seconds: float, values: int, characters: int) -> None:
        """A wave took so long, and its texts were so long."""
        self._asking = seconds
        if values:
            self._most = max(self.together, min(LARGEST, BYTES * values // max(characters, 1)))

    def width(self) -> int:
        """Values for a wave that is needed whatever comes: one round, more where looking takes long beside asking."""
        if self._looking * 4 > self._asking:
            self._width *= 2
        self._width = min(self._width, self._most)
        return self._width

    def most(self) -> int:
        """Return the most values of one wave."""
        return self._most

    def whole_prompts(self, values: int) -> int:
        """So many values, down to whole prompts."""
        return values - values % self.batch if values > self.batch else values

    def filled(self, values: int) -> int:
        """So many values, up to whole prompts."""
        return values if self._patience == math.inf else values + -values % self.batch

    def ahead(self, missing: int, belief: Belief, groups: int = 1) -> int:
        """How many rows to ask about beyond the `missing` ones that are sure to be needed, in each of the groups."""
        batch, together = max(1, self.batch // groups), min(self.together, self._most) // groups
        if self._patience == math.inf or not 0 < missing < together:
            return 0
        needed = list(islice(belief.needed(missing), together))
        prompts = self._prompts(needed[::batch], -(-missing // batch))
        rows = min(prompts * batch, together)
        first_of_last = (prompts - 1) * batch + 1
        while rows > max(missing, first_of_last) and needed[rows - 1] < WORTHWHILE:
            rows -= 1
        return rows - missing

    def _prompts(self, needed: list[float], sure: int) -> int:
        """How many prompts to send at once: as many as are expected to be needed in the end, by and large.

        Each wave keeps to that share, so all of them together do. The faster the reader, the larger the share.
        """
        haste = min(1.0, self._asking / self._patience)
        share = 1.0 - (1.0 - NEEDED) * haste
        if haste < UNHURRIED:
            return sure
        prompts, expected = sure, sum(needed[:sure])
        for further, likely in enumerate(needed[sure:], sure + 1):
            expected += likely
            if expected < share * further:
                break
            prompts = further
        return prompts
