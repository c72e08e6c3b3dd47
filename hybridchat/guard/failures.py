"""How work can fail: by itself, or because something it needs was away for a moment.

Passing      a server was restarted, a connection was cut: the same work may succeed when it is tried again
ProcessDied  the agent process ended in the middle: the work did that, or somebody killed it
ProcessBroke an error in the agent process that the code did not foresee
"""

from __future__ import annotations

import django.db
import kombu.exceptions
import psycopg
import redis.exceptions

from agent.protocols.errors import DatabaseAway

AWAY: tuple[type[BaseException], ...] = (
    DatabaseAway,
    django.db.InterfaceError,
    django.db.OperationalError,
    psycopg.InterfaceError,
    psycopg.OperationalError,
    redis.exceptions.ConnectionError,
    redis.exceptions.TimeoutError,
    kombu.exceptions.OperationalError,
)
OWN_FAULT = (psycopg.errors.QueryCanceled,)  # a statement that took too long would take as long again


class Passing(Exception):
    """Something that the work needs is away for a moment."""


class ProcessDied(Exception):
    """The agent process has ended."""


class ProcessBroke(Exception):
    """An error that the code did not foresee; the message is its traceback."""


def is_passing(error: BaseException) -> bool:
    """Whether the error, or one that it came from, says that the database or Redis was away."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, OWN_FAULT):
            return False
        if isinstance(seen, (Passing, *AWAY)) and not isinstance(seen.__cause__, OWN_FAULT):
            return True
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)
    return False
