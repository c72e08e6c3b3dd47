"""What a reader finds in a message."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

_CUE = 60  # characters before a value in which a cue to it may stand


def led_by(cue: re.Pattern[str], low: str, start: int) -> bool:
    """Whether what stands before a value ends with a cue to it; no more of the message is looked through for each."""
    return cue.search(low, max(0, start - _CUE), start) is not None


@dataclass(frozen=True, slots=True)
class Reading:
    """A value and the stretch `start:stop` of the message that says it.

    `sure` is False where the form alone does not tell the type: a bare 7 is a time only where a time was asked.
    `others` are what the words may mean as well, in order of likelihood: "10:00" beside "22:00".
    """

    value: Any
    start: int
    stop: int
    sure: bool = True
    others: tuple[str, ...] = ()

    def overlaps(self, other: Reading) -> bool:
        return self.start < other.stop and other.start < self.stop


def apart(readings: Iterable[Reading]) -> list[Reading]:
    """The readings in order of the message; where two overlap, the surer and then the longer one."""
    kept: list[Reading] = []  # in order of the message, so that only those beside a reading can overlap it
    for reading in sorted(readings, key=lambda item: (not item.sure, item.start - item.stop, item.start)):
        at = bisect(kept, reading.start, key=lambda item: item.start)
        if not any(reading.overlaps(other) for other in kept[max(at - 1, 0) : at + 1]):
            kept.insert(at, reading)
    return kept
