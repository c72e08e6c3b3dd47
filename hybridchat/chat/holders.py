"""Who holds a lease: names that tell, on the same machine, whether the process is still there.

A name is ROLE:HOST:PID NAMESPACE:PID:TOKEN. The namespace keeps two containers apart that share a host's name; the
token keeps two tries of one process apart. Of processes elsewhere nothing is known but that their lease runs out.
"""

from __future__ import annotations

import os
import secrets
import socket
from pathlib import Path

NAMESPACE = Path("/proc/self/ns/pid")


def new_holder(role: str) -> str:
    """Return a name for this process as the holder of a turn. `role` is "web" or "worker"."""
    return f"{role}:{_here()}:{os.getpid()}:{secrets.token_hex(4)}"


def is_gone(holder: str) -> bool:
    """Return whether the holder was a process of this machine that has ended. False if unknown."""
    parts = holder.rsplit(":", 2)
    if len(parts) != 3 or parts[0].partition(":")[2] != _here() or not parts[1].isdecimal():
        return False
    try:
        os.kill(int(parts[1]), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False


def _here() -> str:
    """This machine, as far as process numbers are unique on it."""
    namespace = NAMESPACE.readlink().name.strip("pid:[]") if NAMESPACE.is_symlink() else ""
    return f"{socket.gethostname()}:{namespace}"
