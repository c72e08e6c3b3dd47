"""Which pairs `same(a.x, b.y)` is asked of, where a budget does not reach to ask it of all: those near in meaning.

Comparing n texts with m others takes n · ⌈m / 100⌉ calls. Where that is beyond the budget, each text of the side with
fewer is compared with as many of the other side as the budget allows, those that its embedding is nearest to, as
blocking does in entity resolution (Papadakis et al. 2020; by embeddings, Thirumuruganathan et al. 2021). A pair is
passed over only where that many others are nearer; it then counts as not the same, and the result says that it is not
complete. Within the budget, and where it has no limit, every pair is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from agent.suql.asking import CHOICES
from agent.suql.calls import asked
from agent.suql.logic import Both, Formula, Leaf, leaves
from agent.suql.tree import conjuncts

if TYPE_CHECKING:
    from agent.protocols.reading import Embedder
    from agent.suql.database import Database
    from agent.suql.names import Names
    from agent.suql.scopes import Block
    from agent.suql.similarity import Similarity
    from agent.suql.statements import Statement

SHARE = 0.8  # of the calls; the rest is for texts whose pairs do not go out in one wave, and for other questions
EMBEDDED = 3_000  # texts of both sides; embedding more takes longer than a query may

Pairs = tuple[list[str], list[str]]  # the texts of each side, pair by pair


@dataclass(frozen=True, slots=True)
class Blocked:
    """What was decided for one same(): each text of `one` is compared with the `nearest` of `other`, of `pairs`."""

    one: str
    other: str
    nearest: int
    pairs: int

    @property
    def note(self) -> str:
        """What was not looked at, as a sentence."""
        return (
            f"Of {self.pairs:,} pairs, each {self.one} was compared only with the {self.nearest} of {self.other} "
            "nearest in meaning; the others count as not the same."
        )


class Blocking:
    """Finds the joins of a query that are beyond its budget, and has them look at pairs that are near."""

    def __init__(
        self,
        names: Names,
        database: Database,
        embedder: Embedder | None,
        similarity: Similarity,
        new_statement: Callable[[], Statement],
    ) -> None:
        self._names = names
        self._database = database
        self._embedder = embedder
        self._similarity = similarity
        self._new = new_statement

    async def apply(self, block: Block, calls: int | None) -> list[Blocked]:
        """Narrows the conditions of a SELECT; `calls` is what the budget allows, None for no limit."""
        found: list[Blocked] = []
        if block.where is not None:
            block.where = await self._narrow(block, block.where, calls, found, inner=True)
        for place, condition in block.joins.items():
            block.joins[place] = await self._narrow(block, condition, calls, found, inner=False)
        return found

    async def _narrow(
        self, block: Block, condition: Formula, calls: int | None, found: list[Blocked], *, inner: bool
    ) -> Formula:
        for leaf in _comparisons(condition):
            call = _call(leaf)
            one, other = [await self._texts(block, argument, inner=inner) for argument in call.expressions]
            call.meta["side"] = int(len(other) < len(one))  # see `Candidates.undecided`
            if calls is None or self._embedder is None or len(one) + len(other) > EMBEDDED:
                continue
            nearest = how_many(len(one), len(other), calls)
            if not nearest:
                continue
            pairs = _near(np.asarray(await self._embedder.embed([*one, *other])), one, other, nearest)
            near = self._condition(leaf, nearest, pairs)
            condition = Both((Leaf(len(list(leaves(condition))), near, free=False), condition))
            names = [argument.name for argument in call.expressions]
            names = names[::-1] if len(other) < len(one) else names
            found.append(Blocked(names[0], names[1], nearest, len(one) * len(other)))
        return condition

    def _condition(self, leaf: Leaf, nearest: int, pairs: Pairs) -> exp.Expr:
        """`near(a.x, b.y, 100)`, which stands before the comparison in the tree from now on."""
        columns = [argument.copy() for argument in _call(leaf).expressions]
        near = exp.Anonymous(this="near", expressions=[*columns, exp.Literal.number(nearest)])
        near.meta["own"] = f"near {len(self._similarity.own)}"
        self._similarity.own[near.meta["own"]] = _writer(pairs)
        both = exp.Paren(this=exp.And(this=near, expression=exp.Null()))
        leaf.node.replace(both)
        both.this.set("expression", leaf.node)
        return near

    async def _texts(self, block: Block, argument: exp.Expr, *, inner: bool) -> list[str]:
        """The different texts of one side; none where they are not those of a table's column.

        Conditions on the table alone narrow them, but not beside an outer join, whose rows without a partner are there
        whatever holds of it.
        """
        source = self._names.sources.get(argument.table) if isinstance(argument, exp.Column) else None
        if source is None or source.table is None or block.scope.outer:
            return []
        table = next((item for item in _tables(block.select) if item.alias == source.alias), None)
        if table is None:
            return []
        plain = inner and not any(join.side for join in block.select.args.get("joins") or ())
        statement = self._new()
        conditions = [statement.text(part) for part in _on_alone(block.select, source.alias)] if plain else []
        text = f"{statement.text(argument)}::text"
        where = "".join(f" AND ({condition})" for condition in conditions)
        sql = f"SELECT DISTINCT {text} FROM {statement.text(table)} WHERE {text} <> ''{where} LIMIT {EMBEDDED + 1}"
        return sorted(str(row[0]) for row in await self._database.rows(sql, statement.parameters))


def _near(vectors: NDArray[np.float32], one: Sequence[str], other: Sequence[str], nearest: int) -> Pairs:
    """Each text of the side with fewer and those nearest to it, and the pairs that read alike."""
    scores = vectors[: len(one)] @ vectors[len(one) :].T
    axis = int(len(one) <= len(other))
    best = np.argpartition(-scores, nearest - 1, axis=axis).take(range(nearest), axis=axis)
    chosen = np.zeros(scores.shape, dtype=bool)
    np.put_along_axis(chosen, best, values=True, axis=axis)
    alike = {text.casefold(): place for place, text in enumerate(other)}
    for place, text in enumerate(one):
        if text.casefold() in alike:
            chosen[place, alike[text.casefold()]] = True
    pairs = np.argwhere(chosen)
    return [one[place] for place in pairs[:, 0]], [other[place] for place in pairs[:, 1]]


def how_many(one: int, other: int, calls: int) -> int:
    """With how many each text of the side with fewer is compared so that the calls suffice; 0 for all of them.

    One call compares one text with up to `CHOICES`, so it is as many or some times as many.
    """
    smaller, larger = sorted((one, other))
    if not smaller or smaller * -(-larger // CHOICES) <= calls:
        return 0
    nearest = CHOICES * max(1, int(SHARE * calls) // smaller)
    return nearest if nearest < larger else 0


def _comparisons(condition: Formula) -> Iterator[Leaf]:
    """The calls of same() that must be true for the condition to hold."""
    if isinstance(condition, Leaf):
        if _call(condition).meta.get("ask") and asked(_call(condition)).same:
            yield condition
    elif isinstance(condition, Both):
        for part in condition.parts:
            yield from _comparisons(part)


def _call(leaf: Leaf) -> exp.Expr:
    """The call that a condition is; anything else as it is."""
    return leaf.node.this if isinstance(leaf.node, exp.Cast) else leaf.node


def _tables(select: exp.Select) -> list[exp.Table]:
    items = [select.args.get("from_"), *(select.args.get("joins") or ())]
    return [item.this for item in items if item is not None and isinstance(item.this, exp.Table)]


def _on_alone(select: exp.Select, alias: str) -> list[exp.Expr]:
    """The conditions of WHERE that look at one table only, and ask nothing."""
    where = select.args.get("where")
    found = []
    for part in conjuncts(where.this) if where is not None else ():
        nodes = list(part.walk())
        plain = not any(node.meta.get("ask") or node.meta.get("own") or isinstance(node, exp.Query) for node in nodes)
        if plain and {node.table for node in nodes if isinstance(node, exp.Column)} == {alias}:
            found.append(part)
    return found


def _writer(pairs: Pairs) -> Callable[[exp.Expr, Statement], str]:
    def written(near: exp.Expr, statement: Statement) -> str:
        one, other = (statement.text(argument) for argument in near.expressions[:2])
        lists = ", ".join(f"{statement.shared(side)}::text[]" for side in pairs)
        return f"(({one})::text, ({other})::text) IN (SELECT * FROM unnest({lists}))"

    return written
