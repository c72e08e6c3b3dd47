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
    return services.postgres().server.database_url(name)


def _server() -> psycopg.Connection:
    return psycopg.connect(services.postgres().server.database_url("postgres"), autocommit=True)
