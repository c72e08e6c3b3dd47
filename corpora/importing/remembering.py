"""What was seen of a file before, kept on disk: many millions of rows take no more memory than a few."""

from __future__ import annotations

import sqlite3


class Remembered:
    """Keys, and where each was seen first; and things, and how often each was seen. Its own file, gone with it."""

    def __init__(self) -> None:
        self._file = sqlite3.connect("", isolation_level=None, check_same_thread=False)  # "" is a temporary file
        self._file.executescript(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768; BEGIN;"
            "CREATE TABLE first (key PRIMARY KEY, line) WITHOUT ROWID;"
            "CREATE TABLE times (key PRIMARY KEY, number) WITHOUT ROWID"
        )

    def before(self, key: str, line: int) -> int | None:
        """Return the line on which a key was seen before; None where it is seen for the first time, which is noted."""
        if self._file.execute("INSERT OR IGNORE INTO first VALUES (?, ?)", (key, line)).rowcount:
            return None
        found = self._file.execute("SELECT line FROM first WHERE key = ?", (key,)).fetchone()
        return int(found[0])

    def count(self, thing: bytes) -> int:
        """Return how often something was seen, this time included."""
        found = self._file.execute(
            "INSERT INTO times VALUES (?, 1) ON CONFLICT (key) DO UPDATE SET number = number + 1 RETURNING number",
            (thing,),
        ).fetchone()
        return int(found[0])
