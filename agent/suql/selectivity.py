"""How often a condition holds, learned as it is asked: within a query, and from the queries before it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from agent.suql.calls import asked
from agent.suql.database import Database
from agent.suql.logic import Both, Formula, Leaf, Odds, Opposite, leaves
from agent.suql.scopes import calls_in
from agent.suql.tree import own_nodes, raw, write
from agent.suql.waves import Belief

REMEMBERED = 2_000  # conditions


@dataclass(slots=True)
class Rates:
    """Of the answers a condition was tried on, how many it held for; by its text. An engine's queries share them."""

    seen: dict[str, tuple[int, int]] = field(default_factory=dict)


class Selectivity:
    """The rates of one query's conditions, starting from those of earlier queries."""

    def __init__(self, rates: Rates, database: Database) -> None:
        self._rates = rates
        self._database = database
        self._keys: dict[int, str | None] = {}  # by the leaf's node
        self.costs: dict[int, float] = {}  # values that a leaf costs for a row, by the leaf's node

    @property
    def odds(self) -> Odds:
        """What is expected of a condition by now."""
        return Odds(self.chance, lambda leaf: self.costs.get(id(leaf.node), 1.0), self.doubt)

    def chance(self, leaf: Leaf) -> float:
        """Return how likely the condition is to hold for the next answer (one half, where nothing is known)."""
        true, known = self._rates.seen.get(self._key(leaf) or "", (0, 0))
        return (true + 1) / (known + 2)

    def doubt(self, leaf: Leaf) -> float:
        """Return the standard error of the chance; none where it was never tried (the pilot sees to that)."""
        chance, tried = self.chance(leaf), self.tried(leaf)
        return math.sqrt(chance * (1 - chance) / tried) if tried else 0.0

    def belief(self, condition: Formula, rows: Sequence[float] = ()) -> Belief:
        """How likely the next row is to match: as likely as these rows are, or, without any, by its free leaves."""
        free = [leaf for leaf in leaves(condition) if leaf.free]
        chance = sum(rows) / len(rows) if rows else _overall(condition, self.chance)
        return Belief(0.5 if chance is None else chance, min((self.tried(leaf) or 0 for leaf in free), default=0))

    def tried(self, leaf: Leaf) -> int | None:
        """On how many answers the condition was tried; None if that cannot be told."""
        key = self._key(leaf)
        return None if key is None else self._rates.seen.get(key, (0, 0))[1]

    async def learn(self, leaves: Sequence[Leaf], answers: dict[object, list[str | None]]) -> None:
        """Tries conditions on the answers that have come in, by what was asked. PostgreSQL says which hold."""
        counted = [leaf for leaf in leaves if self._key(leaf) and answers.get(asked(calls_in(leaf.node)[0]))]
        if not counted:
            return
        asks = list(dict.fromkeys(asked(calls_in(leaf.node)[0]) for leaf in counted))
        counts = [
            f"(SELECT count(*) FROM unnest(${asks.index(asked(calls_in(leaf.node)[0])) + 1}::text[]) AS _v(v) "
            f"WHERE {_on_answer(leaf, '_v.v')})"
            for leaf in counted
        ]
        ((*held,),) = await self._database.rows(f"SELECT {', '.join(counts)}", [answers[ask] for ask in asks])
        for leaf, true in zip(counted, held, strict=True):
            key = str(self._key(leaf))
            before = self._rates.seen.pop(key, (0, 0))
            self._rates.seen[key] = (before[0] + true, before[1] + len(answers[asked(calls_in(leaf.node)[0])]))
        while len(self._rates.seen) > REMEMBERED:
            del self._rates.seen[next(iter(self._rates.seen))]

    def _key(self, leaf: Leaf) -> str | None:
        """What a condition is known by: its text, without the names of one query. None for one on several things."""
        if id(leaf.node) not in self._keys:
            calls = calls_in(leaf.node)
            columns = {id(node) for call in calls for node in call.find_all(exp.Column)}
            alone = len(calls) == 1 and not leaf.node.find(exp.Query)
            alone = alone and all(id(node) in columns for node in own_nodes(leaf.node) if isinstance(node, exp.Column))
            argument = calls[0].expressions[0] if calls else None
            column = argument.name if isinstance(argument, exp.Column) else ""
            self._keys[id(leaf.node)] = f"{column} {asked(calls[0])} {_on_answer(leaf, 'v')}" if alone else None
        return self._keys[id(leaf.node)]


def _overall(found: Formula, chance: Callable[[Leaf], float]) -> float | None:
    """How likely a condition is to hold where the leaves that need no answers leave it open; None without others."""
    if isinstance(found, Leaf):
        return chance(found) if found.free else None
    if isinstance(found, Opposite):
        part = _overall(found.part, chance)
        return None if part is None else 1.0 - part
    parts = [each for part in found.parts if (each := _overall(part, chance)) is not None]
    if not parts:
        return None
    return math.prod(parts) if isinstance(found, Both) else 1.0 - math.prod(1.0 - each for each in parts)


def _on_answer(leaf: Leaf, answer: str) -> str:
    """The condition, on an answer instead of on the call."""
    holder = exp.Paren(this=leaf.node.copy())
    for call in calls_in(holder):
        call.replace(raw(answer))
    return write(holder)
