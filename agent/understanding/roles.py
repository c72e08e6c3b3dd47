"""What a question does with a catalogue: the roles its columns, tables and words play, as the linker tells them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

KINDS = ("none", "not in", "intersect", "except", "union", "compare", "other")
SHOWN = ("", "sum", "avg", "min", "max", "count distinct")
OPERATORS = ("=", "!=", ">", "<", ">=", "<=", "like")
#: Operators that rules find: a value that the row of that name has too, the only ones of a list, and all at once.
AS, ONLY, ALL = "as", "only", "all"
OPEN, FULL = "open", "full"  # whether a number of places that are taken is below the number there are
WITHIN = "within"  # a list that holds nothing but these
BY_WORDS = frozenset({AS, ONLY, ALL, OPEN, FULL, WITHIN})
OPPOSITE = {"=": "!=", "!=": "=", ">": "<=", "<": ">=", ">=": "<", "<=": ">", "like": "!="}
COMPARED = ("none", "> avg", "< avg", "= max", "= min", "> min", "< max", "> max", "< min")
AGGREGATES = ("", "sum", "avg", "min", "max")
DIRECTIONS = ("", "asc", "desc")
COUNTED = ("", "=", "!=", ">", "<", ">=", "<=")
FILLED = ("", "empty", "any")  # whether a column has to hold nothing or something
#: What a message does with the query before it. Only `new` stands alone; `undo` goes back to an earlier one.
MOVES = (
    *("new", "refine", "replace", "drop", "show", "sort", "group", "aggregate", "row", "compare", "another", "undo"),
)
WISHES = ("wish", "unwanted", "preferred", "question", "topic")  # what a stretch may say of prose
OF_COLUMNS = ("column", "not column")  # what it may say where a column has it, and of prose where none has
LIMIT, COUNT = -2, -1  # what a literal may be said of besides a column: how many rows, how many in a group
ROWS = -1  # in place of a shown column: count(*)
WHOLE = 0.6  # the share of a mark that a value fills that is all of it


class Literal(NamedTuple):
    """A stretch of the question that is a value: characters `start:stop`, of which column (or LIMIT or COUNT), how it
    is compared, and whether in the inner query."""

    text: str
    column: int
    operator: str
    inner: bool
    start: int = 0
    stop: int = 0

    def touches(self, start: int, stop: int) -> bool:
        """Return whether it stands in the message, and shares characters with `start:stop`."""
        return max(self.start, start) < min(self.stop, stop)


class Mark(NamedTuple):
    """A stretch of the question, characters `start:stop`, that is about a prose column, and how (one of WISHES or
    of OF_COLUMNS)."""

    kind: str
    column: int
    start: int
    stop: int

    def has_part(self, start: int, stop: int) -> bool:
        """Return whether `start:stop` is part of it, and not the whole of it."""
        return self.start <= start and stop <= self.stop and stop - start < WHOLE * (self.stop - self.start)


@dataclass
class Roles:
    """Columns are numbers of the schema's. `select` is in the order shown; `tables` are those of the outer query, then
    of the inner one; `limit` is 0 (none), 1 (one row) or 2 (as many as a literal says)."""

    select: list[tuple[int, str]] = field(default_factory=list)  # column or ROWS, aggregate
    where: list[tuple[int, str]] = field(default_factory=list)  # column, operator
    order: list[tuple[int, str, str]] = field(default_factory=list)  # column, aggregate, direction
    group: list[int] = field(default_factory=list)
    having: list[tuple[int, str]] = field(default_factory=list)  # column, aggregate
    compare: list[tuple[int, str]] = field(default_factory=list)  # column, one of COMPARED
    tables: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    literals: list[Literal] = field(default_factory=list)
    kind: str = "none"
    everything: bool = False  # all columns are shown
    guessed: bool = False  # nothing was said to be shown; `select` has the likeliest
    distinct: bool = False
    either: bool = False
    limit: int = 0
    order_count: str = ""  # the direction of an order by the size of groups
    having_count: str = ""
    skip: int = 0  # rows that are left out before those shown: 1 for the second best
    filled: list[tuple[int, str]] = field(default_factory=list)  # column, one of FILLED
    marks: list[Mark] = field(default_factory=list)
    tagged: bool = False  # the marks are the tagger's, which has learned what columns of such a table hold
    story: list[tuple[int, int]] = field(default_factory=list)  # words in which it says that nothing is wanted
    # What is said of the query before this one:
    move: str = "new"
    keep: set[int] = field(default_factory=set)  # columns (or LIMIT or COUNT) whose conditions stay
