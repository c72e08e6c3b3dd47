"""The quarters of the academic year, and which is the next one that a course can be taken in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from corpora.models import Season

# When the quarters of this university begin (month, day), and for how long after that one can still get in.
BEGINS = {Season.WINTER: (1, 5), Season.SPRING: (3, 30), Season.SUMMER: (6, 22), Season.AUTUMN: (9, 21)}
GRACE = timedelta(weeks=2)


@dataclass(frozen=True, slots=True)
class Term:
    """One quarter; `year` is the calendar year it begins in."""

    season: Season
    year: int

    @property
    def begins(self) -> date:
        return date(self.year, *BEGINS[self.season])

    def __str__(self) -> str:
        return f"{self.season.value} {self.year}"


def next_term(season: str, today: date) -> Term:
    """Return the next quarter of this season that can still be entered."""
    this_year = Term(Season(season), today.year)
    return this_year if today <= this_year.begins + GRACE else Term(Season(season), today.year + 1)
