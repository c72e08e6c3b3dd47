"""Putting places together: the landmarks file, and the cities and neighbourhoods that the data itself names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any, NamedTuple, Protocol

from agent.catalogue.places import Place
from corpora.gazetteer.distance import kilometres
from corpora.gazetteer.names import fold, keys
from corpora.gazetteer.regions import written

# How near counts as "there", in kilometres.
LANDMARK_RADIUS = 1.5
KIND_RADIUS = {"city": 0.0, "district": 1.2, "park": 1.8, "campus": 2.0, "bridge": 2.5, "island": 2.5}
KNOWN_DISTRICT_RADIUS = 0.4  # its own rows belong to it by name; who asks for it does not mean the one next to it
UNKNOWN_CITY_RADIUS = 0.0  # a city without rows has none nearby either: its neighbour is another city

MERGED_KINDS = frozenset({"district", "shopping"})  # of these, a landmark may be the neighbourhood of the same name

OUTSKIRTS = 5.0  # kilometres around the outermost row of one of several cities of a name


class Spot(NamedTuple):
    """Where something lies that the data holds."""

    city: str
    neighbourhood: str
    latitude: float
    longitude: float
    region: str = ""  # the state or province, where the address says it


class Row(Protocol):
    """What is read of a place's row."""

    name: str
    city: str
    kind: str
    latitude: float
    longitude: float
    aliases: list[str]
    radius: float | None


def places_of(rows: Iterable[Row], spots: Iterable[Sequence[Any]]) -> list[Place]:
    """Return all places, cities first, no two of them with a name in common but by their own names.

    `spots` are the fields of a Spot for everything that lies somewhere.
    """
    spots = [Spot(*spot) for spot in spots]
    named = [_place(row) for row in rows]
    cities = _with_cities(named, spots)
    districts = _with_neighbourhoods([place for place in named if place.kind != "city"], spots)
    return _without_borrowed_names([*cities, *districts])


def _place(row: Row) -> Place:
    radius = row.radius if row.radius is not None else KIND_RADIUS.get(row.kind, LANDMARK_RADIUS)
    areas = (("city", row.name),) if row.kind == "city" else ()
    return Place(row.name, row.kind, row.latitude, row.longitude, radius, row.city, tuple(row.aliases), areas)


def _with_cities(named: list[Place], spots: list[Spot]) -> list[Place]:
    """Each city under all the ways its rows spell it, and each of several cities of one name with its region."""
    cities = {fold(place.name): place for place in named if place.kind == "city"}
    rows: dict[str, list[Spot]] = {}
    for spot in spots:
        rows.setdefault(fold(spot.city), []).append(spot)
    namesakes = []
    for name, inside in rows.items():
        spellings = Counter(spot.city for spot in inside)
        usual = spellings.most_common(1)[0][0]
        if name not in cities:
            cities[name] = Place(usual, "city", *_middle(inside), UNKNOWN_CITY_RADIUS, usual)
        areas = [*cities[name].areas, *(("city", spelling) for spelling in spellings)]
        cities[name] = replace(cities[name], areas=tuple(dict.fromkeys(areas)))
        namesakes += _namesakes(usual, inside)
    return [*cities.values(), *namesakes]


def _namesakes(city: str, spots: list[Spot]) -> list[Place]:
    """Cities of one name in several regions, each by its name and region; none where no two regions are said."""
    regions: dict[str, list[Spot]] = {}
    for spot in spots:
        if spot.region:
            regions.setdefault(spot.region, []).append(spot)
    found = []
    for region, inside in regions.items() if len(regions) > 1 else ():
        middle = _middle(inside)
        name, *others = (f"{city}, {form}" for form in written(region))
        radius = OUTSKIRTS + max(kilometres(middle, (spot.latitude, spot.longitude)) for spot in inside)
        found.append(Place(name, "city", *middle, radius, city, tuple(others)))
    return found


def _with_neighbourhoods(landmarks: list[Place], spots: list[Spot]) -> list[Place]:
    """Each neighbourhood as a district, merged with the landmark that goes by its name."""
    seen = sorted({(spot.city, spot.neighbourhood) for spot in spots if spot.neighbourhood})
    twin: dict[tuple[str, str], Place] = {}
    for landmark in landmarks:
        if (area := _neighbourhood_of(landmark, seen)) is not None:
            twin.setdefault(area, landmark)
    merged = {id(landmark) for landmark in twin.values()}
    found = [landmark for landmark in landmarks if id(landmark) not in merged]
    for city, name in seen:
        unique = sum(other == name for _, other in seen) == 1
        areas = (("neighbourhood", name),) if unique else ()
        latitude, longitude = _middle([spot for spot in spots if spot[:2] == (city, name)])
        district = Place(name, "district", latitude, longitude, KNOWN_DISTRICT_RADIUS, city, (), areas)
        if (merged_with := twin.get((city, name))) is not None:
            aliases = tuple(alias for alias in (merged_with.name, *merged_with.aliases) if alias != name)
            district = replace(
                district, latitude=merged_with.latitude, longitude=merged_with.longitude, aliases=aliases
            )
        found.append(district)
    return found


def _neighbourhood_of(landmark: Place, seen: list[tuple[str, str]]) -> tuple[str, str] | None:
    """The neighbourhood that a landmark is, by the first of its names that fits one."""
    if landmark.kind not in MERGED_KINDS:
        return None
    areas = {key: area for area in seen if area[0] == landmark.city for key in keys(area[1], landmark.city)}
    names = (landmark.name, *landmark.aliases)
    return next(
        (areas[key] for name in names for key in (fold(name), *sorted(keys(name, landmark.city))) if key in areas), None
    )


def _without_borrowed_names(places: list[Place]) -> list[Place]:
    """Aliases that are another place's own name, or an earlier place's alias, are dropped."""
    owners: dict[str, int] = {}
    for number, place in enumerate(places):
        for key in keys(place.name):
            owners.setdefault(key, number)
    for number, place in enumerate(places):
        for alias in place.aliases:
            for key in keys(alias):
                owners.setdefault(key, number)
    return [
        replace(
            place, aliases=tuple(alias for alias in place.aliases if {owners[key] for key in keys(alias)} == {number})
        )
        for number, place in enumerate(places)
    ]


def _middle(spots: list[Spot]) -> tuple[float, float]:
    return round(fmean(spot[2] for spot in spots), 5), round(fmean(spot[3] for spot in spots), 5)
