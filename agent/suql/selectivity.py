"""How often a condition holds, learned as it is asked: within a query, and from the queries before it."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent.suql.logic import Leaf
from agent.suql.tree import write

REMEMBERED = 2_000  # conditions


@dataclass(slots=True)
class Rates:
    """Of the rows a condition was known for, how many it held for; by its text. An engine's queries share them."""

    seen: dict[str, tuple[int, int]] = field(default_factory=dict)


class Selectivity:
    """The rates of one query's conditions, starting from those of earlier queries."""

    def __init__(self, rates: Rates) -> None:
        self._rates = rates

    def chance(self, leaf: Leaf) -> float:
        """How likely the condition is to hold for the next row (one half, where nothing is known)."""
        true, known = self._rates.seen.get(write(leaf.node), (0, 0))
        return (true + 1) / (known + 2)

    def observe(self, leaf: Leaf, *, known: int, true: int) -> None:
        """Takes the counts over all rows of this query."""
        if known:
            self._rates.seen[write(leaf.node)] = (true, known)
        while len(self._rates.seen) > REMEMBERED:
            del self._rates.seen[next(iter(self._rates.seen))]
