"""Processes that use the embedded servers, as a test sees them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hybridchat.services.folder import CHECKOUT

HOLD = "from hybridchat import services; services.start(); print('up', flush=True); input()"


def environment(var: Path) -> dict[str, str]:
    """The environment of a process that works in this var folder, on embedded servers only."""
    dropped = ("DATABASE_URL", "REDIS_URL", "HYBRIDCHAT_VAR", "DJANGO_SETTINGS_MODULE")
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return {**kept, "HYBRIDCHAT_VAR": str(var)}


@contextmanager
def user(var: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has started, or shares, the servers, and uses them until the end of the block."""
    command = [sys.executable, "-c", HOLD]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment(var), cwd=CHECKOUT, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "up\n"
            yield process
        finally:
            process.kill()


def eventually(true: Callable[[], object], seconds: float = 60.0) -> bool:
    """Whether it becomes true in time."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def server_pid(var: Path, service: str = "postgresql") -> int | None:
    """The process id of a running server, None where none runs."""
    try:
        return int(pid_file(var, service).read_text())
    except FileNotFoundError:
        return None


def pid_file(var: Path, service: str = "postgresql") -> Path:
    """Where the keeper of a server says which process it is."""
    return var / "services" / service / "server.pid"


def processes_of(var: Path) -> list[str]:
    """The command lines of all processes that know of this var folder, by argument or environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            told = (process / "environ").read_bytes().decode(errors="replace")
        except OSError:  # it has ended meanwhile
            continue
        if int(process.name) != os.getpid() and (f"{var}/" in command or f"HYBRIDCHAT_VAR={var}\0" in told):
            found.append(command)
    return found
