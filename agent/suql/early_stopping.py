"""When rows that are looked at nearest to the question first have been read in vain often enough.

The order is that of likeness, so each further row is less likely to match than those before it. Where a budget says how
many rows may fail (`Budget.fruitless`), no more are read, and the result says how many were. A query asked again, whose
answers are remembered, stops at the same row.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.suql.asking import Asking, Item
from agent.suql.calls import asked
from agent.suql.candidates import Candidates
from agent.suql.passes.settled_first import SETTLED
from agent.suql.scopes import Block
from agent.suql.similarity import is_ranking


class EarlyStopping:
    """Counts the rows of one SELECT with LIMIT that were read and did not match. `cut` is no LIMIT of its own.

    Only where one question is asked of one column: of several, a row may fail by any, and the order is by all of them.
    """

    def __init__(self, block: Block, found: Candidates, asking: Asking, cut: int) -> None:
        self._asks = {(asked(call), call.expressions[0].sql()) for _, call in found.calls}
        applies = block.limit not in (None, cut) and len(self._asks) == 1 and _is_nearest_first(block)
        self._most = asking.fruitless if applies else None
        self._asking = asking
        self._left = 0

    def stops(self, hits: int) -> bool:
        """Whether no more rows are to be read, so many having been found; what is read says so."""
        if self._most is None:
            return False
        [(ask, _)] = self._asks
        read = len(self._asking.known.get(ask, ()))
        self._left = self._most - (read - hits)
        if self._left <= 0:
            self._asking.nearest = read
        return self._left <= 0

    def cut(self, wave: Sequence[Item]) -> list[Item]:
        """Return as much of a wave as may be read."""
        return list(wave if self._most is None else wave[: self._left])


def _is_nearest_first(block: Block) -> bool:
    order = block.select.args.get("order")
    terms = [term for term in order.expressions if not term.meta.get(SETTLED)] if order is not None else []
    return bool(terms) and bool(terms[0].args.get("desc")) and any(map(is_ranking, terms[0].walk()))
