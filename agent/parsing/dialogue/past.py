"""What the talk so far offers to refer to."""

from __future__ import annotations

from dataclasses import dataclass

from agent.language.tasks import Conversation, PastQuery


@dataclass(frozen=True)
class Past:
    """The queries of the talk so far, newest last."""

    queries: tuple[PastQuery, ...]

    @classmethod
    def of(cls, conversation: Conversation) -> Past:
        return cls(tuple(query for turn in conversation.past for query in turn.queries if query.frame or query.table))

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
        return next((query for query in reversed(self.queries) if query.presentation != "detail"), self.last)

    @property
    def searched_freely(self) -> PastQuery | None:
        """The newest search that was not among rows shown before."""
        free = (
            one for one in reversed(self.queries) if one.presentation != "detail" and not (one.frame or {}).get("among")
        )
        return next(free, None)


def table_of(query: PastQuery) -> str:
    """The table whose rows a query was about."""
    return str(query.frame["tables"][0]) if query.frame else query.table
