"""`manage.py run`, as a person at a terminal starts it."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from hybridchat.services.folder import CHECKOUT
from tests.services.people import environment

FIRST_START = 300.0  # seconds; it embeds the sample corpora


class Site:
    """A running `manage.py run` and what it has printed."""

    def __init__(self, var: Path, port: int) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.printed: list[str] = []
        self._printed_address = False
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "run", "--port", str(port)],
            env=environment(var),
            cwd=CHECKOUT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._ready = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.printed.append(line.rstrip("\n"))
            if line.startswith("hybridchat is at"):
                self._printed_address = True
                self._ready.set()
        self._ready.set()

    def wait(self, seconds: float = FIRST_START) -> None:
        """Until the address is printed."""
        assert self._ready.wait(seconds), self.printed
        assert self._printed_address, "\n".join(self.printed)

    def press_ctrl_c(self) -> int:
        """As a terminal does it: SIGINT to the whole foreground group. Returns the exit code."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.ended()

    def ended(self) -> int:
        """The exit code, once it and its output have ended."""
        try:
            code = self.process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)  # nothing may outlive the tests
            raise
        self._reader.join()
        return code

    def child(self, word: str) -> psutil.Process | None:
        """The process of the site whose command line has this word."""
        children = psutil.Process(self.process.pid).children()
        return next((child for child in children if word in _command(child)), None)

    def health(self, timeout: float = 60.0) -> int:
        """The status of the health page."""
        with urllib.request.urlopen(f"{self.url}/health/", timeout=timeout) as response:
            return int(response.status)


@contextmanager
def site(var: Path) -> Iterator[Site]:
    """A site that is ready, and is not there any more after the block."""
    running = Site(var, free_port())
    try:
        running.wait()
        yield running
    finally:
        if running.process.poll() is None:
            running.press_ctrl_c()


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def loaded_var() -> Path:
    """A var folder for sites, kept between test runs while tables and sample data stay what they are."""
    sources = [
        *CHECKOUT.glob("*/**/migrations/*.py"),
        *CHECKOUT.glob("corpora/**/*.py"),
        *CHECKOUT.glob("corpora/sample/**/*.jsonl"),
    ]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(sources) if ".venv" not in path.parts))
    folder = CHECKOUT / "var" / f"test-site-{digest.hexdigest()[:12]}"
    for old in folder.parent.glob("test-site-*"):
        if re.fullmatch(r"test-site-[0-9a-f]{12}", old.name) and old != folder:
            shutil.rmtree(old)
    return folder


def _command(process: psutil.Process) -> str:
    """What a process was started with; "" for one that has just ended."""
    try:
        return " ".join(process.cmdline())
    except (psutil.ZombieProcess, psutil.NoSuchProcess):
        return ""
