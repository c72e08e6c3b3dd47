"""A server whose keeper was killed: it has to go before another keeper starts its own."""

from __future__ import annotations

import signal
from pathlib import Path

import psutil

PATIENCE = 20.0  # seconds


def evict(pid_file: Path, binary: str, stop: signal.Signals) -> None:
    """Stop the server that `pid_file` names, if there is one and it is one; a number may belong to another by now."""
    if not pid_file.exists():
        return
    text = pid_file.read_text().strip()
    pid_file.unlink()
    try:
        server = psutil.Process(int(text))
        if not " ".join(server.cmdline()).startswith(binary):
            return
        server.send_signal(stop)
        server.wait(PATIENCE)
    except (ValueError, psutil.NoSuchProcess, psutil.ZombieProcess):
        return
    except psutil.TimeoutExpired:
        server.kill()
