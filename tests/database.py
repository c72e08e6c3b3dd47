"""A database in which all migrations have run, made once for a checkout and copied wherever one is needed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from itertools import chain

import psycopg
from psycopg import sql

from hybridchat import services
from hybridchat.services.embedded import locked
from hybridchat.services.folder import CHECKOUT

SOURCES = ("*/migrations/*.py", "*/*/migrations/*.py", "hybridchat/staff/*.py", "requirements.txt")


def migrated() -> str:
    """The name of that database: whoever comes first makes it, the others wait. Nobody connects to it."""
    files = sorted(chain.from_iterable(CHECKOUT.glob(pattern) for pattern in SOURCES))
    name = f"migrated_{hashlib.sha256(b''.join(path.read_bytes() for path in files)).hexdigest()[:12]}"
    postgres = services.postgres()
    with locked(postgres.folder / "migrated.lock"), _server() as server:
        there = [name for (name,) in server.execute("SELECT datname FROM pg_database WHERE datname ^@ 'migrated_'")]
        if name not in there:
            for old in there:
                server.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(old)))
            _make(server, name)
    return name


def _make(server: psycopg.Connection, name: str) -> None:
    draft = f"migrated_draft_{os.getpid()}"
    server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(draft)))
    environment = {**os.environ, "DATABASE_URL": services.postgres().server.database_url(draft)}
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, env=environment, cwd=CHECKOUT, check=True)
    server.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(draft), sql.Identifier(name)))
    server.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(sql.Identifier(name)))


def copy(name: str) -> str:
    """Make another database with all tables, and return its address."""
    template = migrated()
    with _server() as server:
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template)))
    settle(name)
    return services.postgres().server.database_url(name)


def settle(name: str) -> None:
    """Give a copy what PostgreSQL keeps of a database outside it: who may do what with it, and what roles have set
    there (`corpora/migrations/0004_reader.py`)."""
    here, of = sql.Identifier(name), "(SELECT oid FROM pg_database WHERE datname = %s)"
    with _server() as server:
        rights = server.execute(
            "SELECT CASE one.grantee WHEN 0 THEN 'PUBLIC' ELSE one.grantee::regrole::text END, one.privilege_type "
            "FROM pg_database, aclexplode(datacl) one WHERE datname = %s",
            [migrated()],
        ).fetchall()
        server.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(here))
        for role, right in rights:
            server.execute(sql.SQL("GRANT {} ON DATABASE {} TO {}").format(sql.SQL(right), here, sql.SQL(role)))
        kept = server.execute(
            f"SELECT setrole::regrole::text, unnest(setconfig) FROM pg_db_role_setting WHERE setdatabase = {of}",
            [migrated()],
        ).fetchall()
        for role, setting in kept:
            option, _, value = setting.partition("=")
            said = sql.SQL(value) if option == "search_path" else sql.Literal(value)
            server.execute(
                sql.SQL("ALTER ROLE {} IN DATABASE {} SET {} TO {}").format(sql.SQL(role), here, sql.SQL(option), said)
            )


def _server() -> psycopg.Connection:
    return psycopg.connect(services.postgres().server.database_url("postgres"), autocommit=True)
