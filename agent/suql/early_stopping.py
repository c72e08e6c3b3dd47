"""When rows that are looked at nearest to the question first have been read in vain often enough.

The order is that of likeness, so each further row is less likely to match than those before it. Where a budget says how
many rows may fail (`Budget.fruitless`), no more are read, and the result says how many were. A query asked again, whose
answers are remembered, stops at the same row.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.suql.asking import Asking, Item
from agent.suql.calls import Ask, asked
from agent.suql.candidates import Candidate, Candidates
from agent.suql.passes.settled_first import SETTLED
from agent.suql.scopes import Block
from agent.suql.similarity import is_ranking


class EarlyStopping:
    """Counts the rows of one SELECT with LIMIT that were read and did not match. `cut` is no LIMIT of its own.

    Where several questions are asked, a row may fail by any and the order is by all of them, so that as many more rows
    may be read in vain.
    """

    def __init__(self, block: Block, found: Candidates, asking: Asking, cut: int) -> None:
        put = {(asked(call), call.expressions[0].sql()) for _, call in found.calls}
        self._asks = {ask for ask, _ in put}
        self._nearest_first = is_nearest_first(block)
        self._applies = block.limit not in (None, cut) and self._nearest_first and asking.fruitless is not None
        self._most = (asking.fruitless or 0) * len(put)
        self._asking = asking
        self._left = 0

    @property
    def before_first(self) -> bool:
        """Are rows looked at nearest first, and has none been read?"""
        return self._nearest_first and not any(self._asking.known.get(ask) for ask in self._asks)

    def stops(self, hits: int, rows: Sequence[Candidate]) -> bool:
        """Whether no more rows are to be read, so many having been found; what is read says so.

        `rows` are those at the head that may still match.
        """
        if not self._applies:
            return False
        self._left = self._most - max(self._vain(ask, rows) for ask in self._asks) + hits
        if self._left <= 0:
            self._asking.nearest = max(len(self._asking.known.get(ask, ())) for ask in self._asks)
        return self._left <= 0

    def cut(self, wave: Sequence[Item]) -> list[Item]:
        """Return as much of a wave as may be read."""
        return list(wave[: self._left] if self._applies else wave)

    def _vain(self, ask: Ask, rows: Sequence[Candidate]) -> int:
        """How many texts have answered a question, without those whose row waits for another one."""
        waiting = sum(row.wanted is not None and row.wanted[0] != ask for row in rows if not row.certain)
        return len(self._asking.known.get(ask, ())) - waiting


def is_nearest_first(block: Block) -> bool:
    """Return whether the rows of a SELECT are in the order of their likeness to what is asked of them."""
    order = block.select.args.get("order")
    terms = [term for term in order.expressions if not term.meta.get(SETTLED)] if order is not None else []
    return bool(terms) and bool(terms[0].args.get("desc")) and any(map(is_ranking, terms[0].walk()))
