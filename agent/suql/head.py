"""The rows at the head of a result: what is wanted of them still, and which count where DISTINCT makes several one."""

from __future__ import annotations

from collections.abc import Sequence

from agent.suql.asking import Item
from agent.suql.candidates import Candidate


def wanted_of(rows: Sequence[Candidate]) -> list[Item]:
    """Return the values to ask for next, row by row."""
    return [row.wanted for row in rows if row.wanted is not None]


def distinct(rows: list[Candidate]) -> list[Candidate]:
    """One row for each output, in the order they first appear."""
    chosen: dict[str, Candidate] = {}
    for row in rows:
        known = chosen.get(row.output)
        if known is None or (row.certain and not known.certain) or (known.wanted is None and not known.certain):
            chosen[row.output] = row
    return list(chosen.values())


def others(rows: list[Candidate], chosen: list[Candidate]) -> list[Candidate]:
    """Return the rows that can give an output that none is certain to give yet, besides those chosen for theirs."""
    settled = {row.output for row in rows if row.certain}
    first = set(map(id, chosen))
    return [row for row in rows if id(row) not in first and row.output not in settled]


def certain_at_head(rows: list[Candidate]) -> int:
    """Return how many rows at the head are certain."""
    return next((number for number, row in enumerate(rows) if not row.certain), len(rows))
