"""Names of places, brought to one form so that spellings of the same name are equal."""

from __future__ import annotations

import re

from agent.text.letters import unaccented

_SPELT_OUT = {
    "ave": "avenue",
    "av": "avenue",
    "blvd": "boulevard",
    "rd": "road",
    "sq": "square",
    "ctr": "center",
    "centre": "center",
    "theatre": "theater",
    "hwy": "highway",
    "mt": "mount",
    "univ": "university",
    "bldg": "building",
    "stn": "station",
    "hq": "headquarters",
    "neighborhood": "district",
    "neighbourhood": "district",
}

# Words that say what kind of place a place is; a name is known by its other words.
GENERIC = frozenset((
    "the", "of", "at", "and", "a", "in", "near", "area", "district", "park", "square", "street", "avenue",
    "boulevard", "road", "center", "station", "museum", "building", "mall", "shopping", "plaza", "campus", "hall",
    "church", "stadium", "school", "hospital", "garden", "gardens", "bridge", "beach", "pier", "village",
    "downtown", "town", "city", "san",
))  # fmt: skip


def fold(name: str) -> str:
    """Lower case, no accents or punctuation, street words spelt out, no leading "the"."""
    plain = unaccented(name).lower()
    plain = re.sub(r"['’`.]", "", plain.replace("&", " and "))
    words = re.sub(r"[^a-z0-9]+", " ", plain).split()
    if words[:1] == ["the"] and len(words) > 1:
        words = words[1:]
    if len(words) > 1 and words[-1] == "st":
        words[-1] = "street"
    return " ".join(_SPELT_OUT.get(word, word) for word in words)


def keys(name: str, city: str = "") -> set[str]:
    """The forms a name is known under: also without "district", and without or with its city at the end."""
    folded = fold(name)
    found = {folded, folded.removesuffix(" district")}
    if city and fold(city) != folded:
        found |= {key.removesuffix(f" {fold(city)}") for key in found}
        found |= {f"{key} {fold(city)}" for key in found}
    return {key for key in found if key}


def distinctive(folded: str) -> frozenset[str]:
    """Return the words of a folded name that tell it from others; all of them where every word is generic."""
    words = frozenset(folded.split())
    return words - GENERIC or words
