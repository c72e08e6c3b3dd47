"""Places by name: the gazetteer that LOCATION columns and the parser share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Place:
    """A city, district or landmark. `radius` in kilometres is how near counts as "there".

    `areas` maps companion columns to the value that puts a row inside the place whatever its distance:
    {"city": "Palo Alto"} for a city, {"neighbourhood": "Castro"} for a district.
    """

    name: str
    kind: str
    latitude: float
    longitude: float
    radius: float
    city: str = ""
    aliases: tuple[str, ...] = ()
    areas: tuple[tuple[str, str], ...] = ()


class Gazetteer(Protocol):
    """Resolves names, abbreviations and misspellings to places, best first; empty where none fits."""

    def resolve(self, words: str) -> list[Place]: ...

    def places(self) -> Iterable[Place]: ...
