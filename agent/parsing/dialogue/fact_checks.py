"""Questions of fact about one named thing: what is so, and whether that is what was asked.

"Is Fig open on Monday?" is answered by a column: by yes or no, and by its hours, which a query for what is open on
Monday would not tell. What is in doubt is read as a search would read it ("a restaurant open on Monday"), so that
whatever can be searched for can be asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from agent.catalogue.tables import Catalogue, Kind, Table
from agent.parsing.dialogue import cues
from agent.parsing.dialogue.pointing import THE_MORE
from agent.parsing.frame import Asked, Condition, Frame, Node, Projection, leaves

Read = Callable[[str, tuple[str, ...]], Frame]  # words, tables

_INVERTED = re.compile(r"^(?P<lead>(?:\w+ )??)(?P<verb>is|are) (?P<what>this \w+|it|that|the \w+ one) ", re.IGNORECASE)
# "Does it close at 9?" asks for the end of a stretch that is only known to hold a minute or not to.
_WHEN_IT_TURNS = re.compile(
    r"\b(?:closes?|closing|shuts?)\b.*\d|\b(?:do|does|did|will) .*\bopen(?: up)? (?:at|before|by|around|from) .*\d",
    re.IGNORECASE,
)
_THAN_AT_ANOTHER = re.compile(  # a comparison of its own rows: "better rated in spring than in autumn"
    r"\b(?:better|worse|more|less|fewer|\w{3,}er)\b.*\bthan (?:in|on|at|with|by|during|last|before)\b", re.IGNORECASE
)
_HAS_ANY = re.compile(r"\b(?:has|have|having|are there|is there|any)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Doubt:
    """What is asked of one thing. `facts` tells what is so of it; `test` has rows exactly where what is asked holds,
    or where it does not (`denied`), and is None where no yes or no was asked for. `otherwise` is what to ask where the
    test fails and that is no answer yet. `beside` are the words of what a question takes for granted ("who teaches it
    in *winter*")."""

    facts: Frame
    test: Frame | None = None
    denied: bool = False
    otherwise: Frame | None = None
    beside: tuple[str, ...] = ()


def doubt(frame: Frame, words: str, read: Read, catalogue: Catalogue) -> Doubt | None:
    """What a question about one named thing has in doubt; None where it asks something else, or of a text."""
    table = catalogue.table(frame.table)
    if table is None or frame.presentation != "detail" or frame.aggregate is not None or frame.each:
        return None
    words = THE_MORE.sub("it", words) if frame.among else words
    naming = tuple(node for node in frame.where if names(node, table))
    if not naming and len(frame.among) != 1:
        return None
    rest = tuple(node for node in frame.where if node not in naming)
    told = tuple(item for item in frame.projections if not item.question)
    if cues.asks_yes_no(words) and not _WHEN_IT_TURNS.search(words) and not _THAN_AT_ANOTHER.search(words):
        asked = _as_search(words, naming, table, read)
        if not asked and len(told) == len(frame.projections) == 1:
            asked = _presence(told[0], words, table)
        # Of "is the one in Palo Alto open late?" the place says which is meant; of "is it in Palo Alto?" it is asked.
        places = [node for node in asked if _is_place(node, table)]
        if len(places) < len(asked):
            naming = (*naming, *(node for node in rest if _is_place(node, table)))
            asked = tuple(node for node in asked if node not in places)
        understood = bool(asked) and not any(isinstance(leaf, Asked) for node in asked for leaf in leaves(node))
        several = bool(told) and len(told) < len(frame.projections)  # "is it open tomorrow and does it have parking?"
        if understood and not several:
            tested = _tested(frame, naming, told, asked)
            texts = frame.projections and not told and all(_is_kind(node, table) for node in asked)
            return replace(tested, otherwise=frame) if texts else tested
    if rest and not any(isinstance(leaf, Asked) for node in rest for leaf in leaves(node)):
        asked_texts = tuple(item for item in frame.projections if item.question)
        taken = tuple(node.words for node in rest if node.words)
        return Doubt(_facts(frame, naming, told, rest), beside=taken) if told or not asked_texts else None
    return None


def names(node: Node, table: Table) -> bool:
    """Whether a condition says which thing is meant."""
    if not isinstance(node, Condition) or node.negated or node.op != "=" or node.table != table.name:
        return False
    return node.column in (table.title, table.entity)


def _is_kind(node: Node, table: Table) -> bool:
    """Whether a condition asks for one of the kinds that a thing is of: "does it have anything vegan" may be true of
    a place that is not called vegan."""
    said = [leaf for leaf in leaves(node) if isinstance(leaf, Condition) and not leaf.negated]
    columns = [table.column(leaf.column) for leaf in said]
    return bool(said) and all(column is not None and column.kind is Kind.ENUM and column.many for column in columns)


def _is_place(node: Node, table: Table) -> bool:
    columns = [table.column(leaf.column) for leaf in leaves(node) if isinstance(leaf, Condition)]
    return any(column is not None and column.kind is Kind.LOCATION for column in columns)


def _as_search(words: str, naming: tuple[Node, ...], table: Table, read: Read) -> tuple[Node, ...]:
    """The conditions of the question as a search for such things would have them."""
    text = words
    for node in naming:
        if node.words:
            text = re.sub(re.escape(node.words), f"this {table.noun[0]}", text, count=1, flags=re.IGNORECASE)
    text = _INVERTED.sub(r"\g<what> \g<verb> ", text)
    return tuple(node for node in read(text, (table.name,)).where if not names(node, table))


def _presence(told: Projection, words: str, table: Table) -> tuple[Node, ...]:
    """ "Does it have prerequisites?": whether a list has anything in it."""
    column = table.column(told.column) if told.table == table.name else None
    if column is None or not column.many or not _HAS_ANY.search(words):
        return ()
    return (Condition(table=table.name, column=column.name, op="empty", negated=True, words=words),)


def _tested(frame: Frame, naming: tuple[Node, ...], told: tuple[Projection, ...], asked: tuple[Node, ...]) -> Doubt:
    facts = _facts(frame, naming, told, asked)
    denied = len(asked) == 1 and asked[0].negated
    # Of several rows ("the quarters") one may differ while another does not: only what is affirmed can be looked for.
    tests = (asked[0].model_copy(update={"negated": False}),) if denied else asked
    return Doubt(facts, facts.model_copy(update={"where": (*naming, *tests)}), denied)


def _facts(frame: Frame, naming: tuple[Node, ...], told: tuple[Projection, ...], asked: tuple[Node, ...]) -> Frame:
    held = [[leaf for leaf in leaves(node) if isinstance(leaf, Condition)] for node in asked]
    spoken = [leaf for part in held for leaf in part if not leaf.negated or all(one.negated for one in part)]
    shown = [Projection(table=leaf.table, column=leaf.column) for leaf in spoken]
    columns = {item.column for item in shown}
    projections = tuple(dict.fromkeys([*shown, *(item for item in told if item.column not in columns)]))
    return frame.model_copy(
        update={
            "where": naming,
            "projections": projections,
            "order": (),
            "limit": None,
            "leftover": (),
        }
    )
