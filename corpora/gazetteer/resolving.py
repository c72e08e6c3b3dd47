"""From words to places: exact names first, then part of a name, then a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz, process

from agent.catalogue.places import Place
from corpora.gazetteer.names import distinctive, fold, keys

SHORT = 5  # characters; a shorter name has to be spelt right
CUTOFF = 84  # of 100: how nearly a misspelt name must be spelt


class NamedPlaces:
    """A `Gazetteer` over a list of places. Immutable."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._places = tuple(places)
        self._own: dict[str, list[Place]] = {}
        self._other: dict[str, list[Place]] = {}
        for place in self._places:
            for key in keys(place.name, place.city):
                self._own.setdefault(key, []).append(place)
            for alias in place.aliases:
                for key in keys(alias, place.city):
                    self._other.setdefault(key, []).append(place)
        self._all = {key: self._own.get(key, self._other.get(key, [])) for key in {**self._other, **self._own}}

    def places(self) -> tuple[Place, ...]:
        """Return every place, cities first."""
        return self._places

    def resolve(self, words: str) -> list[Place]:
        """Return the places the words name, best first; empty where none fits."""
        folded = fold(words)
        if not folded:
            return []
        for way in (self._exact, self._qualified, self._misspelt, self._partial):
            if found := way(folded):
                return list(dict.fromkeys(found))
        return []

    def _exact(self, folded: str) -> list[Place]:
        for key in (folded, folded.removesuffix(" district"), folded.removesuffix(" area")):
            if found := [*self._own.get(key, []), *self._other.get(key, [])]:
                return found
        return []

    def _qualified(self, folded: str) -> list[Place]:
        """A name followed by its city in another form ("Union Square SF"), or by a state."""
        name = folded.removesuffix(" california").removesuffix(" ca")
        for key, cities in self._all.items():
            if cities[0].kind == "city" and name != key and name.endswith(f" {key}"):
                rest = name.removesuffix(f" {key}").removesuffix(" in")
                return [place for place in self._exact(rest) or self._misspelt(rest) if place.city == cities[0].name]
        return self._exact(name) if name != folded else []

    def _misspelt(self, folded: str) -> list[Place]:
        if len(folded) < SHORT:
            return []
        close = process.extract(folded, list(self._all), scorer=fuzz.ratio, score_cutoff=CUTOFF, limit=3)
        return [place for key, _, _ in close if key[:1] == folded[:1] or len(key) > SHORT for place in self._all[key]]

    def _partial(self, folded: str) -> list[Place]:
        """Names that share every word that matters with the words, one way or the other.

        The fewest other words come first, then a place of the kind the words say ("Stanford campus").
        """
        wanted, said = distinctive(folded), set(folded.split())
        scored = []
        for key, places in self._all.items():
            own = distinctive(key)
            if wanted == own or (wanted < own and len(wanted) * 2 >= len(own)) or (own < wanted and len(own) > 1):
                scored += [(len(own ^ wanted), place.kind not in said, len(key), key, place) for place in places]
        scored.sort(key=lambda item: item[:4])
        return [place for *_, place in scored]
