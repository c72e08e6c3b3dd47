"""The gazetteer of the corpora: cities, districts and landmarks by name, for LOCATION columns and the parser."""

from __future__ import annotations

from functools import lru_cache

from corpora.gazetteer.building import Spot, places_of
from corpora.gazetteer.regions import region_of
from corpora.gazetteer.resolving import NamedPlaces
from corpora.models import Place, Restaurant

__all__ = ["NamedPlaces", "gazetteer"]


@lru_cache(maxsize=1)
def gazetteer() -> NamedPlaces:
    """Return the gazetteer of this process, read once. Call it outside the event loop."""
    rows = Restaurant.objects.values_list("city", "neighbourhood", "latitude", "longitude", "address")
    spots = [Spot(*row[:4], region_of(row[4], row[0])) for row in rows]
    return NamedPlaces(places_of(Place.objects.order_by("pk"), spots))
