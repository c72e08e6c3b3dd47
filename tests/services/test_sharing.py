"""The embedded servers are started by the first who needs them and stopped by the last."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg
import pytest

from hybridchat import services
from hybridchat.services.folder import CHECKOUT
from tests.services.people import HOLD, environment, eventually, pid_file, processes_of, server_pid, user


def query(var: Path, statement: str) -> object:
    with psycopg.connect(services.postgres(var).url, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchone()[0] if cursor.description else None


def reachable(var: Path) -> bool:
    return services.postgres(var).server.answers() and services.redis(var).server.answers()


def test_the_last_one_out_stops_the_servers(var: Path) -> None:
    with user(var):
        pid = server_pid(var)
        with user(var):
            assert server_pid(var) == pid
        assert reachable(var)
        assert server_pid(var) == pid
    assert eventually(lambda: not processes_of(var))


def test_a_user_that_is_killed_does_not_keep_them_running(var: Path) -> None:
    with user(var) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert eventually(lambda: not processes_of(var))


def test_processes_that_start_at_once_share_one_server(var: Path) -> None:
    command, pipe = [sys.executable, "-c", HOLD], subprocess.PIPE
    crowd = [
        subprocess.Popen(command, env=environment(var), cwd=CHECKOUT, stdin=pipe, stdout=pipe, text=True)
        for _ in range(4)
    ]
    try:
        assert [process.stdout.readline() for process in crowd if process.stdout] == ["up\n"] * 4
        postmasters = [
            line for line in processes_of(var) if f"postgres -D {var}/postgres" in line and "keeper" not in line
        ]
        assert len(postmasters) == 1
    finally:
        for process in crowd:
            process.kill()
            process.communicate()


def test_a_server_that_stops_under_a_newcomer_is_started_again(var: Path) -> None:
    for _ in range(3):
        with user(var):
            pass
        with user(var):
            assert reachable(var)


@pytest.mark.parametrize("service", ["postgresql", "redis"])
def test_a_killed_server_comes_back_with_its_data(var: Path, service: str) -> None:
    with user(var):
        query(var, "CREATE TABLE IF NOT EXISTS kept AS SELECT 42 AS number")
        pid = server_pid(var, service)
        assert pid
        with pid_file(var, service).open() as reading:
            os.kill(pid, signal.SIGKILL)
            assert eventually(lambda: server_pid(var, service) != pid and reachable(var))
            assert reading.read() == str(pid), "a new number was written over the one that is being read"
        assert query(var, "SELECT number FROM kept") == 42


def test_a_server_whose_keeper_was_killed_is_not_left_over(var: Path) -> None:
    with user(var):
        orphan = server_pid(var)
        keeper = next(
            process
            for process in Path("/proc").glob("[0-9]*")
            if f"keeper.py\0{var}/services/postgresql\0".encode() in contents(process / "cmdline")
        )
        os.kill(int(keeper.name), signal.SIGKILL)
        with user(var):
            assert reachable(var)
            assert server_pid(var) != orphan
            assert f"/proc/{orphan}" not in map(str, Path("/proc").glob("[0-9]*"))


def contents(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_files_left_by_a_crash_do_not_hinder_a_start(var: Path) -> None:
    innocent = os.getpid()
    for service, number in (("postgresql", innocent), ("redis", 99999999)):
        pid_file(var, service).parent.mkdir(parents=True, exist_ok=True)
        pid_file(var, service).write_text(str(number))
    with user(var):
        pass
    eventually(lambda: not processes_of(var))
    (var / "postgres" / "postmaster.pid").write_text(
        f"99999999\n{var}/postgres\n1700000000\n5432\n{var}/run/postgres\n\n  1234567 0\nready\n"
    )
    (var / "run" / "redis.sock").touch()
    with user(var):
        assert reachable(var)


def test_a_data_folder_that_was_only_half_made_is_made_again() -> None:
    folder = Path(tempfile.mkdtemp(prefix="hybridchat-var-"))
    (folder / "postgres.new" / "base").mkdir(parents=True)
    with user(folder):
        assert reachable(folder)
    assert eventually(lambda: not processes_of(folder))
    shutil.rmtree(folder)


def test_two_checkouts_run_side_by_side_and_share_nothing(var: Path) -> None:
    other = Path(tempfile.mkdtemp(prefix="hybridchat-var-")) / ("a-very-long-folder-name-" * 5)
    with user(var), user(other):
        query(other, "CREATE TABLE only_here ()")
        assert query(other, "SELECT to_regclass('only_here') IS NOT NULL")
        assert not query(var, "SELECT to_regclass('only_here') IS NOT NULL")
        assert services.redis(var).url != services.redis(other).url
    assert eventually(lambda: not processes_of(other))
    shutil.rmtree(other.parent)


def test_a_server_that_cannot_start_says_why(var: Path) -> None:
    configuration = var / "postgres" / "postgresql.auto.conf"
    good = configuration.read_text()
    configuration.write_text("shared_buffers = 'plenty'\n")
    try:
        command = [sys.executable, "-c", HOLD]
        run = subprocess.run(command, env=environment(var), cwd=CHECKOUT, capture_output=True, text=True, check=False)
    finally:
        configuration.write_text(good)
    assert run.returncode
    assert "PostgreSQL did not start" in run.stderr
    assert 'invalid value for parameter "shared_buffers"' in run.stderr


def test_only_the_owner_may_enter(var: Path) -> None:
    with user(var):
        assert (var / "run" / "postgres").stat().st_mode & 0o077 == 0
        assert (var / "run" / "redis.sock").stat().st_mode & 0o077 == 0


def test_addresses_from_the_environment_replace_the_embedded_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("REDIS_URL", raising=False)
    assert [service.server.name for service in services.used()] == ["PostgreSQL", "Redis"]
    monkeypatch.setenv("DATABASE_URL", "postgresql://elsewhere/chat")
    assert [service.server.name for service in services.used()] == ["Redis"]
    monkeypatch.setenv("REDIS_URL", "redis://elsewhere")
    assert services.used() == []
