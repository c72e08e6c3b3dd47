"""How much of a message is read, so that reading takes a bounded time whatever is sent.

Nobody says more than a page to an assistant, nor a word of a hundred letters. What goes beyond that is a paste, a
mistake, or meant to be slow: it is left unread, and that is said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MESSAGE = 2_000  # characters of a message that are read
WORD = 40  # letters: a longer "word" is none of a language, so it is never put right or looked up
DIGITS = 15  # of a number; what has more is none that anybody counts or pays with
_RUN = 16  # signs and spaces in a row that are read
_SIGNS = re.compile(rf"[\W_]{{{_RUN + 1},}}")
_SHOWN = 40  # characters of what is left unread, as it is told


@dataclass(frozen=True, slots=True)
class Bounded:
    """The part of a message that is read, and how the rest begins; empty where all is read."""

    text: str
    unread: str = ""

    @property
    def note(self) -> str:
        """What to say of the part that was left unread; empty where there is none."""
        return f"I read only the first part of that message, up to “{self.unread}”." if self.unread else ""


def bounded(message: str) -> Bounded:
    """Cuts a message at the end of the last sentence or word that is read, and shortens endless rows of signs."""
    text = _SIGNS.sub(_shortened, message)
    if len(text) <= MESSAGE:
        return Bounded(text)
    stop = _end(text[:MESSAGE])
    return Bounded(text[:stop].rstrip(), " ".join(text[stop : stop + 2 * _SHOWN].split())[:_SHOWN].rstrip() + " …")


def _shortened(run: re.Match[str]) -> str:
    """A row of signs without its middle; lines stay apart."""
    inner = "\n" if "\n" in run[0][_RUN - 2 : -1] else run[0][_RUN - 2]
    return f"{run[0][: _RUN - 2]}{inner}{run[0][-1]}"


def _end(text: str) -> int:
    """Where the last whole sentence of a text ends, or its last whole word, in its second half; else its end."""
    half = len(text) // 2
    stops = (max(text.rfind(f"{stop}{space}", half) for stop in ".!?\n" for space in " \n") + 1, text.rfind(" ", half))
    return next((stop for stop in stops if stop > half), len(text))
