"""Whether a reply says only what was found, as far as code can tell.

Three kinds of words are easy to invent and easy to check: figures (prices, ratings, times, telephone numbers, units),
the names set in bold, and addresses of pages. Each has to stand in the facts the reply was written from.
"""

from __future__ import annotations

import re

_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_LINK = re.compile(r"\b(?:https?://|www\.)[^\s)>\]\"]+", re.IGNORECASE)
_LIST_NUMBER = re.compile(r"^\s*\d+[.)]\s", re.MULTILINE)
_HALF_DAY = re.compile(r"\b(\d{1,2})(?:[:.](\d{2}))?\s*([ap])\.?m\b", re.IGNORECASE)
_CLOCK = re.compile(r"([01]?\d|2[0-4]):([0-5]\d)")

SMALL = 12
"""Whole numbers up to here may be counts of what is shown ("both", "these 3") and are left alone."""


def unsupported(text: str, known: str, small: int = SMALL) -> list[str]:
    """The figures, bold names and links in `text` that `known` does not have, in the order they stand, each once.

    Whole numbers up to `small` are left alone.
    """
    supported = _Figures(known, small)
    figures = _figures(_in_24_hours(_LIST_NUMBER.sub("", text)))
    invented = [figure for figure in figures if figure not in supported]
    folded = _fold(known)
    invented += [name for name in _BOLD.findall(text) if _fold(name) not in folded]
    invented += [link for link in _LINK.findall(text) if link.rstrip(".,;") not in known]
    return list(dict.fromkeys(invented))


def without_unsupported(text: str, known: str) -> str:
    """`text` without the sentences and list items that hold something unsupported."""
    lines = []
    for line in text.splitlines():
        kept = [part for part in re.split(r"(?<=[.!?])\s+(?=[A-Z*])", line) if not unsupported(part, known)]
        if kept or not line.strip():
            lines.append(" ".join(kept))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


class _Figures:
    """The figures of a text, however they may be written."""

    def __init__(self, known: str, small: int) -> None:
        self._small = small
        figures = _figures(_in_24_hours(known))
        self._written = set(figures) | {figure for run in re.findall(r"\d+", known) for figure in _figures(run)}
        self._written |= {clock for figure in figures for clock in _half_day_clocks(figure)}
        self._numbers = [number for figure in self._written if (number := _number(figure)) is not None]

    def __contains__(self, figure: str) -> bool:
        if figure in self._written:
            return True
        number = _number(figure)
        if number is None:
            return False
        if number.is_integer():
            return number <= self._small or number in self._numbers
        places = len(figure.partition(".")[2])
        return any(round(known, places) == number for known in self._numbers)


def _figures(text: str) -> list[str]:
    """The figures as one writes them least: 1,204 as 1204 and 4.50 as 4.5; a clock's time stays as it is."""
    return [_least(figure) for figure in _FIGURE.findall(text)]


def _least(figure: str) -> str:
    number = _number(figure)
    if number is None or len(figure) > 11:
        return figure
    return f"{number:.10g}"


def _number(figure: str) -> float | None:
    try:
        return float(figure.replace(",", ""))
    except ValueError:
        return None


def _half_day_clocks(figure: str) -> set[str]:
    """21:30 may be written 9:30 where the evening is understood."""
    clock = _CLOCK.fullmatch(figure)
    if clock is None:
        return set()
    hour = int(clock[1]) % 12
    return {f"{hour:02d}:{clock[2]}", f"{hour or 12:02d}:{clock[2]}"}


def _in_24_hours(text: str) -> str:
    """ "9:30 pm" and "21:30" are one time, and so are 24:00 and midnight's 00:00."""

    def hours(found: re.Match[str]) -> str:
        hour = int(found[1]) % 12 + (12 if found[3].lower() == "p" else 0)
        return f"{hour:02d}:{found[2] or '00'}"

    plain = _HALF_DAY.sub(hours, text)
    return _CLOCK.sub(lambda found: f"{int(found[1]) % 24:02d}:{found[2]}", plain)


def _fold(text: str) -> str:
    """Lower case, letters and digits only, single spaces."""
    return re.sub(r"[\W_]+", " ", text.casefold()).strip()
