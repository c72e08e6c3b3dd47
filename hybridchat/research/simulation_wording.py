"""How a simulated user puts things: machine values in words, and moves such as yes, no and "make it 7".

The wordings are general and lie in `development/simulated_wording.toml`; which one is used is drawn by a seeded
generator, so that a goal always makes the same conversation with the same agent.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Sequence
from datetime import date, time
from functools import lru_cache
from pathlib import Path
from typing import Any

from agent.worksheets.specification import Basic, Field

WORDINGS = Path(__file__).parent / "development" / "simulated_wording.toml"
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
TYPING_ERRORS = 0.12  # share of the ordinary words that a hurried typist gets wrong
SHORTEST_MISTYPED = 5  # letters


@lru_cache(maxsize=1)
def wordings() -> dict[str, Any]:
    """The lists, by name."""
    return tomllib.loads(WORDINGS.read_text(encoding="utf-8"))


class Voice:
    """The words of one user. `today` is the day of the conversation."""

    def __init__(self, seed: str, style: str, today: date) -> None:
        self._random = random.Random(seed)  # noqa: S311 - it draws wordings, no secrets
        self.style = style
        self._today = today

    def one(self, *names: str) -> str:
        """A wording from a list, by its place in the file: `one("moves", "agree")`."""
        lists: Any = wordings()
        for name in names:
            lists = lists[name]
        return str(self._random.choice(lists))

    def some(self, most: int) -> int:
        """How many of `most` things, at random; a terse user tells less."""
        return self._random.randint(0, min(most, 1) if self.style == "terse" else most)

    def shuffled(self, things: Sequence[Any]) -> list[Any]:
        return self._random.sample(list(things), len(things))

    def styled(self, words: str) -> str:
        """The words with the small talk around them, or the typing errors, of the user's style."""
        style = wordings()["styles"][self.style]
        said = f"{self._random.choice(style['before'])}{words}{self._random.choice(style['after'])}"
        return self._mistyped(said) if self.style == "typos" else said

    def value(self, field: Field, value: Any) -> str:
        """A machine value in words."""
        match field.type.basic:
            case Basic.DATE:
                return self._date(date.fromisoformat(value))
            case Basic.TIME:
                return self._time(time.fromisoformat(value))
            case Basic.BOOLEAN:
                return self.one("booleans", "yes" if value else "no")
            case Basic.INTEGER if value < len(NUMBERS) and self._random.random() < 0.4:
                return NUMBERS[value]
            case Basic.ENUM if self.style != "plain":
                return str(value).lower()
        return str(value)

    def _date(self, day: date) -> str:
        ahead = (day - self._today).days
        kind = "past" if ahead < 0 else {0: "today", 1: "tomorrow"}.get(ahead, "near" if ahead < 7 else "far")
        return self.one("dates", kind).format(
            weekday=f"{day:%A}", month=f"{day:%B}", short=f"{day:%b}", day=day.day, ordinal=_ordinal(day.day)
        )

    def _time(self, moment: time) -> str:
        hour = moment.hour % 12 or 12
        kind = (
            "noon"
            if (moment.hour, moment.minute) == (12, 0)
            else "morning"
            if moment.hour < 12
            else {0: "whole", 30: "half"}.get(moment.minute, "other")
        )
        return self.one("times", kind).format(
            hour=hour, minute=f"{moment:%M}", clock=f"{moment:%H:%M}", word=NUMBERS[hour]
        )

    def _mistyped(self, text: str) -> str:
        """Two letters exchanged in some ordinary words; not in names, numbers or addresses, which people check."""
        words = text.split(" ")
        return " ".join(
            self._exchanged(word)
            if re.fullmatch(rf"[a-z]{{{SHORTEST_MISTYPED},}}", word) and self._random.random() < TYPING_ERRORS
            else word
            for word in words
        )

    def _exchanged(self, word: str) -> str:
        place = self._random.randint(1, len(word) - 2)
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]


def _ordinal(number: int) -> str:
    last = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if 10 < number % 100 < 20 else last}"
