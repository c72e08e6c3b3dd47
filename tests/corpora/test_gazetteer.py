"""Places are found by their names, other names, parts of names and misspellings, and by the data's own areas."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from agent.catalogue.places import Place
from corpora.gazetteer.building import KNOWN_DISTRICT_RADIUS, places_of
from corpora.gazetteer.names import fold
from corpora.gazetteer.regions import region_of
from corpora.gazetteer.resolving import NamedPlaces
from tests.corpora.conftest import SAMPLE


def row(name: str, kind: str, city: str = "Springfield", **changes: object) -> SimpleNamespace:
    values = {"latitude": 1.0, "longitude": 2.0, "aliases": [], "radius": None} | changes
    return SimpleNamespace(name=name, kind=kind, city=city, **values)


@pytest.fixture(scope="module")
def sample() -> NamedPlaces:
    rows = []
    for file in ("landmarks.jsonl", "districts.jsonl"):
        for line in map(json.loads, (SAMPLE / file).read_text().splitlines()):
            values = {"latitude": line["lat"], "longitude": line["lon"], "radius": line.get("radius")}
            rows.append(SimpleNamespace(**{name: line[name] for name in ("name", "city", "kind", "aliases")}, **values))
    spots = []
    for path in sorted((SAMPLE / "restaurants").glob("*.jsonl")):
        for line in map(json.loads, path.read_text().splitlines()):
            spots.append((line["city"], line["neighbourhood"], line["lat"], line["lon"]))
    return NamedPlaces(places_of(rows, spots))


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Palo Alto", "Palo Alto"),
        ("palo alto", "Palo Alto"),
        ("SF", "San Francisco"),
        ("the city", "San Francisco"),
        ("San Fransisco", "San Francisco"),
        ("Cupertno", "Cupertino"),
        ("sunnyvale, ca", "Sunnyvale"),
        ("castro", "Castro"),
        ("the Castro", "Castro"),
        ("Castro District", "Castro"),
        ("Mission", "Mission District"),
        ("FiDi", "Financial District"),
        ("university ave", "University Avenue"),
        ("downtown palo alto", "University Avenue"),
        ("Murphy Ave", "Murphy Avenue"),
        ("downtown sunnyvale", "Downtown Sunnyvale"),
        ("Stanford", "Stanford University"),
        ("Stanford campus", "Stanford University"),
        ("ferry bldg", "Ferry Building"),
        ("the Ferry Building, San Francisco", "Ferry Building"),
        ("union square sf", "Union Square"),
        ("fishermans warf", "Fisherman's Wharf"),
        ("Golden Gate", "Golden Gate Bridge"),
        ("apple hq", "Apple Park"),
        ("sunnyvale caltrain", "Sunnyvale Caltrain Station"),
        ("town and country", "Town & Country"),
        ("De Anza College", "De Anza College"),
        ("mountain view", "Mountain View"),
    ],
)
def test_words_name_a_place(sample: NamedPlaces, words: str, name: str) -> None:
    assert sample.resolve(words)[0].name == name


@pytest.mark.parametrize("words", ["", "the", "my house", "Paris", "los angeles", "the moon", "romantic", "x"])
def test_other_words_name_none(sample: NamedPlaces, words: str) -> None:
    assert sample.resolve(words) == []


def test_a_name_that_fits_several_gives_all_of_them(sample: NamedPlaces) -> None:
    found = sample.resolve("caltrain station")
    assert len(found) > 3
    assert {place.kind for place in found} == {"station"}


def test_every_place_is_found_by_its_own_name(sample: NamedPlaces) -> None:
    for place in sample.places():
        assert sample.resolve(place.name)[0] == place


def test_no_alias_leads_to_two_places(sample: NamedPlaces) -> None:
    names = [fold(name) for place in sample.places() for name in {*place.aliases, place.name}]
    repeated = {name for name in names if names.count(name) > 1}
    same_place = {fold(name) for place in sample.places() for name in place.aliases if fold(name) == fold(place.name)}
    alike = {
        fold(a)
        for place in sample.places()
        for a in place.aliases
        for b in place.aliases
        if a != b and fold(a) == fold(b)
    }
    assert repeated <= same_place | alike


def test_a_city_is_its_area_and_nothing_around_it(sample: NamedPlaces) -> None:
    (city, *_) = sample.resolve("Sunnyvale")
    assert (city.areas, city.radius) == ((("city", "Sunnyvale"),), 0.0)


def test_a_neighbourhood_of_the_data_is_its_area_and_its_fringe() -> None:
    spots = [("Springfield", "Old Town", 1.0, 2.0), ("Springfield", "Old Town", 3.0, 4.0)]
    (_, district) = places_of([], spots)
    expected = Place(
        "Old Town", "district", 2.0, 3.0, KNOWN_DISTRICT_RADIUS, "Springfield", (), (("neighbourhood", "Old Town"),)
    )
    assert district == expected


def test_a_city_of_the_data_that_no_file_lists_is_known_all_the_same() -> None:
    (city,) = places_of([], [("Springfield", "", 1.0, 2.0)])
    assert (city.name, city.kind, city.areas) == ("Springfield", "city", (("city", "Springfield"),))


def test_a_district_of_the_file_lends_the_neighbourhood_its_names_and_middle() -> None:
    rows = [row("Historic Old Town", "district", aliases=["Old Town", "the Gaslight"], latitude=9.0)]
    (_, district) = places_of(rows, [("Springfield", "Old Town", 1.0, 2.0)])
    assert (district.name, district.latitude) == ("Old Town", 9.0)
    assert district.aliases == ("Historic Old Town", "the Gaslight")


def test_a_park_does_not_take_the_name_of_the_neighbourhood_around_it() -> None:
    rows = [row("Fountain Green", "park", aliases=["Old Town"])]
    gazetteer = NamedPlaces(places_of(rows, [("Springfield", "Old Town", 1.0, 2.0)]))
    assert [place.kind for place in gazetteer.resolve("Old Town")] == ["district"]
    assert gazetteer.resolve("Fountain Green")[0].aliases == ()


def test_a_neighbourhood_name_in_two_cities_is_told_apart_by_the_city() -> None:
    spots = [("Springfield", "Midtown", 1.0, 2.0), ("Shelbyville", "Midtown", 5.0, 6.0)]
    gazetteer = NamedPlaces(places_of([], spots))
    assert {place.city for place in gazetteer.resolve("midtown")} == {"Springfield", "Shelbyville"}
    assert [place.city for place in gazetteer.resolve("Midtown, Shelbyville")] == ["Shelbyville"]
    assert all(place.areas == () for place in gazetteer.resolve("midtown")), "the name alone names no one area"


def test_a_radius_given_in_the_file_counts() -> None:
    (place,) = places_of([row("Great Park", "park", radius=4.0)], [])
    assert place.radius == 4.0


def test_two_cities_of_one_name_are_told_apart_by_their_region() -> None:
    spots = [("Springfield", "", 39.8, -89.65, "Illinois"), ("Springfield", "", 37.21, -93.27, "Missouri")]
    gazetteer = NamedPlaces(places_of([], spots))
    for words in ("Springfield, Illinois", "springfield il", "Springfield IL"):
        (place,) = gazetteer.resolve(words)
        assert (place.name, place.latitude, place.areas) == ("Springfield, Illinois", 39.8, ()), words
    assert gazetteer.resolve("Springfield")[0].areas == (("city", "Springfield"),), "the name alone is both"


def test_a_city_in_one_region_is_one_place() -> None:
    spots = [("Dayton", "", 39.8, -84.2, "Ohio"), ("Dayton", "", 39.7, -84.1, "")]
    assert [place.name for place in places_of([], spots)] == ["Dayton"]


def test_a_city_holds_its_rows_however_they_spell_it() -> None:
    spots = [("Palo Alto", "", 1.0, 2.0), ("palo alto", "", 1.0, 2.0), ("Palo Alto", "", 1.0, 2.0)]
    (city,) = places_of([row("Palo Alto", "city")], spots)
    assert city.areas == (("city", "Palo Alto"), ("city", "palo alto"))


@pytest.mark.parametrize(
    ("address", "region"),
    [
        ("1 Capitol Ave, Springfield, IL 62701", "Illinois"),
        ("1 Capitol Ave, Springfield, Illinois", "Illinois"),
        ("1 Rue Haute, Springfield, QC H2X 1Y4, Canada", "Quebec"),
        ("1 Springfield Road, Chatham", ""),
        ("1 Main Street, Springfield", ""),
        ("", ""),
    ],
)
def test_the_region_stands_after_the_city_in_an_address(address: str, region: str) -> None:
    assert region_of(address, "Springfield") == region
