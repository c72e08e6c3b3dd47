"""What a result says of the rows and texts that were not looked at."""

from __future__ import annotations

from typing import Any

from agent.suql.asking import Asking
from agent.suql.passages import ROWS
from agent.suql.result import Budget


def left_out_notes(asking: Asking, budget: Budget) -> list[str]:
    """Return what was not looked at, and why."""
    notes = []
    if asking.exhausted:
        limit: Any = getattr(budget, asking.exhausted)
        spoken = {
            "calls": f"{limit} calls",
            "seconds": f"{limit:g} seconds",
            "tokens": f"{limit} tokens",
            "cost": f"${limit}",
        }
        notes.append(f"The budget of {spoken[asking.exhausted]} ran out; there may be more rows that were not checked.")
    if asking.nearest:
        notes.append(
            f"The {asking.nearest:,} nearest to the question were read; few or none of them match, and those further "
            "from it were not read."
        )
    if asking.unread:
        why = next(iter(asking.unread.values()))
        count = len(asking.unread)
        texts = "text" if count == 1 else "texts"
        notes.append(f"{count} {texts} could not be read, and rows that depend on this are left out: {why}")
    for (ask, _), (read, rows) in asking.partly.items():
        of = f"more than {ROWS:,}" if rows > ROWS else f"{rows:,}"
        notes.append(f"“{ask.question}” was asked of {read:,} of {of} rows.")
    if asking.capped:
        notes.append(
            f"The texts here are not indexed; {asking.capped:,} passages were chosen by their words, not by meaning."
        )
    return notes
