"""The secret key of a laptop: made once, kept in the var folder, so that sessions survive a restart."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def laptop_secret(var: Path) -> str:
    """Read the key, or make it; two processes that make it at once end up with the same one."""
    path = var / "secret-key"
    if not path.exists():
        var.mkdir(parents=True, exist_ok=True)
        draft = var / f"secret-key.{os.getpid()}"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(50))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # another process was first: its key is the key
        finally:
            draft.unlink()
    return path.read_text()
