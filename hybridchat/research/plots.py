"""Plots as SVG, drawn by the server: plain numbers in, shapes with places and words out.

`admin/research/_plot.html` writes them. Coordinates are those of the plot's own picture, `WIDTH` by `HEIGHT`, which
fits a telephone; a page may show it larger.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 360, 150
LEFT, RIGHT, TOP, BOTTOM = 30, 4, 8, 20
MOST_LABELS = 6
GAP = 0.25  # of a place that stays free beside its bar


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar; `series` is the number of its colour, `title` what pointing at it tells."""

    x: float
    y: float
    width: float
    height: float
    series: int
    title: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A number beside a line of the plot, or words under a bar."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Plot:
    """A bar plot. `description` says in words what it shows, for those who do not see it."""

    title: str
    description: str
    series: tuple[str, ...]
    bars: tuple[Bar, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    base: int = HEIGHT - BOTTOM
    right: int = WIDTH - RIGHT


def stacked_bars(title: str, labels: Sequence[str], series: Mapping[str, Sequence[int]]) -> Plot:
    """Return a plot with a bar for each label, in which the series stand on each other."""
    totals = [sum(values[at] for values in series.values()) for at in range(len(labels))]
    top = _round_up(max(totals, default=0))
    place = (WIDTH - LEFT - RIGHT) / max(len(labels), 1)
    scale = (HEIGHT - TOP - BOTTOM) / top
    bars, heights = [], [0.0] * len(labels)
    for number, (name, values) in enumerate(series.items()):
        for at, value in enumerate(values):
            if not value:
                continue
            height = value * scale
            heights[at] += height
            bars.append(
                Bar(
                    round(LEFT + place * (at + GAP / 2), 2),
                    round(HEIGHT - BOTTOM - heights[at], 2),
                    round(place * (1 - GAP), 2),
                    round(height, 2),
                    number,
                    f"{labels[at]}: {value} {name}",
                )
            )
    step = math.ceil(len(labels) / MOST_LABELS) or 1
    across = tuple(
        Tick(round(LEFT + place * (at + 0.5), 2), label) for at, label in enumerate(labels) if at % step == 0
    )
    up = tuple(Tick(round(HEIGHT - BOTTOM - value * scale, 2), f"{value:g}") for value in (0, top / 2, top))
    told = ", ".join(f"{sum(values)} {name}" for name, values in series.items())
    return Plot(title, f"{title}: {told}", tuple(series), tuple(bars), across, up)


def _round_up(value: int) -> int:
    """An even number at least as large, with one digit that is not zero where it is large."""
    if value <= 2:
        return 2
    unit = 10 ** int(math.log10(value))
    rounded = math.ceil(value / unit) * unit
    return rounded + rounded % 2
