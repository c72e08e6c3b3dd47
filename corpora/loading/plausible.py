"""Coordinates that are within range and cannot be meant."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import Any

from corpora.gazetteer.distance import kilometres
from corpora.loading.reading import Contents, Problem
from corpora.models import Restaurant

SOUTHERNMOST = -60.0  # degrees; nobody lives south of it
NEAR, FAR = 100.0, 500.0  # kilometres from the middle of its city
SWAPPED = "lat and lon look swapped"

Spot = tuple[float, float]


def misplaced(contents: Contents[Any]) -> Iterator[Problem]:
    """Lines whose coordinates are nowhere, or lie in their city only with latitude and longitude swapped."""
    placed = [
        (record, place)
        for record, place in zip(contents.records, contents.places, strict=True)
        if hasattr(record, "lat")
    ]
    cities: dict[str, list[Spot]] = {}
    for record, _ in placed:
        if record.city:
            cities.setdefault(record.city.casefold(), []).append((record.lat, record.lon))
    for city, *spot in Restaurant.objects.values_list("city", "latitude", "longitude") if placed else ():
        if city.casefold() in cities:
            cities[city.casefold()].append((spot[0], spot[1]))
    middles = {city: (median(s[0] for s in spots), median(s[1] for s in spots)) for city, spots in cities.items()}
    for record, (file, line) in placed:
        if reason := _reason((record.lat, record.lon), middles.get(record.city.casefold())):
            yield Problem(file, line, "lat, lon", reason, f"{record.lat:g}, {record.lon:g}")


def _reason(spot: Spot, middle: Spot | None) -> str:
    if spot == (0, 0):
        return "should be where the place is: 0, 0 lies in the sea and stands for “not known”"
    if spot[0] < SOUTHERNMOST:
        return f"should be where people live, and {SWAPPED}"
    swapped = spot[1], spot[0]
    if middle and abs(spot[1]) <= 90 and kilometres(spot, middle) > FAR and kilometres(swapped, middle) < NEAR:
        return f"should be near the rest of its city, and {SWAPPED}"
    return ""
