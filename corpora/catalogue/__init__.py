"""The catalogue: what the views of the schema `kb` mean, for the engine and for whoever turns words into SUQL."""

from __future__ import annotations

from functools import lru_cache

from agent.catalogue.tables import Catalogue, ForeignKey
from corpora.catalogue import courses, restaurants, services
from corpora.catalogue.cards import Part
from corpora.catalogue.courses import COURSES, OFFERINGS, PROGRAMS, RATINGS
from corpora.catalogue.restaurants import RESTAURANTS
from corpora.catalogue.services import ARTICLES

__all__ = ["brought_parts", "catalogue"]

CARDS: dict[str, tuple[Part, ...]] = {**restaurants.CARDS, **courses.CARDS, **services.CARDS}


def brought_parts(table: str) -> tuple[Part, ...]:
    """Return the parts of cards that a table brings along; none where its columns' kinds decide."""
    return CARDS.get(table, ())


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """All tables a query may see. Narrow it to an assistant's with `.only(...)`."""
    return Catalogue(
        tables=(RESTAURANTS, COURSES, OFFERINGS, RATINGS, PROGRAMS, ARTICLES),
        foreign_keys=(
            ForeignKey("offerings", "course_id", "courses", "course_id"),
            ForeignKey("ratings", "course_id", "courses", "course_id"),
        ),
        schema="kb",
        passages="passages",
    )
