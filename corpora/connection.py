"""The connection that queries of language models and users run on: a login that can read the schema `kb` and no more.

It is a login of its own rather than `SET ROLE`, which a query could undo with `RESET ROLE`. Its rights are made by
migration 0004. In production `DATABASE_READER_URL` names it; the embedded server trusts its only door, a socket in a
private folder; any other server gets a random password, kept in the var folder.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

READER = "hybridchat_reader"
PASSWORD_FILE = "reader-password"  # noqa: S105  the name of a file, not a password

TLS_OPTIONS = ("sslmode", "sslrootcert", "sslcert", "sslkey", "channel_binding")


async def reader_connect() -> psycopg.AsyncConnection[Any]:
    """Return a new connection as the reader. Autocommit, prepared statements only (`prepare_threshold=0`).

    Whoever runs a query on it opens an explicit READ ONLY transaction. Raises psycopg.OperationalError.
    """
    return await psycopg.AsyncConnection.connect(**reader_parameters(), autocommit=True, prepare_threshold=0)


def reader_parameters() -> dict[str, Any]:
    """What psycopg needs to log in as the reader, to the database Django uses at this moment (tests have another)."""
    if settings.DATABASE_READER_URL:
        return {**conninfo_to_dict(settings.DATABASE_READER_URL), "application_name": READER}
    owner = connections[DEFAULT_DB_ALIAS].settings_dict
    options = {name: value for name, value in owner["OPTIONS"].items() if name in ("host", "port", *TLS_OPTIONS)}
    parameters = {
        "host": owner["HOST"],
        "port": owner["PORT"],
        **options,
        "dbname": owner["NAME"],
        "user": READER,
        "password": _password(),
        "application_name": READER,
    }
    return {name: value for name, value in parameters.items() if value}


def prepare_reader_after_migrate(using: str = DEFAULT_DB_ALIAS, **_: object) -> None:
    """Make sure the reader can log in; give it a password where the server asks for one.

    Runs after each `migrate`. Raises ImproperlyConfigured if neither works.
    """
    if using != DEFAULT_DB_ALIAS or not _role_exists(using) or not _problem():
        return
    if settings.DATABASE_READER_URL:
        raise ImproperlyConfigured(
            f"DATABASE_READER_URL does not log in. It must name {READER} (or a member of it) with its password, "
            f"on the database that DATABASE_URL names. The server says: {_problem()}"
        )
    _set_password(using, _password(create=True))
    if problem := _problem():
        raise ImproperlyConfigured(
            f"The database role {READER} cannot log in; let it in (pg_hba.conf), or set DATABASE_READER_URL. "
            f"The server says: {problem}"
        )


def _role_exists(using: str) -> bool:
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = %s", [READER])
        return cursor.fetchone() is not None


def _problem() -> str:
    """Why the reader cannot log in; "" if it can."""
    try:
        with psycopg.connect(**reader_parameters(), connect_timeout=10):
            return ""
    except psycopg.OperationalError as error:
        return str(error)


def _set_password(using: str, password: str) -> None:
    statement = sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(READER), sql.Literal(password))
    try:
        with connections[using].cursor() as cursor:
            cursor.execute(statement.as_string(cursor.connection))
    except DatabaseError as error:
        raise ImproperlyConfigured(
            f"The database user of DATABASE_URL may not give {READER} a password. Let an administrator do it, "
            "and put the login into DATABASE_READER_URL."
        ) from error


def _password(*, create: bool = False) -> str:
    """The kept password; "" if there is none and none is to be made."""
    path = Path(settings.VAR) / PASSWORD_FILE
    if not path.exists():
        if not create:
            return ""
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(32))
    return path.read_text()
