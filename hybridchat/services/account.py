"""The system account PostgreSQL runs as. It refuses to run as root; everywhere else it runs as whoever started it."""

from __future__ import annotations

import os
import pwd
import stat
from dataclasses import dataclass
from pathlib import Path

CANDIDATES = ("postgres", "nobody")
READ_AND_ENTER = stat.S_IROTH | stat.S_IXOTH


@dataclass(frozen=True)
class Account:
    """An unprivileged account to hand the data folder to and to drop to."""

    uid: int
    gid: int


def account_for(data: Path) -> Account | None:
    """None: stay who we are. As root, the owner of an existing data folder, else the first candidate there is."""
    if os.geteuid() != 0:
        return None
    if data.exists() and data.stat().st_uid != 0:
        return Account(data.stat().st_uid, data.stat().st_gid)
    for name in CANDIDATES:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(entry.pw_uid, entry.pw_gid)
    raise LookupError(f"PostgreSQL does not run as root, and none of the accounts {', '.join(CANDIDATES)} exists.")


def hand_over(folder: Path, account: Account | None) -> None:
    """Create a private folder that belongs to the account, reachable by it."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o755)
    if account is not None:
        os.chown(folder, account.uid, account.gid)
        let_through(folder)
    folder.chmod(0o700)


def let_through(path: Path) -> None:
    """Let other accounts pass through (not list) the folders above `path`: a checkout under /root needs it."""
    for parent in path.resolve().parents:
        mode = parent.stat().st_mode
        if not mode & stat.S_IXOTH:
            parent.chmod(mode | stat.S_IXOTH)


def let_read(tree: Path) -> None:
    """Let other accounts read and run an installed tree; wheels unpacked under a strict umask are not."""
    let_through(tree)
    for path in (tree, *tree.rglob("*")):
        if path.is_symlink():
            continue
        mode = path.stat().st_mode
        runnable = path.is_dir() or mode & stat.S_IXUSR
        path.chmod(mode | (READ_AND_ENTER if runnable else stat.S_IROTH))
