"""What a reader finds in a message."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


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
    kept: list[Reading] = []
    for reading in sorted(readings, key=lambda item: (not item.sure, item.start - item.stop, item.start)):
        if not any(reading.overlaps(other) for other in kept):
            kept.append(reading)
    return sorted(kept, key=lambda item: item.start)
