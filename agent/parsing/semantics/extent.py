"""How many rows a message wants: the number it says, one of what is best, or a few."""

from __future__ import annotations

import re

from agent.parsing.frame import Aggregate
from agent.parsing.semantics.board import Board

LIMIT = 3  # rows shown when the user does not say how many
_SINGULAR = re.compile(
    r"(?:^|\s)(restaurant|place|spot|joint|one|answer|cafe|bar|eatery|shop|option|somewhere|course|class)(?=\s|$)"
)
_PLURAL = re.compile(
    r"(?:^|\s)(restaurants|places|spots|joints|ones|cafes|bars|eateries|shops|options|"
    r"courses|classes|[a-z]{3,}s)(?=\s|$)"
)


def wanted(board: Board, *, ordered: bool) -> tuple[int | None, bool, int]:
    """How many rows, whether the user said so, and how many to skip."""
    offset = 0
    numbers = []
    if any(m.aggregate is not None and m.aggregate.best_first for m in board.mentions):
        numbers.append(1)
    for mention in board.mentions:
        if mention.kind == "limit":
            if mention.label.startswith("offset"):
                offset = int(mention.label.split()[1])
            numbers.append(mention.number)
    if numbers:
        return (None, True, offset) if 0 in numbers else (min(numbers), True, offset)
    ordered_by = (m for m in board.mentions if m.order is not None and m.label != "good")
    first = min(ordered_by, key=lambda m: m.start, default=None)
    if first is not None:
        after = re.split(r" (?:[.,;!?]|and )", board.norm[first.stop :])[0]
        after = " ".join(after.split()[:5])
        one, many = _SINGULAR.search(after), _PLURAL.search(after)
        if re.search(r"\b(?:highly|well|better)\b", board.norm[first.start : first.stop]):
            return LIMIT, False, 0
        several = re.match(r"(?:what|which) (?:of the |are the )?(?:[a-z]+ ){0,2}?([a-z]{3,}[^s]s)\b", board.norm)
        definite = re.search(r"\bthe\b", board.norm[first.start : first.stop]) or (
            re.match(r"(?:what|which|who|where) ", board.norm) and not several
        )
        definite = definite or re.search(r"\bwhich(?: one)?(?: (?:is|has))? $", board.norm[: first.start])
        if (one or definite) and not (many and (not one or many.start() < one.start())):
            return 1, False, 0
    return LIMIT, False, 0


def rows_of(limit: int | None, aggregate: Aggregate | None, *, said: bool) -> int | None:
    """The limit that an aggregate leaves: none on one number, and on groups only the one the user set."""
    if aggregate is None:
        return limit
    return limit if aggregate.group and said else None
