"""What is set beside each other: rows that were shown and rows that a message names, both ends of an order, the numbers
of two groups."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.parsing.dialogue import cues
from agent.parsing.dialogue.condition_kinds import Meaning
from agent.parsing.dialogue.history import Past
from agent.parsing.dialogue.references import Reference
from agent.parsing.frame import Condition, Either, Frame, Order, Projection

Told = Callable[[Reference], Frame]


_THAN = re.compile(  # "is it cheaper than Alder?"
    r"\W*(?:(?:and|but|so) )*(?:is|are|was|were|does|do) (?:it|this|that|they) [^?.!]*\bthan (?P<other>[^?.!]+)",
    re.IGNORECASE,
)

_ANYTHING_MORE = re.compile(
    r"\b(?:any|some)(?:thing|where|place| place| restaurant| course| class)?(?: else)?,? (?:that(?:'s| is) )?"
    r"(?:(?:a (?:bit|little)|slightly|much) )?"
    r"(?P<more>cheaper|less expensive|(?:better|higher)[ -]rated|easier|less work)\b"
    r"(?: (?:around|near|by|close to|in) (?:there|here|it|that(?: area| neighbou?rhood)?))?(?P<rest>[^?!]*)",
    re.IGNORECASE,
)


def beside_named(
    message: str,
    read: Callable[..., Frame],
    new: Frame,
    base: Frame,
    reference: Reference | None,
    meaning: Meaning,
    told: Told,
) -> Frame | None:
    """ "Compare the second one with CS 42", "is it cheaper than Alder?": rows that were shown, and one that the message
    names. `told` is what it asks of the former alone."""
    wish = cues.comparative(message)
    than = _THAN.match(message) if wish is not None else None
    if than is None and not cues.sets_beside(message):
        return None
    other = read(than["other"]) if than and not meaning.names(new) else new
    both = _with_named(message, other, reference, meaning, told)
    found = meaning.home(wish.column, base.tables) if both is not None and wish is not None else None
    if both is None or found is None:
        return both
    asked = (Projection(table=found[0], column=found[1]),)  # "is it less work than CS 42?"
    tables = tuple(dict.fromkeys((both.table, found[0])))
    return both.model_copy(update={"tables": tables, "projections": asked, "presentation": "comparison"})


def more_than_named(
    message: str, read: Callable[..., Frame], base: Frame, past: Past, meaning: Meaning
) -> Frame | None:
    """ "Anything cheaper around there?", of one thing that was named: others, compared with it."""
    shown, wish = past.shown, _ANYTHING_MORE.search(message)
    table = meaning.catalogue.table(shown.table) if shown else None
    if shown is None or table is None or wish is None or len(set(shown.keys)) != 1 or not shown.titles[0]:
        return None
    if not meaning.names(base):
        return None
    return read(f"a {table.noun[0]} {wish['more']} than {shown.titles[0]}{wish['rest']}")


def _with_named(message: str, new: Frame, reference: Reference | None, meaning: Meaning, told: Told) -> Frame | None:
    """What a comparison asks of the rows it points to and of those it names; None where it does not do both."""
    table = meaning.catalogue.table(new.table)
    named = tuple(node for node in new.where if meaning.names(Frame(tables=new.tables, where=(node,))))
    if reference is None or not named:
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
