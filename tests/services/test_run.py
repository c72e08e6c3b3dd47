"""`manage.py run`: one command, one line, and nothing left behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hybridchat import services
from hybridchat.services.folder import CHECKOUT
from tests.corpora.test_embeddings_endpoint import answering
from tests.services.people import environment, eventually, processes_of, user
from tests.services.sites import Site, loaded_var, site

BACK = 10.0  # seconds until a killed web process answers again, where nobody else has the processors

pytestmark = pytest.mark.timeout(400)  # the first of them may have to load the sample corpora


@pytest.fixture(scope="module")
def var() -> Iterator[Path]:
    """A var folder in which the sample corpora are loaded; where they are not, this is a first start.

    An endpoint embeds them: the encoder would take a minute for it, and nothing here searches them.
    """
    folder = loaded_var()
    first = not folder.exists()
    with answering() as endpoint, pytest.MonkeyPatch.context() as patch:
        patch.setenv("EMBEDDINGS_URL", endpoint.url)
        if first:
            with site(folder) as started:
                assert any(line.startswith("passages: ") for line in started.printed), started.printed
            assert eventually(lambda: not processes_of(folder)), processes_of(folder)
        yield folder


@pytest.fixture(scope="module")
def running(var: Path) -> Iterator[Site]:
    with site(var) as started:
        yield started


def test_a_taken_port_is_said_at_once_with_one_that_is_free(var: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "manage.py", "run", "--port", str(port)]
        run = subprocess.run(command, env=environment(var), cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert f"Port {port} is taken by another program" in run.stderr
    assert "Choose another port: make run PORT=" in run.stderr
    assert "Traceback" not in run.stderr
    assert eventually(lambda: not processes_of(var)), processes_of(var)


def test_sigterm_stops_everything_but_what_was_running_before(var: Path) -> None:
    with user(var):
        with site(var) as ours:
            ours.process.send_signal(signal.SIGTERM)
            assert ours.ended() == 0
        assert services.postgres(var).server.answers()
        assert services.redis(var).server.answers()
    assert eventually(lambda: not processes_of(var)), processes_of(var)


def test_a_site_that_is_killed_leaves_nothing_running(var: Path) -> None:
    with site(var) as ours:
        ours.process.kill()
        ours.ended()
        assert eventually(lambda: not processes_of(var), 30), processes_of(var)


def test_a_second_start_prints_one_line_and_is_ready(running: Site) -> None:
    """Nothing is loaded again; `manage.py bench start` prints how long it takes."""
    assert running.printed == [f"hybridchat is at {running.url}/ (Ctrl-C stops it)"]
    assert running.health() == 200


def test_a_killed_worker_is_started_again_and_the_site_goes_on(running: Site) -> None:
    worker = running.child("celery")
    assert worker
    worker.kill()
    assert running.health() == 200
    assert eventually(lambda: (found := running.child("celery")) and found.pid != worker.pid)
    assert eventually(
        lambda: any("The worker stopped (SIGKILL) and is being restarted" in line for line in running.printed)
    )


def test_who_comes_while_a_killed_site_is_started_again_waits_and_is_served(running: Site) -> None:
    web = running.child("hybridchat.services.web")
    assert web
    web.kill()
    web.wait()
    killed = time.monotonic()
    assert running.health() == 200
    assert time.monotonic() - killed < BACK * (1 + os.getloadavg()[0] / 2)
    assert eventually(
        lambda: any("The site stopped (SIGKILL) and is being restarted" in line for line in running.printed)
    )


def test_ctrl_c_stops_everything_and_is_no_error(running: Site, var: Path) -> None:
    assert running.press_ctrl_c() == 0
    assert not [line for line in running.printed if "Traceback" in line]
    assert eventually(lambda: not processes_of(var), 2), processes_of(var)
