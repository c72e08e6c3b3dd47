"""A PostgreSQL database of its own for the engine's tests; no Django."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count

import psycopg
import pytest
from psycopg import sql

from hybridchat import services

_numbers = count(1)


@pytest.fixture(scope="module")
def database_url(embedded_services: None) -> Iterator[str]:
    """The URL of a fresh, empty database with the extension vector, dropped after the module."""
    server = services.postgres().server
    name = f"test_engine_{next(_numbers)}_{os.getpid()}"
    server.create_database(name)
    with psycopg.connect(server.database_url(name), autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
    yield server.database_url(name)
    with psycopg.connect(server.database_url("postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
