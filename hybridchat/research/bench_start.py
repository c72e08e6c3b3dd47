"""Times `manage.py run` from the command to the line with the address: the first start, and later ones."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hybridchat.services.folder import CHECKOUT
from hybridchat.services.port import free_port

AGAIN = 3  # later starts
EMBEDDED = ("DATABASE_URL", "REDIS_URL")  # left out of the environment, so that what is started is measured


def measure_starts() -> list[float]:
    """Seconds of a first start in an empty folder, which loads the sample corpora, and of later ones in the same.

    Raises RuntimeError, with what was printed, where the address never comes.
    """
    with tempfile.TemporaryDirectory() as folder:
        return [_start(Path(folder)) for _ in range(1 + AGAIN)]


def start_table(seconds: list[float]) -> str:
    """The first start, the median of the later ones, and what part of the first that is."""
    first, later = seconds[0], statistics.median(seconds[1:])
    told = f"median of {len(seconds) - 1}), {later / first:.2f} of the first"
    return f"first start {first:6.1f} s\nlater start {later:6.1f} s ({told}"


def _start(var: Path) -> float:
    environment = {name: value for name, value in os.environ.items() if name not in EMBEDDED}
    environment["HYBRIDCHAT_VAR"] = str(var)
    command = [sys.executable, "manage.py", "run", "--port", str(free_port("127.0.0.1", 8100))]
    started = time.perf_counter()
    printed = []
    with subprocess.Popen(
        command,
        cwd=CHECKOUT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            printed.append(line)
            if line.startswith("hybridchat is at"):
                seconds = time.perf_counter() - started
                os.killpg(process.pid, signal.SIGINT)
                process.communicate()
                return seconds
    raise RuntimeError("The site did not start:\n" + "".join(printed))
