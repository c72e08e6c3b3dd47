"""Queries that ask for more than anybody has, from their short forms, and what running one takes."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

FILE = Path("tests/fixtures/suql/greedy.sql")
ROOM = 15_000  # characters that a repeated part is repeated to
DIGITS = "7" * 4_300
NESTED = 110  # levels
EVERY = 0.01  # seconds between two looks at the memory


def families() -> Iterator[tuple[str, str]]:
    """Each query with its family. `{joined:SEP:PART}` is PART as often as there is room, `{nested:(|x|)}` x in as many
    parentheses, `{repeated:x}` x as often, `{digits}` a number of 4,300 digits."""
    family = ""
    for line in FILE.read_text(encoding="utf-8").split("\n"):
        if line.startswith("# "):
            family = line[2:]
        elif line:
            yield family, written_out(line)


def written_out(line: str) -> str:
    """A query with its short forms written out."""
    shares = max(1, len(re.findall(r"\{(?:joined|repeated)", line)))
    line = line.replace("{digits}", DIGITS)
    line = re.sub(r"\{repeated:(.+?)\}", lambda found: found[1] * (ROOM // shares // len(found[1].encode())), line)
    line = re.sub(r"\{nested:(.*?)\|(.+?)\|(.*?)\}", lambda f: f[1] * NESTED + f[2] + f[3] * NESTED, line)
    return re.sub(r"\{joined:(.*?):((?:[^{}]|\{n\})+)\}", lambda found: _joined(found[1], found[2], shares), line)


def _joined(separator: str, part: str, shares: int) -> str:
    count = ROOM // shares // (len(part) + len(separator) + 2)
    return separator.join(part.replace("{n}", str(number)) for number in range(1, count + 1))


@dataclass
class Taken:
    """What a query took at most beyond what was there before, in bytes, and how long it ran, in seconds."""

    server: dict[int, int] = field(default_factory=dict)
    engine: int = 0
    seconds: float = 0.0

    @property
    def memory(self) -> int:
        return max(self.server.values(), default=0) + self.engine


@contextmanager
def watched(backends: list[int]) -> Iterator[Taken]:
    """Watches this process, and the database's own processes whose ids come to the list meanwhile."""
    taken, over, before = Taken(), threading.Event(), _own(os.getpid())

    def watch() -> None:
        while not over.wait(EVERY):
            taken.engine = max(taken.engine, _own(os.getpid()) - before)
            for backend in list(backends):
                taken.server[backend] = max(taken.server.get(backend, 0), _own(backend))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    started = time.monotonic()
    try:
        yield taken
    finally:
        taken.seconds = time.monotonic() - started
        over.set()
        thread.join()


def _own(process: int) -> int:
    """The memory that a process has for itself."""
    try:
        memory = psutil.Process(process).memory_info()
    except psutil.NoSuchProcess:
        return 0
    return int(memory.rss - memory.shared)
