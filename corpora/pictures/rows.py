"""Drawings of rows, by the name that their addresses hold."""

from __future__ import annotations

from corpora.models import Restaurant
from corpora.pictures import restaurant_picture


def picture_of_row(slug: str) -> str | None:
    """Return the SVG of a row; None where there is no such row."""
    place = Restaurant.objects.filter(slug=slug).first()
    return restaurant_picture(place.slug, place.name, place.cuisines) if place else None
