"""Keep the processes of a laptop running: start, log, restart what dies, stop all."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from hybridchat.services.folder import CHECKOUT

FIRST_PAUSE = 0.2  # seconds before a child that died is started again; doubles while it keeps dying
LONGEST_PAUSE = 10.0
LONG_LIFE = 20.0  # seconds; who lived this long is not dying in a row
LARGEST_LOG = 10 * 1024 * 1024  # bytes; a larger log is put aside when the next run starts


class Child:
    """One process of the site, in a session of its own, restarted until `stop`.

    `tell` gets a sentence when it dies unasked. It works on a leash: it ends when this process does, even by SIGKILL.
    """

    def __init__(
        self,
        name: str,
        module: Sequence[str],
        log: Path,
        tell: Callable[[str], None],
        *,
        share: Sequence[int] = (),
        patience: float = 5.0,
    ) -> None:
        self.name, self.module, self.log, self.tell, self.patience = name, module, log, tell, patience
        self.share = share
        self._leash, self._held = os.pipe()
        self._process: subprocess.Popen[bytes] | None = None
        self._stopping = threading.Event()
        self._changing = threading.Lock()
        self._thread = threading.Thread(target=self._keep, name=name)

    def start(self) -> None:
        """Start it, and watch it from now on."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        if self.log.exists() and self.log.stat().st_size > LARGEST_LOG:
            self.log.replace(self.log.with_suffix(".log.1"))
        self._thread.start()

    def stop(self) -> None:
        """Ask it to stop, insist after `patience` seconds; returns when it and its own children are gone."""
        self._stopping.set()
        with self._changing:
            process = self._process
        if process is not None:
            end(process, self.patience)
        self._thread.join()
        os.close(self._held)
        os.close(self._leash)

    def _keep(self) -> None:
        pause = FIRST_PAUSE
        while not self._stopping.is_set():
            started = time.monotonic()
            with self._changing:
                if self._stopping.is_set():
                    return
                self._process = process = self._spawn()
            code = process.wait()
            kill_group(process.pid)
            if self._stopping.is_set():
                return
            pause = FIRST_PAUSE if time.monotonic() - started > LONG_LIFE else min(pause * 2, LONGEST_PAUSE)
            self.tell(f"The {self.name} stopped ({ending(code)}) and is being restarted. Log: {self.log}")
            self._stopping.wait(pause)

    def _spawn(self) -> subprocess.Popen[bytes]:
        leash = [sys.executable, "-m", "hybridchat.services.leash", str(self._leash)]
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [*leash, *self.module],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                pass_fds=[self._leash, *self.share],
                cwd=CHECKOUT,
            )


def end(process: subprocess.Popen[bytes], patience: float) -> None:
    """SIGTERM, then SIGKILL to its whole session."""
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(patience)
    kill_group(process.pid)
    process.wait()


def kill_group(leader: int) -> None:
    """End what a process left behind in its session."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def ending(code: int) -> str:
    """How a process ended, in words."""
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name
