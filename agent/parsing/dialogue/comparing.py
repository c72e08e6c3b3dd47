"""Rows that were shown beside rows that a message names: what a comparison of both is about."""

from __future__ import annotations

from collections.abc import Callable

from agent.parsing.dialogue import cues
from agent.parsing.dialogue.meaning import Meaning
from agent.parsing.dialogue.references import Reference
from agent.parsing.frame import Condition, Either, Frame


def with_named(
    message: str, new: Frame, reference: Reference | None, meaning: Meaning, told: Callable[[Reference], Frame]
) -> Frame | None:
    """What a comparison asks of the rows it points to and of those it names; None where it does not do both. `told` is
    what it asks of the former alone."""
    table = meaning.catalogue.table(new.table)
    named = tuple(node for node in new.where if meaning.names(Frame(tables=new.tables, where=(node,))))
    if reference is None or not named or not cues.compares(message):
        return None
    if table is None or not table.entity or reference.table != table.name:
        return None
    shown = Condition(table=table.name, column=table.entity, values=reference.keys)
    either = Either(mode="any", parts=(shown, *named), words=message)
    return told(reference).model_copy(update={"among": (), "where": (either,)})
