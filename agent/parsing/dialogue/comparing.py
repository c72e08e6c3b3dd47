"""What is set beside each other: rows that were shown and rows that a message names, both ends of an order, the numbers
of two groups."""

from __future__ import annotations

from collections.abc import Callable

from agent.parsing.dialogue import cues
from agent.parsing.dialogue.meaning import Meaning
from agent.parsing.dialogue.references import Reference
from agent.parsing.frame import Condition, Either, Frame, Order


def with_named(
    message: str,
    new: Frame,
    reference: Reference | None,
    meaning: Meaning,
    told: Callable[[Reference], Frame],
    *,
    sets_beside: bool,
) -> Frame | None:
    """What a comparison asks of the rows it points to and of those it names; None where it does not do both. `told` is
    what it asks of the former alone; `sets_beside`: whether the message compares."""
    table = meaning.catalogue.table(new.table)
    named = tuple(node for node in new.where if meaning.names(Frame(tables=new.tables, where=(node,))))
    if reference is None or not named or not sets_beside:
        return None
    if table is None or not table.entity or reference.table != table.name:
        return None
    shown = Condition(table=table.name, column=table.entity, values=reference.keys)
    either = Either(mode="any", parts=(shown, *named), words=message)
    return told(reference).model_copy(update={"among": (), "where": (either,)})


def ranked(frame: Frame, message: str) -> Frame:
    """A comparison of what it names, in the order that it asks about: of two, the cheaper first."""
    wish = cues.comparative(message)
    if wish is None or frame.presentation != "comparison" or frame.order:
        return frame
    told = [item for item in frame.projections if not item.question]
    of = next((item for item in told if item.column == wish.column or item.column.endswith(f"_{wish.column}")), None)
    if of is None:
        return frame
    order = Order(table=of.table, column=of.column, descending=not wish.less)
    return frame.model_copy(update={"order": (order,)})


def numbers_of_two(first: Frame, second: Frame) -> bool:
    """ "The average rating of thai places and of indian ones": one number, of different rows."""
    same = first.aggregate is not None and first.aggregate == second.aggregate
    return same and bool(first.where and second.where) and first.where != second.where


def opposite(first: Frame, second: Frame) -> bool:
    """ "The best and the worst": both ends of one column, or of the groups of one."""
    groups = [frame.aggregate for frame in (first, second)]
    if all(one is not None and one.best_first for one in groups):
        return groups[0] != groups[1]
    ends = [{(term.table, term.column, term.descending) for term in frame.order} for frame in (first, second)]
    return any((table, column, not down) in ends[1] for table, column, down in ends[0])
