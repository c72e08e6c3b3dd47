"""A small world for the parser: the real catalogue, a handful of values, a few places."""

from __future__ import annotations

from collections.abc import Iterable

from agent.catalogue.places import Place
from agent.catalogue.values import ValueMemory
from agent.text.letters import fold


class Places:
    """A gazetteer of a few places, known by their names and aliases."""

    def __init__(self, *places: Place) -> None:
        self._places = places

    def places(self) -> Iterable[Place]:
        return self._places

    def resolve(self, words: str) -> list[Place]:
        return [place for place in self._places if fold(words) in {fold(n) for n in (place.name, *place.aliases)}]


GAZETTEER = Places(
    Place("San Francisco", "city", 37.77, -122.42, 0.0, "San Francisco", ("SF", "the City")),
    Place("Palo Alto", "city", 37.44, -122.14, 0.0, "Palo Alto", ("PA",)),
    Place("Sunnyvale", "city", 37.37, -122.04, 0.0, "Sunnyvale"),
    Place("Cupertino", "city", 37.32, -122.03, 0.0, "Cupertino"),
    Place("Ferry Building", "shopping", 37.79, -122.39, 1.0, "San Francisco"),
    Place("Mission District", "district", 37.76, -122.42, 1.2, "San Francisco", ("the Mission",)),
    Place("California Avenue", "district", 37.42, -122.14, 1.2, "Palo Alto", ("Cal Ave",)),
    Place(
        "Castro", "district", 37.76, -122.43, 0.4, "San Francisco", ("The Castro", "Castro Theatre", "Castro Street")
    ),
    Place("Apple Park", "campus", 37.33, -122.01, 2.0, "Cupertino", ("the Ring",)),
)

MEMORY = ValueMemory(
    {
        "restaurants.name": (
            "Fig & Foghorn",
            "Kaveri Tiffin Room",
            "Quorum",
            "Trattoria Sottovoce",
            "The Slow Egg",
            "Bakery 1890 on Fourth",
            "Heron Before Noon",
        ),
        "restaurants.cuisines": ("italian", "thai", "sushi bars", "indian", "vegetarian", "burgers", "wine bars"),
        "restaurants.city": ("San Francisco", "Palo Alto", "Sunnyvale", "Cupertino"),
        "restaurants.neighbourhood": ("Mission District", "SoMa", "Outer Sunset", "California Avenue"),
        "courses.title": ("Operating Systems", "Machine Learning", "Practical Rust"),
        "courses.course_codes": ("CS 101", "CS 102", "CS 140", "CS 152", "CS 239", "STATS 260"),
        "courses.general_requirements": ("WAY-FR", "WAY-ER"),
        "courses.breadth_requirement": ("systems", "formal_foundations"),
        "offerings.instructor_names": ("Osric Pemberley", "Aino Lehtovaara"),
        "articles.title": ("Lost, stolen or broken campus card", "Tuition refunds: how much, when and by which route"),
        "articles.category": ("Enrollment", "Housing"),
        "articles.audience": ("all", "undergraduate"),
        "articles.contact": (
            "Card Office, Elm Hall, card@alder.example, 555-0100",
            "Fees and Refunds team, Elm Hall 2, 555-0101",
        ),
    },
    {"courses": {"Operating Systems": "CS 140", "Machine Learning": "CS 152", "Practical Rust": "CS 102"}},
)
