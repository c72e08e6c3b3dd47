"""What is asked of rows that were only counted: "are they expensive?", "compare them"."""

from __future__ import annotations

from collections.abc import Callable

from agent.parsing.dialogue import cues, pointing
from agent.parsing.dialogue.meaning import Meaning, put
from agent.parsing.dialogue.past import Past
from agent.parsing.frame import Asked, Frame, leaves

MANY = 8  # more rows than these are not told one by one


def of_counted(
    message: str, said: str, read: Callable[..., Frame], new: Frame, base: Frame, past: Past, meaning: Meaning
) -> Frame | None:
    """What a message asks of each of the rows that the search before it (`base`) counted; None where it asks nothing of
    them. `said` is the message without what points to them, and `new` what that means by itself."""
    last, counted = past.last, base.aggregate
    if last is None or last.keys or counted is None or counted.function != "count" or counted.group:
        return None
    number = next((value for row in last.rows[:1] for value in row.values()), 0)
    asks = pointing.several(message) and not pointing.of_them(message) and new.aggregate is None
    if not asks or not 0 < number <= MANY:
        return None
    asked = read(said, ("",)).projections
    if cues.compares(message):
        wished = (put(leaf) for node in new.where for leaf in leaves(node) if isinstance(leaf, Asked))
        asked = (*meaning.telling(base.table), *wished)
    table = meaning.catalogue.table(base.table)
    if {item.column for item in asked} <= {table.title if table else ""}:
        return None  # "what are they called" is a list
    tables = tuple(dict.fromkeys((*base.tables, *(item.table for item in asked))))
    update = {"tables": tables, "aggregate": None, "projections": asked, "presentation": "comparison"}
    return base.model_copy(update=update)
