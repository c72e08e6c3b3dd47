"""Plots as SVG, drawn by the server: plain numbers in, shapes with places and words out.

`admin/research/_plot.html` writes every kind, `research/plots.css` gives them one look. Coordinates are those of the
plot's own picture, which fits a telephone; a page may show it larger.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

WIDTH, HEIGHT = 360, 150
LEFT, RIGHT, TOP, BOTTOM = 30, 4, 8, 20
ROW, LABEL, NOTE = 26, 108, 92  # of a plot of rows: the height of one, and the widths of the words beside it
INTERVAL = 150  # the width of a note that tells an interval
EDGE = 8
LETTERS = 17  # of the label of a row; the description has all of it
MOST_LABELS = 6
GAP = 0.25  # of a place that stays free beside its bar

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle, or with `round` a dot; `series` is the number of its colour, `title` what pointing at it tells."""

    x: float
    y: float
    width: float
    height: float
    series: int = 0
    title: str = ""
    round: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """Words at a place."""

    x: float
    y: float
    text: str
    anchor: Anchor = "middle"


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot. `description` says in words what it shows, for those who do not see it; `note` stands beside the title.

    `rules` are thin lines and `path` is a thick one, both as SVG writes them.
    """

    title: str
    description: str
    width: float = WIDTH
    height: float = HEIGHT
    bars: tuple[Bar, ...] = ()
    words: tuple[Word, ...] = ()
    rules: str = ""
    path: str = ""
    series: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A value with a label and a note, and where it is uncertain its interval."""

    label: str
    value: float
    note: str
    low: float | None = None
    high: float | None = None


def stacked_bars(title: str, labels: Sequence[str], series: Mapping[str, Sequence[int]]) -> Plot:
    """Return a plot with a bar for each label, in which the series stand on each other."""
    totals = [sum(values[at] for values in series.values()) for at in range(len(labels))]
    top = _round_up(max(totals, default=0))
    place = (WIDTH - LEFT - RIGHT) / max(len(labels), 1)
    scale, base = (HEIGHT - TOP - BOTTOM) / top, HEIGHT - BOTTOM
    bars, heights = [], [0.0] * len(labels)
    for number, (name, values) in enumerate(series.items()):
        for at, value in enumerate(values):
            if not value:
                continue
            height = value * scale
            heights[at] += height
            x, y = LEFT + place * (at + GAP / 2), base - heights[at]
            told = f"{labels[at]}: {value} {name}"
            bars.append(Bar(_at(x), _at(y), _at(place * (1 - GAP)), _at(height), number, told))
    step = math.ceil(len(labels) / MOST_LABELS) or 1
    across = [
        Word(_at(LEFT + place * (at + 0.5)), HEIGHT - 6, label) for at, label in enumerate(labels) if at % step == 0
    ]
    levels = [(_at(base - value * scale), f"{value:g}") for value in (0, top / 2, top)]
    told = ", ".join(f"{sum(values)} {name}" for name, values in series.items())
    return Plot(
        title,
        f"{title}: {told}",
        bars=tuple(bars),
        words=(*across, *(Word(LEFT - 5, y + 3.5, text, "end") for y, text in levels)),
        rules="".join(f"M{LEFT} {y}H{WIDTH - RIGHT}" for y, _ in levels),
        series=tuple(series),
    )


def bars(title: str, rows: Sequence[Row]) -> Plot:
    """Return a plot of horizontal bars from one zero, each with its label and its value in words."""
    most = max((row.value for row in rows), default=0) or 1
    room = WIDTH - LABEL - NOTE
    drawn, words = [], list[Word]()
    for place, row in enumerate(rows):
        width, middle = max(room * row.value / most, 1), place * ROW + ROW / 2
        drawn.append(Bar(LABEL, _at(middle - 8), _at(width), 16))
        words += [
            Word(LABEL - 8, middle + 4, _short(row.label), "end"),
            Word(_at(LABEL + width + 6), middle + 4, row.note, "start"),
        ]
    return Plot(title, _told(title, rows), height=max(len(rows), 1) * ROW, bars=tuple(drawn), words=tuple(words))


