"""A progress bar for the terminal, with the time that remains; plain lines where the output is not a terminal."""

from __future__ import annotations

import time

from django.core.management.base import OutputWrapper

WIDTH = 30
EVERY = 10.0  # seconds between plain lines


class Progress:
    """`Progress(out, "Embedding")(done, total)` as often as there is something to say."""

    def __init__(self, out: OutputWrapper, title: str) -> None:
        self._out, self._title = out, title
        self._started = self._said = time.monotonic()
        self._terminal = out.isatty()

    def __call__(self, done: int, total: int) -> None:
        now, finished = time.monotonic(), done >= total
        if self._terminal:
            filled = WIDTH * done // max(total, 1)
            bar = "█" * filled + "░" * (WIDTH - filled)
            line = f"\r{self._title} {bar} {done}/{total}, {self._remaining(done, total)}\x1b[K"
            self._out.write(line, ending="\n" if finished else "")
        elif finished or now - self._said > EVERY:
            self._said = now
            self._out.write(f"{self._title}: {done} of {total}, {self._remaining(done, total)}")
        self._out.flush()

    def _remaining(self, done: int, total: int) -> str:
        spent = time.monotonic() - self._started
        if done >= total:
            return f"done in {spent:.0f} s"
        left = round(spent / max(done, 1) * (total - done))
        return f"{left // 60}:{left % 60:02d} left"
