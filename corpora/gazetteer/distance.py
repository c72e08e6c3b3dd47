"""How far apart two spots are."""

from __future__ import annotations

from math import asin, cos, radians, sin, sqrt

EARTH = 6371.0  # kilometres


def kilometres(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Kilometres over the sphere between two (latitude, longitude) in degrees (haversine)."""
    (lat_a, lon_a), (lat_b, lon_b) = (tuple(map(radians, spot)) for spot in (a, b))
    chord = sin((lat_b - lat_a) / 2) ** 2 + cos(lat_a) * cos(lat_b) * sin((lon_b - lon_a) / 2) ** 2
    return 2 * EARTH * asin(sqrt(min(1.0, chord)))
