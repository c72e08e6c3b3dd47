"""Real servers for the tests: one PostgreSQL for all runs of a checkout, a database and a Redis for each run."""

from __future__ import annotations

import faulthandler
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import thread

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.test import TransactionTestCase
from psycopg import sql

from hybridchat import services
from tests import database, emptying

END_WITHIN = 120.0  # seconds
JOIN_WITHIN = 10.0  # seconds
OUTCOME = pytest.StashKey[int]()

# The child processes of a test read the real settings, from the environment that tests/settings.py prepared.
os.environ["DJANGO_SETTINGS_MODULE"] = "hybridchat.settings"


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """A process that does not end after its last test says where it waits, and fails."""
    if not hasattr(session.config, "workerinput"):  # a process of xdist waits for the others
        faulthandler.dump_traceback_later(END_WITHIN, exit=True)
    session.config.stash[OUTCOME] = int(exitstatus)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends the process though a thread may wait for ever: one that sends a hint (`hybridchat.chat.hints`) on the event
    loop of a test that is over. All reports are written by now."""
    ending = threading.Thread(target=thread._python_exit, daemon=True)  # what Python does next, and may not finish
    ending.start()
    ending.join(JOIN_WITHIN)
    if ending.is_alive() and OUTCOME in config.stash:
        sys.stdout.write("a thread still waits for an event loop that is gone\n")
        sys.stdout.flush()
        os._exit(config.stash[OUTCOME])


@pytest.fixture(scope="session", autouse=True)
def embedded_services() -> Iterator[None]:
    """PostgreSQL and Redis, running for the length of the session."""
    services.postgres().start()
    services.redis(settings.RUN_FOLDER).start()
    forget_on_power_cut()
    drop_left_over_databases()
    yield
    services.release()
    shutil.rmtree(settings.RUN_FOLDER)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(embedded_services: None) -> None:
    """pytest-django asks for this before it creates the database: it becomes a copy of one that has its tables."""
    connection.settings_dict["TEST"]["TEMPLATE"] = database.migrated()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> None:
    """pytest-django has made the copy, which lacks what is kept outside a database."""
    database.settle(connection.settings_dict["NAME"])


@pytest.fixture(scope="session", autouse=True)
def quick_emptying() -> None:
    """After a test that committed, only the tables that have rows are emptied."""
    TransactionTestCase._fixture_teardown = emptying.empty


@pytest.fixture
def live_environment(transactional_db: None) -> dict[str, str]:
    """The environment in which a child process (a worker, `manage.py …`) works on this run's database and Redis."""
    return {**os.environ, "DATABASE_URL": services.postgres().server.database_url(connection.settings_dict["NAME"])}


def forget_on_power_cut() -> None:
    """Do not wait for the disk: these data need not survive the machine. About twice as fast."""
    with psycopg.connect(services.postgres().server.database_url("postgres"), autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")


def drop_left_over_databases() -> None:
    """Databases of runs that were killed: `test_…_<process id>`, with xdist's `_gw<n>` after it, of a process gone."""
    with psycopg.connect(services.postgres().server.database_url("postgres"), autocommit=True) as connection:
        rows = connection.execute(
            "SELECT datname, substring(datname from '^test_.*?_([0-9]+)(?:_gw[0-9]+)?$')::int FROM pg_database"
        ).fetchall()
        for name, pid in rows:
            if pid is not None and not process_exists(pid):
                connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def process_exists(pid: int) -> bool:
    """Whether a process with this id runs, whoever owns it."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
