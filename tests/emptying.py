"""Empties the tables after a test that committed, in the place of Django's `flush`.

Django truncates every table and makes permissions, content types and roles anew, which takes longer than most tests.
Here the tables that have rows lose them, and those others stay as they are while nobody has changed them.
"""

from __future__ import annotations

import functools
from typing import Any

from django.db import connection, transaction
from django.test import TransactionTestCase
from psycopg import sql

MADE_BY_MIGRATE = ("auth_group", "auth_group_permissions", "auth_permission", "django_content_type")

_flush = TransactionTestCase._fixture_teardown
_after_flush = ""  # what the tables that `migrate` fills looked like then


def empty(case: Any) -> None:
    """What a `TransactionTestCase` does after each test: as Django does it where what `migrate` makes has changed."""
    global _after_flush
    if case.available_apps is not None or case.serialized_rollback or _fingerprint() != _after_flush:
        _flush(case)
        _after_flush = _fingerprint()
        return
    filled = (f"SELECT '{table}' WHERE EXISTS (SELECT FROM {table})" for table in _tables())
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(filled))
        tables = [sql.Identifier(table) for (table,) in cursor.fetchall()]
        cursor.execute("SET LOCAL session_replication_role = replica")  # no trigger may refuse it
        for table in tables:
            cursor.execute(sql.SQL("DELETE FROM {}").format(table))


@functools.cache
def _tables() -> list[str]:
    return sorted({*connection.introspection.django_table_names()}.difference(MADE_BY_MIGRATE))


def _fingerprint() -> str:
    looks = (f"(SELECT string_agg(t::text, ';' ORDER BY t::text) FROM {table} t)" for table in MADE_BY_MIGRATE)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT md5(concat_ws('|', {', '.join(looks)}))")
        return str(cursor.fetchone())
