"""What a learned part does is held to a share of cases: one message more or less proves nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Case = TypeVar("Case")


def mostly(cases: Sequence[Case], holds: Callable[[Case], bool], least: float) -> None:
    """Fails, naming the cases, where it holds of a smaller share than `least`."""
    wrong = [case for case in cases if not holds(case)]
    assert len(wrong) <= (1 - least) * len(cases), wrong
