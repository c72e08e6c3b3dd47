"""The small world with the rights the site gives its reader role, and everything in it that a query could change."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from corpora.migrations import __name__ as migrations

SECRET = "T0P-S3CRET"  # stands in a table nobody may read


def snapshot(world: psycopg.Connection[Any]) -> tuple[Any, ...]:
    """Everything a query could have changed: rows, relations, functions, roles, large objects, settings, locks."""
    parts = []
    for query in (
        "SELECT md5(string_agg(v::text, '|' ORDER BY id)) FROM kb.venues v",
        "SELECT md5(string_agg(e::text, '|' ORDER BY id)) FROM kb.events e",
        "SELECT count(*), max(oid::bigint) FROM pg_class WHERE relname NOT LIKE 'pg_toast%'",
        "SELECT count(*), count(*) FILTER (WHERE proacl IS NULL) FROM pg_proc",
        "SELECT string_agg(rolname, ',' ORDER BY rolname) FROM pg_roles WHERE rolsuper OR rolcreaterole",
        "SELECT count(*) FROM pg_auth_members WHERE member = 'suql_test_reader'::regrole",
        "SELECT count(*) FROM pg_largeobject_metadata",
        "SELECT count(*) FROM pg_namespace",
        "SELECT string_agg(setconfig::text, '|') FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase "
        "WHERE d.datname = current_database() OR setrole = 'suql_test_reader'::regrole",
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = "
        "(SELECT oid FROM pg_database WHERE datname = current_database())",
    ):
        parts.append(world.execute(query).fetchone())
    world.rollback()
    return tuple(parts)


@pytest.fixture(scope="module")
def hardened_url(world: psycopg.Connection[Any], database_url: str) -> str:
    """The world with the rights the site's migrations give: dangerous functions and catalogues are the owner's only."""
    rights = importlib.import_module(f"{migrations}.0004_reader")
    padding = importlib.import_module(f"{migrations}.0010_padding")
    role = "suql_test_reader"
    world.execute("CREATE TABLE public.secrets AS SELECT %s AS word", [SECRET])
    world.execute("REVOKE TEMPORARY ON DATABASE " + world.info.dbname + " FROM PUBLIC")
    world.execute("REVOKE USAGE ON LANGUAGE plpgsql FROM PUBLIC")
    world.execute(rights.HARDEN.replace(rights.READER, role))
    world.execute(padding.HARDEN)
    world.commit()
    return make_conninfo(database_url, user=role)


@pytest.fixture
def hardened(hardened_url: str) -> Callable[[], Any]:
    async def opened() -> psycopg.AsyncConnection[Any]:
        return await psycopg.AsyncConnection.connect(hardened_url, autocommit=True, prepare_threshold=0)

    return opened
