"""Figures over time as small line plots: points for an SVG that needs no script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hybridchat.research.replay.models import Run

WIDTH, HEIGHT, EDGE = 280.0, 80.0, 6.0


@dataclass(frozen=True, slots=True)
class Point:
    """One run in a plot, at a place of the drawing."""

    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Plot:
    """One figure over time, with its lowest and highest value and its latest."""

    name: str
    points: tuple[Point, ...]
    low: float
    high: float
    last: float

    @property
    def latest(self) -> str:
        """The latest value, in words."""
        return f"{self.last:.4g}"

    @property
    def span(self) -> str:
        """From the lowest to the highest value, in words."""
        return f"{self.low:.4g} to {self.high:.4g}"

    @property
    def line(self) -> str:
        """The points as an SVG polyline has them."""
        return " ".join(f"{point.x:.1f},{point.y:.1f}" for point in self.points)


def plots(runs: Sequence[Run]) -> list[Plot]:
    """A plot for each figure that the latest run has, the runs evenly spaced in order."""
    if not runs:
        return []
    return [_plot(name, runs) for name in runs[-1].figures]


def _plot(name: str, runs: Sequence[Run]) -> Plot:
    having = [(number, run, float(run.figures[name])) for number, run in enumerate(runs) if name in run.figures]
    values = [value for _, _, value in having]
    low, high = min(values), max(values)
    across = (WIDTH - 2 * EDGE) / max(len(runs) - 1, 1)
    up = (HEIGHT - 2 * EDGE) / (high - low) if high > low else 0.0
    points = tuple(
        Point(EDGE + number * across, HEIGHT - EDGE - (value - low) * up if up else HEIGHT / 2, _label(run, value))
        for number, run, value in having
    )
    return Plot(name, points, low, high, values[-1])


def _label(run: Run, value: float) -> str:
    return f"{run.created:%Y-%m-%d %H:%M}, {run.language}, {run.release}: {value:g}"
