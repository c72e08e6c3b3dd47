"""System checks: the safety of the reading role on this very server, and the catalogue against the views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections
from django.db.migrations.loader import MigrationLoader

from corpora.catalogue import catalogue
from corpora.connection import READER

DANGEROUS = """
SELECT p.oid::regprocedure::text FROM pg_proc p
WHERE p.pronamespace = 'pg_catalog'::regnamespace AND has_function_privilege(%s, p.oid, 'EXECUTE')
AND p.proname IN ('lo_create', 'lo_import', 'query_to_xml', 'set_config', 'pg_sleep', 'pg_notify', 'pg_advisory_lock',
    'pg_read_file', 'pg_ls_dir', 'ts_stat')
ORDER BY 1
"""

READABLE = """
SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname NOT IN ('kb', 'pg_catalog', 'information_schema', 'pg_toast') AND c.relkind IN ('r', 'v', 'm', 'p', 'f')
AND has_table_privilege(%s, c.oid, 'SELECT')
ORDER BY 1
"""

COLUMNS = """
SELECT table_name::text, column_name::text FROM information_schema.columns WHERE table_schema = 'kb'
"""


@register(Tags.database)
def check_corpora(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Run by `migrate` and by `check --database default`."""
    found: list[CheckMessage] = []
    for alias in databases or ():
        with connections[alias].cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [READER])
            if cursor.fetchone() is None:
                continue
            cursor.execute(READABLE, [READER])
            if tables := [name for (name,) in cursor.fetchall()]:
                found.append(_too_much_to_read(tables))
            cursor.execute(DANGEROUS, [READER])
            if functions := [name for (name,) in cursor.fetchall()]:
                found.append(_too_much_to_run(functions))
            if not _has_to_migrate(alias):
                cursor.execute(COLUMNS)
                found += _missing_columns(set(cursor.fetchall()))
    return found


def _has_to_migrate(alias: str) -> bool:
    """Whether migrations that the views may need are still to be applied: `migrate` runs this check before them."""
    loader = MigrationLoader(connections[alias])
    return any(node not in loader.applied_migrations for node in loader.graph.leaf_nodes("corpora"))


def _too_much_to_read(tables: list[str]) -> CheckMessage:
    return Error(
        f"The database role {READER} can read more than the schema kb: {', '.join(tables)}.",
        hint=f"REVOKE SELECT on these from {READER} and from PUBLIC.",
        id="corpora.E001",
    )


def _too_much_to_run(functions: list[str]) -> CheckMessage:
    return Warning(
        f"The database role {READER} can run functions with effects: {', '.join(functions)}.",
        hint="Only a superuser can change that. With one in DATABASE_URL, run `manage.py migrate corpora 0003` and "
        "`manage.py migrate`, once.",
        id="corpora.W001",
    )


def _missing_columns(present: set[tuple[str, str]]) -> list[CheckMessage]:
    if not present:
        return []  # not migrated yet
    listed = [(table.name, column.name) for table in catalogue() for column in table.columns]
    return [
        Error(f"The catalogue lists kb.{table}.{column}, which does not exist.", id="corpora.E002")
        for table, column in listed
        if (table, column) not in present
    ]
