"""The small world, in a database of its own, and an engine that reads it through a restricted role."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from agent.suql import Engine
from tests.agent.suql.world import CATALOGUE, SCHEMA, PairReader, fill

ROLE = "suql_test_reader"


@pytest.fixture(scope="module")
def world(database_url: str) -> Iterator[psycopg.Connection[Any]]:
    """The owner's connection to the world."""
    with psycopg.connect(database_url) as connection:
        connection.execute(SCHEMA)
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone():
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN NOINHERIT").format(sql.Identifier(ROLE)))
        connection.execute(f"GRANT USAGE ON SCHEMA kb TO {ROLE}; GRANT SELECT ON ALL TABLES IN SCHEMA kb TO {ROLE}")
        connection.commit()
        fill(connection, seed=1)
        yield connection


@pytest.fixture
def connect(world: psycopg.Connection[Any], database_url: str) -> Callable[[], Any]:
    """Opens the restricted role's connections."""
    address = make_conninfo(database_url, user=ROLE)

    async def opened() -> psycopg.AsyncConnection[Any]:
        return await psycopg.AsyncConnection.connect(address, autocommit=True, prepare_threshold=0)

    return opened


@pytest.fixture
def reader() -> PairReader:
    return PairReader()


@pytest.fixture
def engine(connect: Callable[[], Any], reader: PairReader) -> Engine:
    return Engine(connect, CATALOGUE, reader)
