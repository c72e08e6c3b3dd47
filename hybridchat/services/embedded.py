"""Start, share and let go of the embedded servers of one var folder."""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from hybridchat.services.folder import var_folder
from hybridchat.services.orphan import evict
from hybridchat.services.servers import PostgresServer, RedisServer, Server

KEEPER = Path(__file__).with_name("keeper.py")
START_LIMIT = 60.0  # seconds; the first start of PostgreSQL recovers from whatever ended the last one
STOP_LIMIT = 30.0


class ServiceFailed(RuntimeError):
    """An embedded server does not start. The message holds the end of its log."""


class Service:
    """One embedded server, seen from a process that uses it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.folder = server.state_folder
        self._held: int | None = None

    @property
    def url(self) -> str:
        """How to reach the server; the same before and after it is started."""
        return self.server.url

    def start(self) -> None:
        """Return once the server answers; start it, and its keeper, if nobody has. Safe to call again and at once."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with locked(self.folder / "start.lock"):
            if self._held is None:
                self._held = open_lock(self.folder / "users.lock")
                fcntl.flock(self._held, fcntl.LOCK_SH)  # waits while a keeper is stopping the server
            if self.kept() and self.server.answers():
                return
            self.server.prepare()
            if not self.kept():
                evict(self.folder / "server.pid", self.server.command()[0], self.server.stop_signal)
                self._launch()
            self._wait()
            self.server.finish()

    def release(self, *, wait: bool = True) -> None:
        """Stop using the server; the last user to do so stops it. Waits for that end, not for other users."""
        if self._held is None:
            return
        os.close(self._held)
        self._held = None
        deadline, shared_until = time.monotonic() + STOP_LIMIT, time.monotonic() + 0.5
        while wait and self.kept() and time.monotonic() < deadline:
            if time.monotonic() > shared_until and self._has_users():
                return
            time.sleep(0.02)

    def kept(self) -> bool:
        """Whether a keeper is alive."""
        return is_locked(self.folder / "keeper.lock")

    def _has_users(self) -> bool:
        """Whether others hold the shared lock (a keeper that is stopping the server holds it exclusively)."""
        lock = open_lock(self.folder / "users.lock")
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            os.close(lock)
        return True

    def _launch(self) -> None:
        account = self.server.account
        uid, gid = (account.uid, account.gid) if account else (-1, -1)
        told = (self.folder, int(self.server.stop_signal), uid, gid, self.server.log, self.server.memory)
        settings = [str(part) for part in told]
        subprocess.Popen(
            [sys.executable, "-I", "-S", str(KEEPER), *settings, *self.server.command()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )

    def _wait(self) -> None:
        started = time.monotonic()
        while not self.server.answers():
            waited = time.monotonic() - started
            if waited > START_LIMIT or (waited > 1 and not self.kept()):
                raise ServiceFailed(
                    f"{self.server.name} did not start. The end of its log, {self.server.log}:\n{tail(self.server.log)}"
                )
            time.sleep(0.02)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """One process at a time; the lock ends with the process."""
    lock = open_lock(path)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def open_lock(path: Path) -> int:
    """A descriptor to lock; children started by `subprocess` do not inherit it."""
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


def is_locked(path: Path) -> bool:
    """Whether some process holds the lock."""
    lock = open_lock(path)
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def tail(log: Path, lines: int = 15) -> str:
    """The last lines of a log, for an error message."""
    if not log.exists():
        return "(no log was written)"
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])


_services: dict[tuple[str, Path], Service] = {}


def _service(kind: type[PostgresServer | RedisServer], var: Path | None) -> Service:
    folder = (var or var_folder()).resolve()
    return _services.setdefault((kind.name, folder), Service(kind(folder)))


def postgres(var: Path | None = None) -> Service:
    """The PostgreSQL of a var folder (of this checkout, unless said otherwise)."""
    return _service(PostgresServer, var)


def redis(var: Path | None = None) -> Service:
    """The Redis of a var folder."""
    return _service(RedisServer, var)


def used() -> list[Service]:
    """The embedded services that no environment variable replaces."""
    found = []
    if not os.environ.get("DATABASE_URL"):
        found.append(postgres())
    if not os.environ.get("REDIS_URL"):
        found.append(redis())
    return found


def start() -> None:
    """Start, or share, every embedded service in use."""
    for service in used():
        service.start()


def release() -> None:
    """Let go of every embedded service this process holds; those nobody else uses are stopped."""
    for service in _services.values():
        service.release()
