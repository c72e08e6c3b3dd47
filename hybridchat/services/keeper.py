"""Keep one server running as long as anybody uses it. A script of its own: standard library only, small and quick.

    python -I -S keeper.py FOLDER STOP_SIGNAL UID GID LOG MEMORY COMMAND…

FOLDER holds three files: `users.lock`, which every user of the server locks shared for as long as it lives;
`keeper.lock`, which the keeper locks for as long as it lives; `server.pid`. A server that dies is started again. When
the exclusive lock on `users.lock` is ours, nobody is left: the server is stopped, and only then is the lock let go, so
that whoever comes next waits for a clean end and starts afresh. Locks vanish with their process: none can go stale.
UID -1 means: as whoever runs the keeper. MEMORY is how many bytes each process of the server may have for itself, 0 for
as many as there are.
"""

import fcntl
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

PATIENCE = 20.0  # seconds a server gets to stop by itself
SHORT_LIFE = 2.0  # seconds; a server that lives shorter than this did not really start
TRIES = 8  # short lives in a row before giving up; after a kill PostgreSQL refuses until its old children are gone


class Keeper:
    """One server process and what it takes to start, restart and stop it."""

    def __init__(self, folder: Path, stop: int, uid: int, gid: int, log: Path, command: list[str]) -> None:
        self.folder, self.stop_signal, self.log, self.command = folder, stop, log, command
        self.uid, self.gid = uid if uid >= 0 else None, gid if gid >= 0 else None
        self.pid_file = folder / "server.pid"
        self.stopping = threading.Event()
        self.server: subprocess.Popen[bytes] | None = None
        self.changing = threading.Lock()

    def run(self) -> int:
        """Until nobody uses the server (0) or it cannot be kept running (1)."""
        threading.Thread(target=self.stop_when_unused, daemon=True).start()
        short_lives = 0
        try:
            while short_lives < TRIES:
                started = time.monotonic()
                with self.changing:
                    if self.stopping.is_set():
                        return 0
                    self.server = self.spawn()
                self.server.wait()
                short_lives = short_lives + 1 if time.monotonic() - started < SHORT_LIFE else 0
                self.stopping.wait(0.1 * (short_lives + 1))
        finally:
            self.pid_file.unlink(missing_ok=True)
        return 1

    def spawn(self) -> "subprocess.Popen[bytes]":
        """Start the server, its output in the log, away from the terminal's signals."""
        with self.log.open("ab") as log:
            server = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                user=self.uid,
                group=self.gid,
                extra_groups=None if self.uid is None else [],
            )
        self.tell(server.pid)
        return server

    def tell(self, pid: int) -> None:
        """Write down which process the server is, in one step: whoever reads at this moment reads a whole number."""
        draft = self.pid_file.with_suffix(".new")
        draft.write_text(str(pid))
        draft.replace(self.pid_file)

    def stop_when_unused(self) -> None:
        """Wait, inside the kernel, for the last user to go."""
        lock = os.open(self.folder / "users.lock", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.stop()

    def stop(self, *_: object) -> None:
        """Ask the server to stop, insist after a while. `run` returns when it has."""
        self.stopping.set()
        with self.changing:
            server = self.server
        if server is None:
            return
        server.send_signal(self.stop_signal)
        try:
            server.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            server.kill()


def main(arguments: list[str]) -> int:
    """Take the keeper's lock, or leave it to the keeper that has it."""
    folder, stop, uid, gid, log, memory, *command = arguments
    lock = os.open(Path(folder) / "keeper.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return 0
    if int(memory):
        resource.setrlimit(resource.RLIMIT_DATA, (int(memory), int(memory)))  # the server's processes inherit it
    keeper = Keeper(Path(folder), int(stop), int(uid), int(gid), Path(log), command)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, lambda *_: threading.Thread(target=keeper.stop).start())
    return keeper.run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
