"""What a message wishes for that no column holds: asked of the prose of a table, as the tagger marks it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.catalogue.tables import Column, Kind, Table
from agent.parsing.semantics.wording import Wording
from agent.text.wordlists import words as listed
from agent.understanding.joins import identifier
from agent.understanding.roles import Mark
from agent.understanding.schema import Schema, folded
from agent.understanding.values import quoted

COVERED = 0.5  # the share of a mark that values of columns may cover before it is one of them
MOST_TEXTS = 2  # prose columns that one wish is asked of
#: Words that order or bound rows, and say nothing of prose.
_OF_ORDER = frozenset(
    listed(
        """
        most least best worst highest lowest top bottom more less fewer greater over under above below than at the a an
        of in by for with and or all any each every average total number many much first last newest oldest largest
        smallest longest shortest biggest sorted ordered order one two three four five six seven eight nine ten
        different distinct same other than have has had is are was were do does did
        """
    )
)
_LETTER = re.compile(r"[a-z]")
_PARTS = re.compile(r"[,;.!?]|\b(?:and|or|but|that|which|who|where|with|also|plus)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"(?:n't|\b(?:not|never|no|without|dont|doesnt|isnt|arent|didnt|cant))\s+(?:\w+\s+)?$", re.IGNORECASE
)
LEAST = 4  # letters of a wish
NARROW = 8  # letters between two marks that are one


@dataclass(frozen=True, slots=True)
class Wish:
    """A question for the prose: its words, the answer that is wanted, whether it may be given up first."""

    question: str
    expected: str = "Yes"
    soft: bool = False


def texts_of(table: Table) -> list[Column]:
    """Return the columns of a table that are read, what many people wrote before what one did."""
    prose = [column for column in table.columns if column.kind is Kind.FREE_TEXT and not column.hidden]
    return sorted(prose, key=lambda column: not column.many)


def wishes(
    marks: Sequence[Mark], message: str, table: Table, schema: Schema, claimed: Sequence[tuple[int, int]]
) -> list[Wish]:
    """Return what is wished for beside the stretches of a message that columns have claimed."""
    named, wording, found = _names(schema), Wording(table.noun[0]), []
    for mark in _whole(marks, message):
        if _covered(mark, claimed) > COVERED:
            continue
        words = folded(message[mark.start : mark.stop]).split()
        if all(word in named or word in _OF_ORDER or not _LETTER.search(word) for word in words):
            continue
        if len(" ".join(words)) < LEAST:
            continue
        if mark.kind == "topic":
            found.append(Wish(f"is this {table.noun[0]} about {' '.join(words)}?"))
            continue
        unwanted = mark.kind == "unwanted" or bool(_DENIED.search(message[: mark.start]))
        asked = wording.question(_marker(message, mark), words, unwanted=unwanted)
        if asked.text:
            denied = asked.negated != unwanted
            found.append(Wish(asked.text, "No" if denied else "Yes", soft=mark.kind == "preferred"))
    return list(dict.fromkeys(found))


def _whole(marks: Sequence[Mark], message: str) -> list[Mark]:
    """Marks of one kind with only a word or two between them are one: "gets out" of "its stable"."""
    found: list[Mark] = []
    for mark in marks:
        between = message[found[-1].stop : mark.start] if found else ""
        if found and found[-1].kind == mark.kind and len(between) <= NARROW and not _PARTS.search(between):
            found[-1] = found[-1]._replace(stop=mark.stop)
        else:
            found.append(mark)
    return found


def condition(table: Table, wish: Wish) -> str:
    """Return the condition that a text of the table answers as wished."""
    texts = texts_of(table)[:MOST_TEXTS]
    asked = [f"answer({column_of(table, text)}, {quoted(wish.question)}) = '{wish.expected}'" for text in texts]
    return f"({' OR '.join(asked)})" if len(asked) > 1 else asked[0]


def column_of(table: Table, column: Column) -> str:
    """Return a column with its table, as SQL."""
    return f"{identifier(table.name)}.{identifier(column.name)}"


def _marker(message: str, mark: Mark) -> str:
    """The word that leads to a mark ("with", "where")."""
    before = re.findall(r"[a-z]+", message[max(0, mark.start - 20) : mark.start].lower())
    return before[-1] if before else ""


def _covered(mark: Mark, claimed: Iterable[tuple[int, int]]) -> float:
    inside = sum(max(0, min(stop, mark.stop) - max(start, mark.start)) for start, stop in claimed)
    return inside / max(1, mark.stop - mark.start)


def _names(schema: Schema) -> frozenset[str]:
    """The words that tables and columns are called by."""
    called = [word for words in schema.words for word in words.split()]
    for one in schema.fields:
        called += [*one.words.split(), *folded(one.column.unit).split()]
        called += [word for synonym in one.column.synonyms for word in folded(synonym).split()]
    for table in schema.tables:
        called += [word for noun in (*table.noun, *table.synonyms) for word in folded(noun).split()]
    return frozenset(called) | {word + "s" for word in called}
