"""A smaller sample of many cases, drawn with a seed; FULL_SWEEP=1 has all of them tried.

SEED draws others.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from typing import TypeVar

Case = TypeVar("Case")

FULL = bool(os.environ.get("FULL_SWEEP"))
SEED = int(os.environ.get("SEED", "26"))


def drawn(cases: Sequence[Case], each: int, kind: Callable[[Case], object] = lambda _: "") -> list[Case]:
    """`each` cases of every kind, or all there are, in their order."""
    if FULL:
        return list(cases)
    kinds: dict[object, list[int]] = {}
    for place, case in enumerate(cases):
        kinds.setdefault(kind(case), []).append(place)
    chance = random.Random(SEED)
    chosen = [place for places in kinds.values() for place in chance.sample(places, min(each, len(places)))]
    return [cases[place] for place in sorted(chosen)]
