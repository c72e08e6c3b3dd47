"""Where a checkout keeps what it makes while running: data, logs, sockets."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
LONGEST_SOCKET_FOLDER = 80  # a Unix socket's path has room for 103 characters on macOS, 107 on Linux


def var_folder() -> Path:
    """`$HYBRIDCHAT_VAR`, or `var/` in the checkout; two checkouts side by side share nothing."""
    return Path(os.environ.get("HYBRIDCHAT_VAR") or CHECKOUT / "var").resolve()


def socket_folder(var: Path) -> Path:
    """`run/` in the var folder; where that path is too long for a socket, a folder in the temporary one."""
    near = var / "run"
    if len(str(near)) <= LONGEST_SOCKET_FOLDER:
        return near
    name = hashlib.sha256(str(var).encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"hybridchat-{os.getuid()}-{name}"
