"""Places by name: the gazetteer that LOCATION columns and the parser share."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

_WITHIN = re.compile(
    r"within (\d+(?:\.\d+)?) (miles?|mi|km|kilomet(?:er|re)s?|m|met(?:er|re)s?) of (\S.*)", re.IGNORECASE
)
_KILOMETRES = {"mi": 1.609344, "k": 1.0, "m": 0.001}


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


def with_bound(words: str) -> tuple[str, float | None]:
    """A place, and the kilometres around it that words bound it to: "within 2 miles of the station"; None for none."""
    said = _WITHIN.fullmatch(words.strip())
    if said is None:
        return words, None
    unit = next(factor for begin, factor in _KILOMETRES.items() if said[2].lower().startswith(begin))
    return said[3], float(said[1]) * unit
