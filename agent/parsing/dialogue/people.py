"""What else the people have to do with that are behind the rows shown: "what else does she teach"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.parsing.dialogue import cues
from agent.parsing.dialogue.condition_kinds import Meaning
from agent.parsing.dialogue.history import Past
from agent.parsing.dialogue.references import Reference
from agent.parsing.frame import Condition, Frame, Projection, leaves

_IS_SO = re.compile(
    r"\W*(?:(?:and|so|but) )?(?:[Ii]s|[Ww]as) (?P<who>[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+)*) (?P<how>[^?!.]+?)\W*$"
)
_GOOD = re.compile(
    r"(?:(?:any|really|actually) )*(?:good|worth it)|"
    r"an? (?:good|great|decent) (?:prof|professor|instructor|teacher|lecturer)"
)
_THEY = re.compile(r"\b(?P<verb>are|do|have|were|can|will|would|did) they\b", re.IGNORECASE)
_SINGULAR = {"are": "is", "do": "does", "have": "has", "were": "was"}
_OTHER_THAN = re.compile(r"\b(?:other than|apart from|aside from|besides|except(?: for)?)\b", re.IGNORECASE)
_OF_TWO = re.compile(r"\b(?:of (?:them|the two)|(?:than|over|to) the other|either)\b", re.IGNORECASE)


def of_one(message: str) -> str:
    """The message with "they" as said of one person whose gender is not known: "are they nice" is "is he nice"."""
    return _THEY.sub(lambda said: f"{_SINGULAR.get(said['verb'].lower(), said['verb'])} he", message, count=1)


def opinion_of(question: str) -> str:
    """What is asked of a person as it is asked of those who know: "is Ada Lund strict?" is "do students find Ada Lund
    strict?", and "is Ada Lund any good?" asks what they say of her."""
    said = _IS_SO.match(question)
    if said is None:
        return question
    if _GOOD.fullmatch(said["how"]):
        return f"what do students say about {said['who']}?"
    return f"do students find {said['who']} {said['how']}?"


def told_apart(
    message: str, asked: Sequence[Projection], tables: tuple[str, ...], meaning: Meaning
) -> list[Projection]:
    """What is asked of one row, with the people that its numbers differ by: "is one of them rated better"."""
    wish = cues.comparative(message)
    home = meaning.home(wish.column, tables) if wish is not None else None
    if home is not None and _OF_TWO.search(message):
        asked = [Projection(table=home[0], column=home[1])]
    numbers = {item.table for item in asked if not item.question}
    people = [(name, column) for name in numbers if (column := meaning.people_column(name)) is not None]
    if _OF_TWO.search(message) is None or not people:
        return list(asked)
    shown = [Projection(table=name, column=column) for name, column in people]
    return [*(item for item in shown if item not in asked), *asked]


def of_people(
    message: str, new: Frame, base: Frame, past: Past, reference: Reference | None, meaning: Meaning
) -> Frame | None:
    """The rows of the person whom a message speaks of; None for one that speaks of nobody. `new` is what it says by
    itself, `base` the search before it."""
    shown = past.shown
    people = meaning.people(base.tables)
    if shown is None or people is None or not cues.asks_of_person(message):
        return None
    table, column = people
    keys = reference.keys if reference else shown.keys
    said = [leaf for node in base.where for leaf in leaves(node) if isinstance(leaf, Condition)]
    named = [leaf for leaf in said if leaf.column == column and leaf.op == "="]
    shared = Condition(table=table, column=column, op="shared", values=tuple(dict.fromkeys(keys)), words=message)
    others = cues.wants_another(message) or re.search(r"\b(?:else|other)\b", message.lower())
    besides = tuple(
        node
        for node in new.where
        if isinstance(node, Condition)
        and node.column != column
        and not meaning.names(Frame(tables=base.tables, where=(node,)))
    )
    return Frame(
        tables=(base.table, table),
        where=(named[0] if named else shared, *besides),
        exclude=(reference.keys if reference and _OTHER_THAN.search(message) else shown.keys) if others else (),
        words=message,
    )
