"""What the conditions of a frame mean in its catalogue: a kind of thing, a place, a name; and what words take away."""

from __future__ import annotations

import re
from typing import Any

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.parsing.dialogue.cues import bound_said
from agent.parsing.frame import Asked, Condition, Either, Frame, Node, Projection, columns, drop, leaves, without
from agent.parsing.generate import SUMMARY
from agent.parsing.semantics.profile import profile

_ASKED_FOR = re.compile(
    r"^(?:what(?:'s| is| are)? |(?:is|are) there (?:any )?)?(?:(?:the|its|their|your) )?|(?: of| for| at)?$"
)
_WHERE = {"city", "town", "area", "neighbourhood", "neighborhood", "district"}  # what people call a location


class Meaning:
    """Tells what conditions are for. Stateless."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    def says_what(self, node: Node) -> bool:
        """A condition that says what kind of thing is wanted: a vocabulary of several values, a name, a topic."""
        for leaf in leaves(node):
            table = self.catalogue.table(leaf.table)
            if isinstance(leaf, Asked):
                if "popular_dishes" in leaf.columns:
                    return True
                continue
            column = table.column(leaf.column) if table else None
            if column is not None and column.kind is Kind.ENUM and column.many and not leaf.negated:
                return True
        return False

    def says_noun(self, words: str, name: str) -> bool:
        """Words say what the rows of a table are called: "restaurants"."""
        table = self.catalogue.table(name)
        return table is not None and not set(table.noun).isdisjoint(re.findall(r"\w+", words.lower()))

    def many(self, condition: Condition) -> bool:
        """The condition is on a column that holds several values."""
        table = self.catalogue.table(condition.table)
        column = table.column(condition.column) if table else None
        return column is not None and column.many

    def is_place(self, node: Node) -> bool:
        for leaf in leaves(node):
            table = self.catalogue.table(leaf.table)
            column = table.column(leaf.column) if table and isinstance(leaf, Condition) else None
            if column is not None and column.kind is Kind.LOCATION:
                return True
        return False

    def names(self, frame: Frame) -> bool:
        """The frame names an entity outright."""
        table = self.catalogue.table(frame.table)
        naming = {table.title, table.entity} if table else set()
        return any(
            isinstance(leaf, Condition) and leaf.column in naming and leaf.op == "=" and not leaf.negated
            for node in frame.where
            for leaf in leaves(node)
        )

    def opinion(self, name: str) -> list[Projection]:
        """What the free text that speaks of a table's rows says of them, in short."""
        table = self.catalogue.table(name)
        part = profile(table).opinions if table is not None else None
        return [Projection(table=part[0], column=part[1], question=SUMMARY)] if part else []

    def home(self, column: str, searched: tuple[str, ...]) -> tuple[str, str] | None:
        """The table and the column of what people compare ("rating", "price") in the first of the tables searched; None
        where it has nothing of the kind."""
        table = self.catalogue.table(searched[0])
        if table is None or table.column(column) is not None:
            return (table.name, column) if table is not None else None
        known = profile(table)
        return {"rating": known.rating, "num_reviews": known.popularity, "price": known.scale}.get(column)

    def telling(self, name: str) -> list[Projection]:
        """The columns that a comparison shows when nobody says which: numbers and vocabularies."""
        table = self.catalogue.table(name)
        kinds = (Kind.NUMBER, Kind.ENUM, Kind.LOCATION)
        areas = (table.geo.latitude, table.geo.longitude, *table.geo.areas) if table and table.geo else ()
        skipped = ("id", *areas, *(table.key if table else ()))
        return [
            Projection(table=name, column=column.name)
            for column in (table.columns if table else ())
            if column.kind in kinds and not column.hidden and column.name not in skipped
        ]

    def bound(self, values: list[Any], home: str, column: str, less: bool, words: str) -> Condition:
        """Below the dearest (above the best) of what was shown, or up to the number that is said: "less, max 8"."""
        table = self.catalogue.table(home)
        known = table.column(column) if table else None
        if known is not None and known.kind is Kind.NUMBER and (said := bound_said(words)) is not None:
            return Condition(table=home, column=column, op="<=" if less else ">=", values=(said,), words=words)
        vocabulary = known.values if known else ()
        ranked = sorted(values, key=vocabulary.index) if vocabulary else sorted(values)
        worst = ranked[-1]
        return Condition(table=home, column=column, op="<" if less else ">", values=(worst,), words=words)

    def dropped(self, frame: Frame, what: str) -> Frame:
        """The frame without what the words name: a column by name or synonym, or a condition by its words."""
        words = what.lower()
        for name in frame.tables:
            table = self.catalogue.table(name)
            for column in table.columns if table else ():
                names = {column.name.replace("_", " "), *(synonym.lower() for synonym in column.synonyms)}
                if column.kind is Kind.LOCATION:
                    names |= _WHERE
                if any(word and word in words for word in names if len(word) > 3):
                    smaller = drop(frame, column.name)
                    if smaller != frame:
                        return smaller
        return without(frame, lambda node: overlaps(node, words))


def orders_part(new: Frame, known: Frame) -> bool:
    """Whether an order is one of parts of a thing ("the cheapest dish") rather than of rows: `known` is what the same
    words ask of something known."""
    return bool(new.order) and not known.order and any(item.question for item in known.projections)


def beside(node: Node, base: Frame) -> Node:
    """The node or what the base asks of the same column: either will do."""
    before = next((old for old in base.where if isinstance(node, Condition) and columns(old) == columns(node)), None)
    if before is None or before == node:
        return node
    parts = (*before.parts, node) if isinstance(before, Either) else (before, node)
    return Either(mode="any", parts=parts, words=node.words)


def overlaps(node: Node, words: str) -> bool:
    """The node's own words, values or question share a content word with `words`."""
    wanted = {word for word in words.lower().split() if len(word) > 3}
    for leaf in leaves(node):
        said = {leaf.words.lower()} | ({leaf.question.lower()} if isinstance(leaf, Asked) else set())
        if isinstance(leaf, Condition):
            said |= {str(value).lower() for value in leaf.values} | {leaf.column}
        if any(word.rstrip("s") in text for word in wanted for text in said):
            return True
    return False


def put(wish: Asked) -> Projection:
    """A condition on a text as a question to it."""
    return Projection(table=wish.table, column=wish.columns[-1], question=wish.question)


def column_called(words: str, table: Table) -> Column | None:
    """The column of a table that the words name, whole, by its name or one of its synonyms."""
    plain = _ASKED_FOR.sub("", words)
    for column in table.columns:
        names = {column.name.replace("_", " "), *(synonym.lower() for synonym in column.synonyms)}
        if not column.hidden and column.kind is not Kind.FREE_TEXT and plain in names:
            return column
    return None


def column_told(words: str, table: Table) -> Column | None:
    """The column all of whose name is said, in any order: "what dishes are popular" asks for the popular dishes."""
    said = set(re.findall(r"[a-z]+", words.lower()))
    for column in table.columns:
        named = set(column.name.split("_"))
        if (
            not column.hidden
            and len(named) > 1
            and named <= said
            and (column.many or column.kind is not Kind.FREE_TEXT)
        ):
            return column
    return None
