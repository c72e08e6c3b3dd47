"""How much of a message is read, so that reading takes a bounded time whatever is sent.

Nobody says more than a page to an assistant, nor a word of a hundred letters. What goes beyond that is a paste, a
mistake, or meant to be slow: it is left unread, and that is said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

MESSAGE = 1_000  # characters of a message that are read
QUESTIONS = 8  # sentences of a message that ask: each is read for itself and against the others
WORD = 40  # letters: a longer "word" is none of a language, so it is never put right or looked up
DIGITS = 15  # of a number; what has more is none that anybody counts or pays with
_RUN = 16  # signs and spaces in a row that are read
_ROW = re.compile(r"[\W_]+")
_SIGNS_BEFORE = re.compile(r"[\W_]*")
_SIGNS_AFTER = re.compile(r"[\W_]*\Z")
_QUESTION = re.compile(r"\?\W*(?<=\s)(?=\w)")
_SIGNS = re.compile(rf"[\W_]{{{_RUN + 1},}}")
_LONG = 40  # characters: what is kept of a message and is longer is in the words of its writer, not a date or a choice
_WORDS = re.compile(r"[^\W_]+")
_SHOWN = 40  # characters of what is left unread, as it is told


@dataclass(frozen=True, slots=True)
class Bounded:
    """The part of a message that is read, how the rest begins (empty where all is read), and the whole message."""

    text: str
    unread: str
    message: str

    @property
    def note(self) -> str:
        """What to say of the part that was left unread; empty where there is none."""
        return f"I read only the first part of that message, up to “{self.unread}”." if self.unread else ""

    def written(self, value: str) -> str:
        """A text that was taken from the part that is read, as its writer wrote it: with its rows of signs, its lines,
        and, where most of what was read went into it, with what was left unread."""
        words = _WORDS.findall(value)
        if len(value) <= _LONG or not words:
            return value
        said = re.search(r"[\W_]+".join(words), self.message)
        if said is None:
            return value
        before, after = self.message[: said.start()], self.message[said.end() :]
        lead, tail = _SIGNS_BEFORE.match(value), _SIGNS_AFTER.search(value)
        first = _kept(before[::-1], lead[0][::-1] if lead else "")[::-1]
        if self.unread and len(value) > MESSAGE // 2 and value.rstrip().endswith(self.text.split()[-1]):
            return f"{first}{said[0]}{after}".strip()
        return f"{first}{said[0]}{_kept(after, tail[0] if tail else '')}"


def bounded(message: str) -> Bounded:
    """Cuts a message after its last question, sentence or word that is read, and shortens endless rows of signs."""
    text = _SIGNS.sub(_shortened, message)
    asked = next(islice(_QUESTION.finditer(text, 0, MESSAGE), QUESTIONS - 1, None), None)
    if asked is None and len(text) <= MESSAGE:
        return Bounded(text, "", message)
    stop = asked.end() if asked is not None else _end(text[:MESSAGE])
    unread = " ".join(text[stop : stop + 2 * _SHOWN].split())[:_SHOWN].rstrip() + " …"
    return Bounded(text[:stop].rstrip(), unread, message)


def _kept(signs: str, kept: str) -> str:
    """The signs beside a text of which some are kept with it: those themselves, or all of a row that was shortened."""
    row = _ROW.match(signs)
    return kept if signs.startswith(kept) or row is None else row[0].rstrip()


def _shortened(run: re.Match[str]) -> str:
    """A row of signs without its middle; lines stay apart."""
    inner = "\n" if "\n" in run[0][_RUN - 2 : -1] else run[0][_RUN - 2]
    return f"{run[0][: _RUN - 2]}{inner}{run[0][-1]}"


def _end(text: str) -> int:
    """Where the last whole sentence of a text ends, or its last whole word, in its second half; else its end."""
    half = len(text) // 2
    stops = (max(text.rfind(f"{stop}{space}", half) for stop in ".!?\n" for space in " \n") + 1, text.rfind(" ", half))
    return next((stop for stop in stops if stop > half), len(text))
