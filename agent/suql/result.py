"""What running a query gives: rows with their evidence, and the events on the way there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits for one query. None is no limit. They cover every model call the query causes.

    `fruitless` is for rows that are looked at nearest to the question first: after so many in a row that do not match,
    the rest, which are further from it, are not read. Without it, a reader's own `fruitless` holds for a query whose
    calls are limited.
    """

    calls: int | None = 200
    seconds: float | None = 30.0
    tokens: int | None = None
    cost: float | None = None  # US dollars
    fruitless: int | None = None
    rows: int = 1_000  # rows returned at most; more is cut and said (`complete` is False)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that decided an answer about a row, or came nearest to the question where none did (`value` None).

    `text` is the whole text the passage was cut from (one review), `start:stop` the deciding characters in it.
    `stance` is "for" where the passage supports the value given, "against" where it was outvoted. `confidence` is how
    sure the reader was of the value, from 0 to 1.
    """

    question: str
    value: str | None
    text: str
    start: int
    stop: int
    stance: str = "for"
    label: str = ""  # who wrote it: "Noor A."
    dated: str = ""  # ISO date, where known
    column: str = ""
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a result. `key` names the entity of the row ("pa-lucerna"), or is None for aggregates.

    `by_score` are the questions whose answer for this row was taken from a score, where a cascade was asked for.
    """

    values: Mapping[str, Any]
    key: str | None = None
    evidence: tuple[Evidence, ...] = ()
    table: str = ""
    title: str = ""
    by_score: tuple[str, ...] = ()


@dataclass(slots=True)
class Usage:
    """What a query cost. `calls` are model calls, `cached` answers that needed none, `values` distinct values asked.

    `by_score` are values taken from a score instead, where a cascade was asked for. `planning` are the seconds before
    the first question; `seconds` are all of them.
    """

    calls: int = 0
    cached: int = 0
    values: int = 0
    tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    planning: float = 0.0
    by_score: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan, in words; `estimated` and `actual` by name (rows, calls, tokens, seconds)."""

    title: str
    detail: str = ""
    sql: str = ""
    estimated: Mapping[str, float] = field(default_factory=dict)
    actual: Mapping[str, float] = field(default_factory=dict)
    children: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a query.

    `complete` is False when a budget ran out, or candidates were pruned or decided by a score; `notes` then say what
    was not looked at.
    """

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    usage: Usage
    plan: Step
    complete: bool = True
    notes: tuple[str, ...] = ()
    table: str = ""  # the table whose entities the rows are, if any

    @property
    def evidence(self) -> tuple[tuple[Evidence, ...], ...]:
        """The evidence of each row, in the order of the rows."""
        return tuple(row.evidence for row in self.rows)


@dataclass(frozen=True, slots=True)
class Planned:
    """Event: the query was checked and planned; nothing has been asked yet."""

    plan: Step
    candidates: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """Event: `done` of `total` candidates have been looked at ("Looking at 12 of 40 restaurants")."""

    done: int
    total: int
    noun: str = "rows"


@dataclass(frozen=True, slots=True)
class RowFound:
    """Event: a row of the result and its place in it are certain. Its projected answers may still be missing."""

    row: Row
    position: int


@dataclass(frozen=True, slots=True)
class Finished:
    """Event: the last one."""

    result: Result


Event = Planned | Progress | RowFound | Finished
