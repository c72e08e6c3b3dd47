"""What was listed or counted, asked about again: "list them", "which is the newest?", "is the one in X open?"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from agent.parsing.dialogue import cues, pointing
from agent.parsing.dialogue.condition_kinds import Meaning, put
from agent.parsing.dialogue.history import Past
from agent.parsing.dialogue.references import listed
from agent.parsing.frame import Asked, Frame, leaves

_THE_ONE_AT = re.compile(r"\bthe (?:one|place|branch|location)(?= (?:in|near|at|on|by|around)\b)", re.IGNORECASE)
MANY = 8  # more rows than these are not told one by one


def at_place(message: str, new: Frame, read: Callable[..., Frame], past: Past, meaning: Meaning) -> Frame | None:
    """ "Does the one in Sunnyvale do lunch?": of the rows that were listed those at a place, and what is asked of them.
    None for any other message."""
    shown, places = past.shown, tuple(node for node in new.where if meaning.is_place(node))
    if shown is None or not places or _THE_ONE_AT.search(message) is None or new.table != shown.table:
        return None
    keys = listed(shown, past.queries).keys
    asked = read(_THE_ONE_AT.sub("it", message, count=1).replace(places[0].words, " "), keys).projections
    presentation: Literal["detail", "list"] = "detail" if asked else "list"
    return Frame(
        tables=new.tables, where=places, among=keys, projections=asked, presentation=presentation, words=message
    )


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
