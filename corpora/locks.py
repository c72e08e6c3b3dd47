"""Locks by name, held by a database session: they go with it, however its process ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper


def take(name: str, session: BaseDatabaseWrapper | None = None) -> bool:
    """Return whether the session (the thread's own) could take the lock, which nobody else holds then."""
    return _call("pg_try_advisory_lock", name, session)


def give_back(name: str, session: BaseDatabaseWrapper | None = None) -> None:
    """Give back a lock that the session took."""
    _call("pg_advisory_unlock", name, session)


@contextmanager
def held(name: str, session: BaseDatabaseWrapper | None = None) -> Iterator[bool]:
    """Hold a lock if nobody else does, and say whether it is held."""
    free = take(name, session)
    try:
        yield free
    finally:
        if free:
            give_back(name, session)


def _call(function: str, name: str, session: BaseDatabaseWrapper | None) -> bool:
    with (session or connection).cursor() as cursor:
        cursor.execute(f"SELECT {function}(hashtextextended(%s, 0))", [name])
        return bool(cursor.fetchone()[0])
