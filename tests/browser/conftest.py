"""A real Chromium in front of a real site: PostgreSQL, Redis, uvicorn and a Celery worker; only the agent is scripted.

Each test has a browser context of its own, which to the site is another person. No test may be skipped here: without a
Chromium the fixture fails and says what to install.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import psycopg
import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connection, connections
from django.test.utils import setup_databases, teardown_databases
from playwright.sync_api import Browser, Page, expect, sync_playwright

from corpora.loading.assistants import add_missing_assistants
from corpora.loading.corpora import CORPORA, SAMPLE, load
from hybridchat import services
from tests import database as tables

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
A_FEW = 12  # restaurants of one city; embedding the whole sample takes a minute
ADD_ASSISTANTS = "from corpora.loading.assistants import add_missing_assistants; add_missing_assistants()"
PATIENCE = 90.0  # seconds until the site has to answer
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}

PASSWORD = "only for these tests"
PATIENT = 10_000  # milliseconds for anything on a page
expect.set_options(timeout=PATIENT)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def database(django_db_modify_db_settings: None, django_db_blocker: Any) -> Iterator[str]:
    """The address of a database with the sample corpora (not embedded: nothing here searches them).

    Made without pytest-django's fixtures, which would wrap each test in a transaction: in this process Playwright's
    event loop runs, and Django refuses to query beside one.
    """
    with django_db_blocker.unblock():
        made = setup_databases(verbosity=0, interactive=False)
        tables.settle(connection.settings_dict["NAME"])
        for corpus in CORPORA:
            loaded = load(corpus, corpus.sample_files())
            assert not loaded.problems, loaded.problems[0].expected
        add_missing_assistants()
        connections.close_all()
        yield services.postgres().server.database_url(connection.settings_dict["NAME"])
        teardown_databases(made, verbosity=0)


@pytest.fixture(scope="session")
def site(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running site whose agent is scripted."""
    yield from _running_site({"DATABASE_URL": database}, tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def real_world(embedded_services: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The settings of a site with the real agent, a few restaurants of one city, two courses of which one is full, and
    the help articles.

    It has a database and a broker of its own: a worker of the other site would answer its questions.
    """
    own = {
        "DATABASE_URL": tables.copy(f"test_real_{os.getpid()}"),
        "REDIS_URL": os.environ["REDIS_URL"].replace("db=0", "db=1"),
    }
    folder = tmp_path_factory.mktemp("real")
    few = folder / "restaurants.jsonl"
    few.write_text("".join((SAMPLE / "restaurants" / "palo_alto.jsonl").open().readlines()[:A_FEW]))
    load_few = ["load_corpora", "--restaurants", str(few), "--landmarks", str(SAMPLE / "landmarks.jsonl")]
    load_few += ["--courses", str(_two_courses(folder)), "--articles", str(SAMPLE / "articles.jsonl")]
    for command in (load_few, ["shell", "-c", ADD_ASSISTANTS]):
        _manage(command, own)
    return own


@pytest.fixture(scope="session")
def real_site(real_world: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running site with the real agent."""
    yield from _running_site(real_world, tmp_path_factory.mktemp("real-site"), "--real")


def _two_courses(folder: Path) -> Path:
    """CS 101, which has room, and CS 131, in which every place is taken."""
    lines = (SAMPLE / "courses" / "courses.jsonl").read_text().splitlines()
    courses = {course["course_codes"][0]: course for course in map(json.loads, lines)}
    for code, full in (("CS 101", False), ("CS 131", True)):
        for offering in courses[code]["offerings"]:
            offering["enrolled"] = offering["capacity"] if full else 0
    two = folder / "courses.jsonl"
    two.write_text("".join(json.dumps(courses[code]) + "\n" for code in ("CS 101", "CS 131")))
    return two


def _manage(command: list[str], own: dict[str, str]) -> None:
    whole = [sys.executable, "manage.py", *command]
    done = subprocess.run(
        whole, env={**os.environ, **own}, cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == 0, done.stdout


def _running_site(own: dict[str, str], folder: Path, *options: str) -> Iterator[str]:
    environment = {**os.environ, **own, "BEAT_FILE": str(folder / "beat")}
    port = _free_port()
    running = [
        _start(["site", str(port), *options], environment, folder / "site.log"),
        _start(["worker", *options], environment, folder / "worker.log"),
    ]
    try:
        _wait_for(f"http://127.0.0.1:{port}/health/", running[0], folder / "site.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        for process in running:
            os.killpg(process.pid, signal.SIGTERM)
        for process in running:
            process.wait(20)


@pytest.fixture(scope="session")
def browser(site: str) -> Iterator[Browser]:
    """Debian's Chromium, or the one CHROMIUM names, or the one Playwright installed."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def real_page(browser: Browser, real_site: str) -> Iterator[Page]:
    """A window on the site with the real agent."""
    yield from _window(browser, real_site, viewport={"width": 1280, "height": 900})


@pytest.fixture
def real_phone(browser: Browser, real_site: str) -> Iterator[Page]:
    """A phone on the site with the real agent."""
    yield from _window(browser, real_site, **PHONE)


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    """A window of a new visitor. Errors of scripts and violations of the security policy fail the test."""
    yield from _window(browser, site, viewport={"width": 1280, "height": 900})


@pytest.fixture
def phone(browser: Browser, site: str) -> Iterator[Page]:
    """A telephone of 390 pixels, with touch."""
    yield from _window(browser, site, **PHONE)


def _window(browser: Browser, site: str, **options: Any) -> Iterator[Page]:
    context = browser.new_context(base_url=site, reduced_motion="reduce", **options)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.set_default_timeout(PATIENT)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None)
    yield page
    context.close()
    assert not wrong


def _start(arguments: list[str], environment: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(HERE / "process.py"), *arguments]
    return subprocess.Popen(
        command, env=environment, stdout=log.open("wb"), stderr=subprocess.STDOUT, start_new_session=True
    )


def _wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            with urlopen(address, timeout=2):
                return
        except (URLError, ConnectionError):
            assert process.poll() is None, log.read_text()
            time.sleep(0.1)
    raise AssertionError(f"the site does not answer after {PATIENCE:g} s: {log.read_text()}")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture
def admin(page: Page, database: str) -> Page:
    """A window of a curator who has signed in."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO auth_user (username, password, is_superuser, is_staff, is_active, first_name, last_name,"
            " email, date_joined) VALUES ('curator', %s, true, true, true, '', '', '', now()) ON CONFLICT DO NOTHING",
            [PBKDF2PasswordHasher().encode(PASSWORD, "salt")],
        )
    page.goto("/admin/")
    page.get_by_label("Username").fill("curator")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    return page
