"""A query without one of its constraints: what removing a chip means."""

from __future__ import annotations

from agent.describing import described
from agent.record import Query
from agent.suql import without
from corpora.catalogue import catalogue


def relieved(query: Query, constraint_id: str) -> Query:
    """The query without the constraint, described anew. Raises `QueryError` where it has no such one.

    The parser's memory of the query (`frame`) stays: follow-ups trim it to the query that ran.
    """
    tables = catalogue()
    suql = without(query.suql, constraint_id, tables)
    return described(query.question, query.parsed.model_copy(update={"suql": suql}), suql, tables)
