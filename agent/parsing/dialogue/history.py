"""What the talk so far offers to refer to, and the frame behind a query that was changed after it was written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from agent.catalogue.tables import Catalogue
from agent.language import Conversation, PastQuery
from agent.parsing.dialogue import cues
from agent.parsing.frame import Either, Frame, Node, slots
from agent.parsing.generate import to_suql
from agent.suql.syntax import parse
from agent.suql.tree import conjuncts

_OF_ROWS = ("detail", "comparison")  # what is asked about rows already there


@dataclass(frozen=True)
class Past:
    """The queries of the talk so far, newest last."""

    queries: tuple[PastQuery, ...]

    @classmethod
    def of(cls, conversation: Conversation) -> Past:
        told = (query for turn in conversation.past for query in _told(turn.queries))
        return cls(tuple(query for query in told if query.frame or query.table))

    def about(self, table: str) -> Past:
        """Only the queries whose rows are of one table: others cannot be refined or pointed to from here."""
        return Past(tuple(query for query in self.queries if table_of(query) == table))

    @property
    def last(self) -> PastQuery | None:
        return self.queries[-1] if self.queries else None

    @property
    def shown(self) -> PastQuery | None:
        """The newest query that showed entities."""
        return next((query for query in reversed(self.queries) if query.keys), None)

    @property
    def searched(self) -> PastQuery | None:
        """The newest query that searched, rather than asked about rows already there."""
        return next((query for query in reversed(self.queries) if query.presentation not in _OF_ROWS), self.last)

    @property
    def searched_freely(self) -> PastQuery | None:
        """The newest search that was not among rows shown before."""
        free = (
            one
            for one in reversed(self.queries)
            if one.presentation not in _OF_ROWS and not (one.frame or {}).get("among")
        )
        return next(free, None)

    @property
    def found(self) -> PastQuery | None:
        """The newest search that found rows, and was not among rows shown before."""
        free = (one for one in reversed(self.queries) if one.keys and not (one.frame or {}).get("among"))
        return next((one for one in free if one.presentation == "list"), None)

    @property
    def chosen(self) -> str:
        """The value of the only group that the query before this message told of: who has the best ratings."""
        last = self.last
        group = ((last.frame or {}).get("aggregate") or {}).get("group") if last is not None else None
        if last is None or last.keys or not group or len(last.rows) != 1:
            return ""
        return next((value for value in last.rows[0].values() if isinstance(value, str)), "")

    @property
    def emptied(self) -> PastQuery | None:
        """The search before this message, if it found nothing."""
        last = self.last
        return last if last is not None and not last.keys and last.presentation == "list" else None

    def values(self, column: str, keys: tuple[str, ...]) -> list[Any]:
        """What rows were shown with, by their entities: the newest value of each that is known."""
        known: dict[str, Any] = {}
        for query in self.queries:
            for key, row in zip(query.keys, query.rows, strict=False):
                if key in keys and row.get(column) is not None:
                    known[key] = row[column]
        return list(known.values())


def _told(queries: Sequence[PastQuery]) -> Iterator[PastQuery]:
    """The queries of a turn. Where one of them was answered, the talk does not go on from a text that did not answer
    another; and what is told of the rows of a list keeps the order of the list."""
    listed = next((query for query in queries if query.keys), None)
    if listed is None:
        yield from queries
        return
    for query in queries:
        yield _in_order(query.model_copy(update={"nearest": ""}), listed.keys)


def _in_order(query: PastQuery, keys: tuple[str, ...]) -> PastQuery:
    """The query with its rows in the order of `keys`, if all of them are among these."""
    known = len(query.titles) == len(query.rows) == len(query.keys)
    if not known or not set(query.keys) <= set(keys):
        return query
    order = sorted(range(len(query.keys)), key=lambda row: keys.index(query.keys[row]))
    return query.model_copy(
        update={
            "keys": tuple(query.keys[row] for row in order),
            "titles": tuple(query.titles[row] for row in order),
            "rows": tuple(query.rows[row] for row in order),
        }
    )


def table_of(query: PastQuery) -> str:
    """The table whose rows a query was about."""
    return str(query.frame["tables"][0]) if query.frame else query.table


def frame_of(query: PastQuery, catalogue: Catalogue) -> Frame:
    """What a past query asked for when it ran: its frame, without the conditions the query no longer has.

    A query that another backend wrote has no frame; only its table and the rows it showed can be built on then.
    Values may have been put right since, so a condition counts as gone only while the query has fewer than the frame.
    """
    if query.frame is None:
        return Frame(tables=(query.table,), among=query.keys, presentation="list")
    frame = Frame.model_validate(query.frame)
    frame = frame.model_copy(update={"where": tuple(part for node in frame.where for part in _parts(node))})
    asked = _conditions(query.suql)
    surplus = len(_conditions(to_suql(frame, catalogue))) - len(asked)
    for node in frame.where:
        alone = _conditions(to_suql(Frame(tables=frame.tables, where=(node,)), catalogue))
        if 0 < len(alone) <= surplus and not alone & asked:
            frame = frame.model_copy(update={"where": tuple(one for one in frame.where if one is not node)})
            surplus -= len(alone)
    return frame


def before_nothing(searched: Frame, new: Frame, past: Past, catalogue: Catalogue) -> Frame:
    """The search whose rows were narrowed down to none, for a message (`new`) that changes nothing of what was asked
    since; otherwise the one that was `searched` last."""
    emptied, found = past.emptied, past.found
    if emptied is None or found is None:
        return searched
    before = frame_of(found, catalogue)
    compared = cues.comparative(emptied.question) is not None
    narrowed = compared or all(node in searched.where for node in before.where)
    changed = frozenset[str]().union(*map(slots, new.where))
    changes = any(slots(node) & changed for node in searched.where)
    return before if narrowed and not changes and before.table == searched.table else searched


def _parts(node: Node) -> tuple[Node, ...]:
    """What must all hold, one by one: a query may have lost a part of it."""
    together = isinstance(node, Either) and node.mode == "all" and not node.negated
    return node.parts if isinstance(node, Either) and together else (node,)


def _conditions(suql: str) -> set[str]:
    """Every condition of a query, written without the names of tables."""
    where = parse(suql).find(exp.Where)
    found = list(conjuncts(where.this)) if where else []
    for condition in found:
        for column in condition.find_all(exp.Column):
            column.set("table", None)
    return {condition.sql(dialect="postgres", normalize_functions=False) for condition in found}
