"""What the parser needs to know of a table, found in the catalogue: which column is the price, which the opinions."""

from __future__ import annotations

from dataclasses import dataclass

from agent.catalogue.tables import Column, Kind, Table
from agent.parsing.lexicon import load


@dataclass(frozen=True, slots=True)
class Profile:
    """The parts that columns play. A part is (table, column), or None where no column plays it."""

    table: Table
    rating: tuple[str, str] | None
    popularity: tuple[str, str] | None
    scale: tuple[str, str] | None
    opinions: tuple[str, str] | None
    introduction: tuple[str, str] | None
    dishes: tuple[str, str] | None
    kinds: tuple[str, str] | None
    location: tuple[str, str] | None
    hours: tuple[str, str] | None

    @property
    def noun(self) -> str:
        """What one row is called: "restaurant"."""
        return self.table.noun[0]


def profile(main: Table) -> Profile:
    """The profile of a table."""

    def part(
        *, kind: Kind, speaks: str = "", names: tuple[str, ...] = (), many: bool | None = None
    ) -> tuple[str, str] | None:
        for column in main.columns:
            fits = column.kind is kind and (many is None or column.many is many)
            if fits and not column.hidden and _speaks(column, speaks, names):
                return main.name, column.name
        return None

    return Profile(
        table=main,
        rating=part(kind=Kind.NUMBER, speaks="rated"),
        popularity=part(kind=Kind.NUMBER, names=("num_reviews", "num_ratings"), speaks="number of reviews"),
        scale=part(kind=Kind.ENUM, names=tuple(load("scales"))),
        opinions=part(kind=Kind.FREE_TEXT, speaks="comments"),
        introduction=part(kind=Kind.FREE_TEXT, speaks="introduction", many=False),
        dishes=part(kind=Kind.FREE_TEXT, speaks="dishes", many=True),
        kinds=part(kind=Kind.ENUM, speaks="cuisine", many=True),
        location=part(kind=Kind.LOCATION),
        hours=part(kind=Kind.OPENING_HOURS),
    )


def _speaks(column: Column, word: str, names: tuple[str, ...]) -> bool:
    if not word and not names:
        return True
    return column.name in names or (bool(word) and word in column.synonyms)
