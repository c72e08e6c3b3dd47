"""A query without one of its constraints: what removing a chip means."""

from __future__ import annotations

from agent.record import Query


def relieved(query: Query, constraint_id: str) -> Query:
    """The query without the constraint, described anew. Raises `agent.errors.QueryError` where it cannot be left out."""

    raise NotImplementedError
