"""Conditions over what is known so far.

SQL knows three truth values. While answers are still being asked there is a fourth state, unknown, which can become
any of the three. A condition over unknowns is a set of possible truth values; AND, OR and NOT work on sets member by
member, so that a row is *certain* when only TRUE is left, *dead* when TRUE is not, and *open* otherwise. The same
rules are written as SQL by `certain` and `dead`, so PostgreSQL sorts the rows out by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce

from sqlglot import exp

from agent.suql.tree import inner

Truth = bool | None
Possible = frozenset[Truth]
UNKNOWN: Possible = frozenset({True, False, None})


@dataclass(frozen=True, eq=False, slots=True)
class Leaf:
    """A condition that is not put together from others by AND, OR and NOT. `number` counts the leaves of a SELECT."""

    number: int
    node: exp.Expr
    free: bool  # needs an answer


@dataclass(frozen=True, eq=False, slots=True)
class Both:
    """AND."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Either:
    """OR."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Opposite:
    """NOT."""

    part: Formula


Formula = Leaf | Both | Either | Opposite


def formula(node: exp.Expr, free: Callable[[exp.Expr], bool]) -> Formula:
    """Return a condition taken apart. Parts without answers stay whole: PostgreSQL computes them at once."""
    numbers = iter(range(10_000))

    def build(part: exp.Expr) -> Formula:
        plain = inner(part)
        if not free(plain):
            return Leaf(next(numbers), plain, free=False)
        if isinstance(plain, exp.Not):
            return Opposite(build(plain.this))
        if isinstance(plain, exp.And | exp.Or):
            joined = Both if isinstance(plain, exp.And) else Either
            return joined(tuple(build(operand) for operand in (plain.this, plain.expression)))
        return Leaf(next(numbers), plain, free=True)

    return _flat(build(node))


def _flat(found: Formula) -> Formula:
    """`(a AND b) AND c` as one AND of three."""
    if isinstance(found, Opposite):
        return Opposite(_flat(found.part))
    if isinstance(found, Leaf):
        return found
    parts: list[Formula] = []
    for part in map(_flat, found.parts):
        parts.extend(part.parts if isinstance(part, Both | Either) and type(part) is type(found) else [part])
    return type(found)(tuple(parts))


def leaves(found: Formula) -> Iterator[Leaf]:
    """The leaves, in the order they are written."""
    if isinstance(found, Leaf):
        yield found
    elif isinstance(found, Opposite):
        yield from leaves(found.part)
    else:
        for part in found.parts:
            yield from leaves(part)


# -- for one row, here -------------------------------------------------------------------------------------------------


def possible(found: Formula, states: Mapping[int, Possible]) -> Possible:
    """The truth values a condition can still take, from those of its leaves."""
    if isinstance(found, Leaf):
        return states[found.number]
    if isinstance(found, Opposite):
        return frozenset(None if value is None else not value for value in possible(found.part, states))
    join = _and if isinstance(found, Both) else _or
    sets = [possible(part, states) for part in found.parts]
    return reduce(lambda one, two: frozenset(join(a, b) for a in one for b in two), sets)


def _and(one: Truth, two: Truth) -> Truth:
    if one is False or two is False:
        return False
    return None if one is None or two is None else True


def _or(one: Truth, two: Truth) -> Truth:
    if one is True or two is True:
        return True
    return None if one is None or two is None else False


@dataclass(frozen=True, slots=True)
class Odds:
    """What is expected of a leaf: how likely it is to be true, and what asking it costs, in values for a row."""

    chance: Callable[[Leaf], float]
    cost: Callable[[Leaf], float] = lambda leaf: 1.0
    doubt: Callable[[Leaf], float] = lambda leaf: 0.0  # the standard error of the chance


def next_leaf(
    found: Formula, states: Mapping[int, Possible], odds: Odds, skip: frozenset[int] = frozenset()
) -> Leaf | None:
    """Return the leaf to ask about next: the one that settles most for its cost (Hellerstein and Stonebraker 1993).

    Under AND that is the one with the least cost / (1 - chance), under OR the one with the least cost / chance. Where
    a chance is in doubt, the better case counts, so that a leaf is not given up after a few unlucky tries (Auer 2002).
    None if nothing askable could change the outcome.
    """
    if len(possible(found, states)) == 1:
        return None
    if isinstance(found, Leaf):
        return found if found.free and found.number not in skip else None
    if isinstance(found, Opposite):
        return next_leaf(found.part, states, odds, skip)

    def rank(part: Formula) -> float:
        chance = likelihood(part, states, odds.chance)
        telling = (1.0 - chance if isinstance(found, Both) else chance) + _doubt(part, states, odds)
        return _cost(part, states, odds) / max(telling, 1e-9)

    for part in sorted(found.parts, key=rank):
        leaf = next_leaf(part, states, odds, skip)
        if leaf is not None:
            return leaf
    return None


def _doubt(found: Formula, states: Mapping[int, Possible], odds: Odds) -> float:
    if isinstance(found, Opposite):
        return _doubt(found.part, states, odds)
    return odds.doubt(found) if isinstance(found, Leaf) and len(states[found.number]) > 1 else 0.0


def _cost(found: Formula, states: Mapping[int, Possible], odds: Odds) -> float:
    """What settling a condition is expected to cost: its parts in order, each as far as those before leave it open."""
    if isinstance(found, Leaf):
        return odds.cost(found) if len(states[found.number]) > 1 else 0.0
    if isinstance(found, Opposite):
        return _cost(found.part, states, odds)
    total, left = 0.0, 1.0
    for part in found.parts:
        chance = likelihood(part, states, odds.chance)
        total += left * _cost(part, states, odds)
        left *= chance if isinstance(found, Both) else 1.0 - chance
    return total


def likelihood(found: Formula, states: Mapping[int, Possible], chance: Callable[[Leaf], float]) -> float:
    """Return how likely a condition is to be true, its parts taken as independent."""
    if isinstance(found, Leaf):
        state = states[found.number]
        if len(state) == 1:
            return 1.0 if True in state else 0.0
        return chance(found)
    if isinstance(found, Opposite):
        return 1.0 - likelihood(found.part, states, chance)
    chances = [likelihood(part, states, chance) for part in found.parts]
    if isinstance(found, Both):
        return reduce(lambda one, two: one * two, chances)
    return 1.0 - reduce(lambda one, two: one * two, (1.0 - each for each in chances))


# -- for all rows, in PostgreSQL -----------------------------------------------------------------------------------


class AsSql:
    """A condition's state as SQL. `text` writes a leaf, `known` the test that its answers are known ("": always)."""

    def __init__(self, text: Callable[[Leaf], str], known: Callable[[Leaf], str]) -> None:
        self._text = text
        self._known = known

    def certain(self, found: Formula) -> str:
        """Only TRUE is left."""
        return self._is(found, "IS TRUE")

    def dead(self, found: Formula) -> str:
        """TRUE is not among what is left."""
        return self._is(found, "IS NOT TRUE")

    def kept(self, found: Formula, *, open_too: bool) -> str:
        """Certain, or also open, in WHERE: conditions that need no answer stand as they are, for the indexes."""
        if isinstance(found, Both):
            return f"({' AND '.join(self.kept(part, open_too=open_too) for part in found.parts)})"
        if isinstance(found, Leaf) and not self._known(found):
            return f"({self._text(found)})"
        return f"NOT {self.dead(found)}" if open_too else self.certain(found)

    def _is(self, found: Formula, wanted: str) -> str:
        if isinstance(found, Leaf):
            test, known = f"({self._text(found)}) {wanted}", self._known(found)
            return f"({known} AND {test})" if known else f"({test})"
        if isinstance(found, Opposite):
            return self._is(found.part, _MIRROR[wanted])
        together = isinstance(found, Both) == (wanted in ("IS TRUE", "IS NOT FALSE"))
        return "(" + (" AND " if together else " OR ").join(self._is(part, wanted) for part in found.parts) + ")"


_MIRROR = {"IS TRUE": "IS FALSE", "IS FALSE": "IS TRUE", "IS NOT TRUE": "IS NOT FALSE", "IS NOT FALSE": "IS NOT TRUE"}
