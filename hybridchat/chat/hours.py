"""Opening hours as a visitor wants to hear them: "Open until 10:00 pm", "Opens today at 5:00 pm", "Closed today"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time

from agent.worksheets.wording import time_words

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DAY = 24 * 60

Hours = Mapping[str, Sequence[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Today:
    """How things stand at a moment. `open_now` is None, and `words` empty, where the hours are not known."""

    open_now: bool | None
    words: str


def hours_today(hours: Hours | None, now: datetime) -> Today:
    """Return whether a place is open at `now` (its local time), and until or from when.

    `hours` maps mon … sun to stretches of ["HH:MM", "HH:MM"]; one that ends before it starts runs past midnight.
    """
    if hours is None:
        return Today(None, "")
    minute = now.hour * 60 + now.minute
    stretches = sorted(_around(hours, now.weekday()))
    for start, stop in stretches:
        if start <= minute < stop:
            closing = _closing(stretches, stop)
            always = closing - minute > 5 * DAY
            return Today(True, "Open 24 hours" if always else f"Open until {_clock(closing)}")
    following = next((start for start, _ in stretches if start > minute), None)
    if following is None:
        return Today(False, "Closed")
    if following < DAY:
        return Today(False, f"Opens today at {_clock(following)}")
    days = following // DAY
    day = "tomorrow" if days == 1 else NAMES[(now.weekday() + days) % 7]
    return Today(False, f"Closed now, opens {day} at {_clock(following)}")


def _around(hours: Hours, weekday: int) -> Iterable[tuple[int, int]]:
    """The stretches from yesterday to a week ahead, in minutes after today's midnight."""
    for offset in range(-1, 7):
        for opens, closes in hours.get(DAYS[(weekday + offset) % 7], ()):
            start, stop = _minutes(opens), _minutes(closes)
            yield offset * DAY + start, offset * DAY + (stop if stop > start else stop + DAY)


def _closing(stretches: Sequence[tuple[int, int]], stop: int) -> int:
    """When it closes, where one stretch runs straight into the next (until 24:00 and from 00:00)."""
    for start, later in stretches:
        if start <= stop < later:
            stop = later
    return stop


def _minutes(clock: str) -> int:
    hour, minute = clock.split(":")
    return int(hour) * 60 + int(minute)


def _clock(minutes: int) -> str:
    hour, minute = divmod(minutes % DAY, 60)
    return "midnight" if not hour and not minute else time_words(time(hour, minute))
