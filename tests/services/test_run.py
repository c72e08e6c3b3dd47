"""`manage.py run`: one command, one line, and nothing left behind."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hybridchat import services
from hybridchat.services.folder import CHECKOUT
from tests.services.people import environment, eventually, processes_of, user
from tests.services.sites import Site, loaded_var, site

pytestmark = pytest.mark.timeout(400)  # the first of them may have to embed the sample corpora


@pytest.fixture(scope="module")
def var() -> Path:
    """A var folder in which the sample corpora are loaded; where they are not, this is a first start."""
    folder = loaded_var()
    with site(folder):
        pass
    assert eventually(lambda: not processes_of(folder)), processes_of(folder)
    return folder


@pytest.fixture(scope="module")
def running(var: Path) -> Iterator[Site]:
    with site(var) as started:
        yield started


def test_a_second_start_prints_one_line_and_is_ready(var: Path) -> None:
    """Nothing is loaded again; `manage.py bench start` prints how long it takes."""
    with site(var) as second:
        assert second.printed == [f"hybridchat is at {second.url}/ (Ctrl-C stops it)"]
        assert second.health() == 200


def test_ctrl_c_stops_everything_and_is_no_error(var: Path) -> None:
    with site(var) as ours:
        assert ours.press_ctrl_c() == 0
        assert not [line for line in ours.printed if "Traceback" in line]
    assert eventually(lambda: not processes_of(var), 2), processes_of(var)


def test_sigterm_stops_everything(var: Path) -> None:
    with site(var) as ours:
        ours.process.send_signal(signal.SIGTERM)
        assert ours.ended() == 0
    assert eventually(lambda: not processes_of(var), 2), processes_of(var)


def test_a_site_that_is_killed_leaves_nothing_running(var: Path) -> None:
    with site(var) as ours:
        ours.process.kill()
        ours.ended()
        assert eventually(lambda: not processes_of(var), 30), processes_of(var)


def test_what_was_running_before_is_running_after(var: Path) -> None:
    with user(var):
        with site(var):
            pass
        assert services.postgres(var).server.answers()
        assert services.redis(var).server.answers()
    assert eventually(lambda: not processes_of(var)), processes_of(var)


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
    assert running.health() == 200
    assert eventually(
        lambda: any("The site stopped (SIGKILL) and is being restarted" in line for line in running.printed)
    )