def intervals(title: str, rows: Sequence[Row]) -> Plot:
    """Return a plot with a dot for each value, on a line from the lower to the upper end of its interval."""
    ends = [end for row in rows for end in (row.value, row.low, row.high) if end is not None]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    room, span = WIDTH - LABEL - INTERVAL - 2 * EDGE, (high - low) or 1.0

    def across(value: float) -> float:
        return _at(LABEL + EDGE + room * ((value - low) / span if high > low else 0.5))

    dots, words, rules, path = [], list[Word](), "", ""
    for place, row in enumerate(rows):
        middle = place * ROW + ROW / 2
        rules += f"M{LABEL} {middle}H{WIDTH - INTERVAL}"
        if row.low is not None and row.high is not None:
            path += f"M{across(row.low)} {middle}H{across(row.high)}"
        dots.append(Bar(across(row.value) - 4, middle - 4, 8, 8, 0, f"{row.label}: {row.note}", round=True))
        words += [
            Word(LABEL - 8, middle + 4, _short(row.label), "end"),
            Word(WIDTH - INTERVAL + 6, middle + 4, row.note, "start"),
        ]
    height = max(len(rows), 1) * ROW
    return Plot(title, _told(title, rows), WIDTH, height, tuple(dots), tuple(words), rules, path)


def steps(title: str, counts: Sequence[tuple[str, int]]) -> Plot | None:
    """Return how a count grew: one step for each (moment, count), the first and the last moment written below; None
    where there is nothing to show."""
    if not counts:
        return None
    most, last = max(count for _, count in counts) or 1, max(len(counts) - 1, 1)
    wide, high, base = WIDTH - LEFT - EDGE, HEIGHT - TOP - BOTTOM, HEIGHT - BOTTOM
    points = [(LEFT + wide * place / last, base - high * count / most) for place, (_, count) in enumerate(counts)]
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in points[1:])
    return Plot(
        title,
        f"{title}: from {counts[0][0]} to {counts[-1][0]}, in all {counts[-1][1]}",
        words=(
            Word(LEFT, HEIGHT - 6, counts[0][0], "start"),
            *([Word(WIDTH - EDGE, HEIGHT - 6, counts[-1][0], "end")] if len(counts) > 1 else []),
            Word(LEFT - 5, base + 3.5, "0", "end"),
            Word(LEFT - 5, TOP + 3.5, str(most), "end"),
        ),
        rules=f"M{LEFT} {base}H{WIDTH - EDGE}M{LEFT} {TOP}H{WIDTH - EDGE}",
        path=path,
    )


def over_time(title: str, values: Sequence[tuple[str, float | None]]) -> Plot:
    """Return a line through the values that there are, evenly spaced in order; each is told by its label."""
    known = [(place, label, value) for place, (label, value) in enumerate(values) if value is not None]
    low, high = (end(value for _, _, value in known) for end in (min, max))
    wide, tall = WIDTH - LEFT - EDGE - RIGHT, HEIGHT - TOP - BOTTOM - 2 * EDGE
    points = []
    for place, label, value in known:
        up = (value - low) / (high - low) if high > low else 0.5
        x = LEFT + EDGE + (wide - EDGE) * place / max(len(values) - 1, 1)
        points.append((_at(x), _at(TOP + EDGE + tall * (1 - up)), f"{label}: {value:g}"))
    ends = {value: y for (_, y, _), (_, _, value) in zip(points, known, strict=True) if value in (low, high)}
    latest = f"{known[-1][2]:.4g}"
    return Plot(
        title,
        f"{title}: {len(known)} runs, from {low:.4g} to {high:.4g}, last {latest}",
        bars=tuple(Bar(x - 3, y - 3, 6, 6, 0, told, round=True) for x, y, told in points),
        words=tuple(Word(LEFT, y + 3.5, f"{value:.3g}", "end") for value, y in ends.items()),
        rules="".join(f"M{LEFT + 4} {y}H{WIDTH - RIGHT}" for y in ends.values()),
        path="M" + "L".join(f"{x} {y}" for x, y, _ in points),
        note=latest,
    )


def _beside(row: Row, middle: float, after: float) -> tuple[Word, Word]:
    """The label and the note of a row."""
    label, note = (_at(middle + 4), _short(row.label)), (_at(middle + 4), row.note)
    return Word(LABEL - 8, *label, "end"), Word(_at(after), *note, "start")


def _short(label: str) -> str:
    return label if len(label) <= LETTERS else f"{label[: LETTERS - 1].rstrip()}…"


def _told(title: str, rows: Sequence[Row]) -> str:
    return f"{title}: " + "; ".join(f"{row.label}: {row.note}" for row in rows)


def _at(place: float) -> float:
    return round(place, 2)


def _round_up(value: int) -> int:
    """An even number at least as large, with one digit that is not zero where it is large."""
    if value <= 2:
        return 2
    unit = 10 ** int(math.log10(value))
    rounded = math.ceil(value / unit) * unit
    return rounded + rounded % 2
