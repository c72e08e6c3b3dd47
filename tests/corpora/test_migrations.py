"""The migrations of all apps run forwards and back, on a server where the role may exist already."""

from __future__ import annotations

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection

from corpora.connection import READER, reader_parameters


def schemas_and_functions() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nspname::text FROM pg_namespace WHERE nspname = 'kb'"
            " UNION ALL SELECT relname::text FROM pg_class WHERE relname LIKE 'corpora\\_%%' AND relkind = 'r'"
            " UNION ALL SELECT proname::text FROM pg_proc WHERE proname LIKE 'corpora\\_%%'"
            " UNION ALL SELECT extname::text FROM pg_extension WHERE extname = 'vector'",
            [],
        )
        return {name for (name,) in cursor.fetchall()}


def own_tables() -> set[str]:
    """The tables of the product's apps."""
    own = tuple(f"{app}_" for app in ("corpora", "chat", "effects", "research"))
    return {table for table in connection.introspection.table_names() if table.startswith(own)}


def rights_of_everybody() -> set[str]:
    """Functions and catalogues of PostgreSQL that PUBLIC may not use."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT oid::regprocedure::text FROM pg_proc WHERE NOT has_function_privilege(%s, oid, 'EXECUTE')"
            " UNION ALL SELECT oid::regclass::text FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace"
            " AND relkind IN ('r', 'v') AND NOT has_table_privilege(%s, oid, 'SELECT')",
            [READER, READER],
        )
        return {name for (name,) in cursor.fetchall()}


def go_on_with_new_keys() -> None:
    """Versions made from now on have other keys than any before: what a process has read is known by them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(pg_get_serial_sequence(name, 'id'), 1000000)"
            " FROM unnest(ARRAY['corpora_corpusversion', 'corpora_corpusdescription']) AS name"
        )


@pytest.mark.timeout(400)  # seconds, on a busy machine
@pytest.mark.django_db(transaction=True)
def test_back_to_nothing_and_forwards_again() -> None:
    before, hardened, tables = schemas_and_functions(), rights_of_everybody(), own_tables()
    call_command("migrate", "corpora", "zero", verbosity=0)
    call_command("migrate", "chat", "zero", verbosity=0)
    try:
        assert schemas_and_functions() == set()
        assert own_tables() == set()
        softened = rights_of_everybody()
        assert "set_config(text,text,boolean)" in hardened - softened
        assert "pg_proc" in hardened - softened
        assert "pg_authid" in softened, "what PostgreSQL itself keeps from everybody stays so"
        assert "pg_read_file(text)" in softened
    finally:
        call_command("migrate", verbosity=0)  # and what depends on it
        go_on_with_new_keys()
    assert schemas_and_functions() == before
    assert own_tables() == tables
    assert rights_of_everybody() == hardened
    with psycopg.connect(**reader_parameters()) as reader:
        assert reader.execute("SELECT count(*) FROM kb.restaurants").fetchone() == (0,)


@pytest.mark.django_db
def test_the_models_and_the_migrations_agree() -> None:
    call_command("makemigrations", "corpora", check=True, dry_run=True, verbosity=0)
