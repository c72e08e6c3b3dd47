"""The role that runs queries reads the schema kb and nothing else, whatever reaches it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import numpy as np
import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from corpora.catalogue import catalogue
from corpora.checks import check_corpora
from corpora.connection import READER, prepare_reader_after_migrate, reader_connect, reader_parameters
from corpora.models import Passage
from corpora.passages import vector_indexes

pytestmark = pytest.mark.django_db

VIEWS = [*(table.name for table in catalogue()), "passages"]


@pytest.fixture
async def reader(db: None) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
    async with await reader_connect() as connected:
        yield connected


@pytest.fixture
def tables(db: None) -> list[str]:
    with connection.cursor() as cursor:
        return connection.introspection.table_names(cursor)


@pytest.mark.parametrize("view", VIEWS)
async def test_reads_every_view_of_kb(reader: psycopg.AsyncConnection[Any], view: str) -> None:
    await reader.execute(f"SELECT * FROM kb.{view} LIMIT 1")


async def test_can_rank_by_vector_and_by_words(reader: psycopg.AsyncConnection[Any]) -> None:
    vector = "[" + ",".join(["1"] * 384) + "]"
    await reader.execute(
        "SELECT id FROM kb.passages WHERE search @@ plainto_tsquery('english', 'quiet')"
        " ORDER BY embedding <=> %s::halfvec",
        [vector],
    )


async def test_logs_in_as_itself_so_that_reset_role_gains_nothing(reader: psycopg.AsyncConnection[Any]) -> None:
    await reader.execute("RESET ROLE")
    await reader.execute("RESET SESSION AUTHORIZATION")
    row = await (await reader.execute("SELECT session_user, current_user")).fetchone()
    assert row == (READER, READER)


async def test_reads_no_table_of_public(tables: list[str], reader: psycopg.AsyncConnection[Any]) -> None:
    assert "corpora_restaurant" in tables
    for table in tables:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await reader.execute(f'SELECT 1 FROM public."{table}"')


@pytest.mark.django_db(transaction=True)
def test_a_table_made_later_is_not_readable_either() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE public.later (secret text)")
        try:
            with psycopg.connect(**reader_parameters()) as reader, pytest.raises(psycopg.errors.InsufficientPrivilege):
                reader.execute("SELECT * FROM public.later")
        finally:
            cursor.execute("DROP TABLE public.later")


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM pg_class",
        "SELECT * FROM pg_proc",
        "SELECT * FROM pg_roles",
        "SELECT * FROM pg_authid",
        "SELECT * FROM pg_stat_activity",
        "SELECT * FROM pg_settings",
        "SELECT * FROM pg_views",
        "SELECT pg_get_viewdef('kb.restaurants'::regclass)",
        "SELECT set_config('statement_timeout', '0', false)",
        "SELECT lo_create(0)",
        "SELECT lo_from_bytea(0, 'x')",
        "SELECT query_to_xml('SELECT 1', true, true, '')",
        "SELECT cursor_to_xml('c', 1, true, true, '')",
        "SELECT table_to_xml('kb.restaurants', true, true, '')",
        "SELECT schema_to_xml('kb', true, true, '')",
        "SELECT database_to_xml(true, true, '')",
        "SELECT ts_stat('SELECT search FROM kb.passages')",
        "SELECT ts_rewrite('a'::tsquery, 'SELECT ''a''::tsquery, ''b''::tsquery')",
        "SELECT pg_sleep(0)",
        "SELECT pg_notify('a', 'b')",
        "SELECT pg_advisory_lock(1)",
        "SELECT pg_try_advisory_xact_lock(1)",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT pg_ls_dir('/')",
        "SELECT pg_stat_file('/')",
        "SELECT pg_terminate_backend(1)",
        "SELECT pg_reload_conf()",
        "SELECT pg_logical_emit_message(false, 'a', 'b')",
        "SELECT pg_export_snapshot()",
        "SELECT nextval('corpora_restaurant_id_seq')",
        "SELECT inet_server_addr()",
        "COPY (SELECT 1) TO PROGRAM 'true'",
        "COPY kb.restaurants TO '/tmp/stolen'",
        "DO $$ BEGIN NULL; END $$",
        "SET ROLE postgres",
        "SET SESSION AUTHORIZATION postgres",
    ],
)
async def test_is_denied(reader: psycopg.AsyncConnection[Any], statement: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        await reader.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE public.mine (a int)",
        "CREATE TABLE kb.mine (a int)",
        "CREATE TEMPORARY TABLE mine (a int)",
        "CREATE SCHEMA mine",
        "CREATE FUNCTION kb.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "DELETE FROM kb.restaurants",
        "UPDATE kb.articles SET body = 'x'",
        "INSERT INTO kb.programs (program_id) VALUES ('x')",
        "TRUNCATE kb.articles",
        "DROP VIEW kb.articles",
        "ALTER VIEW kb.articles OWNER TO hybridchat_reader",
        "ALTER ROLE hybridchat_reader SUPERUSER",
    ],
)
async def test_writes_nothing_even_in_a_transaction_that_may(
    reader: psycopg.AsyncConnection[Any], statement: str
) -> None:
    """READ ONLY is only a second line: here it is lifted first."""
    await reader.execute("SET default_transaction_read_only = off")
    with pytest.raises(psycopg.Error) as caught:
        await reader.execute(statement)
    assert isinstance(
        caught.value,
        psycopg.errors.InsufficientPrivilege
        | psycopg.errors.ObjectNotInPrerequisiteState  # a view over a join or an expression takes no writes at all
        | psycopg.errors.FeatureNotSupported
        | psycopg.errors.WrongObjectType,
    )


async def test_starts_read_only_and_with_a_time_limit(reader: psycopg.AsyncConnection[Any]) -> None:
    for name, value in {"default_transaction_read_only": "on", "statement_timeout": "30s"}.items():
        row = await (await reader.execute(f"SHOW {name}")).fetchone()
        assert row == (value,)


@pytest.mark.django_db(transaction=True)
def test_a_filter_that_few_passages_pass_does_not_lose_the_one_that_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """An index scan over the 40 nearest would find none of the row asked for."""
    near, far = [1.0] + [0.0] * 383, [-1.0] + [0.0] * 383
    around = np.random.default_rng(0).standard_normal((400, 384)) * 0.02 + np.array(near)
    place = {"owner_table": "restaurants", "column_name": "about", "text_md5": "0" * 32, "start": 0, "stop": 1}
    rows = [Passage(owner_key=str(n), body="a", embedder="e", embedding=list(v), **place) for n, v in enumerate(around)]
    Passage.objects.bulk_create([*rows, Passage(owner_key="far", body="b", embedder="e", embedding=far, **place)])
    monkeypatch.setattr(vector_indexes, "SCORED", 100)
    monkeypatch.setattr(vector_indexes, "KEPT", 50)
    vector_indexes.bring_vector_indexes_in_step()
    with psycopg.connect(**reader_parameters()) as reader:
        reader.execute("SET enable_seqscan = off")
        reader.execute("SET enable_bitmapscan = off")
        query = (
            "SELECT owner_key FROM kb.passages WHERE owner_table = 'restaurants' AND column_name = 'about' "
            "AND body = 'b' ORDER BY embedding <=> %s::halfvec LIMIT 1"
        )
        plan = "\n".join(row[0] for row in reader.execute(f"EXPLAIN {query}", [str(near)]))
        assert vector_indexes.PREFIX in plan
        assert reader.execute(query, [str(near)]).fetchall() == [("far",)]
    Passage.objects.all().delete()
    vector_indexes.bring_vector_indexes_in_step()


async def test_statements_are_prepared_so_that_two_in_one_are_refused(reader: psycopg.AsyncConnection[Any]) -> None:
    with pytest.raises(psycopg.errors.SyntaxError, match="multiple commands"):
        await reader.execute("SELECT 1; SELECT 2")


async def test_drivers_can_look_up_types(reader: psycopg.AsyncConnection[Any]) -> None:
    from pgvector.psycopg import register_vector_async

    await register_vector_async(reader)


def test_the_owner_keeps_what_the_reader_lost() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('application_name', 'owner', true), count(*) FROM pg_class")
        assert cursor.fetchone()[0] == "owner"


def test_the_checks_find_nothing_to_say() -> None:
    assert check_corpora(databases=["default"]) == []


def test_the_checks_name_a_table_the_reader_can_read() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"GRANT SELECT ON corpora_assistant TO {READER}")
    assert [
        (message.id, "public.corpora_assistant" in message.msg) for message in check_corpora(databases=["default"])
    ] == [("corpora.E001", True)]


def test_the_checks_name_a_function_the_reader_can_run() -> None:
    with connection.cursor() as cursor:
        cursor.execute("GRANT EXECUTE ON FUNCTION pg_catalog.lo_create(oid) TO PUBLIC")
    assert [message.id for message in check_corpora(databases=["default"])] == ["corpora.W001"]


def test_a_configured_login_is_used_as_it_is(settings: Any) -> None:
    settings.DATABASE_READER_URL = "postgresql://somebody:secret@db.example:5433/corpora?sslmode=require"
    parameters = reader_parameters()
    assert (parameters["host"], parameters["user"], parameters["dbname"]) == ("db.example", "somebody", "corpora")


def test_a_configured_login_that_does_not_work_is_said_at_once(settings: Any) -> None:
    settings.DATABASE_READER_URL = "postgresql://somebody@127.0.0.1:1/corpora"
    with pytest.raises(ImproperlyConfigured, match="DATABASE_READER_URL does not log in"):
        prepare_reader_after_migrate()
