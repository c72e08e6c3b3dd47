"""Evaluations and benchmarks that were kept: their figures over time, and two of them item by item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from hybridchat.research.plots import Plot, over_time
from hybridchat.research.replay.models import Run
from hybridchat.research.statistics import Comparison, compare

Items = dict[str, dict[str, Any]]
LEAST = 2  # items that two runs have to share


@dataclass(frozen=True, slots=True)
class Paired:
    """One figure of the items that two runs share."""

    name: str
    comparison: Comparison


def plots_of(runs: Sequence[Run]) -> list[Plot]:
    """Return a plot for each figure that the latest run has, the runs in order."""
    names = runs[-1].figures if runs else ()
    return [over_time(name, [(_label(run), run.figures.get(name)) for run in runs]) for name in names]


def paired(first: Run, second: Run) -> list[Paired]:
    """Compare the items that two runs share, in every figure that both have of each of them."""
    found = []
    for place, one in _lists(first.report):
        other = dict(_lists(second.report)).get(place, {})
        shared = [name for name in one if name in other]
        if len(shared) < LEAST:
            continue
        for figure in _figures([*one.values(), *(other[name] for name in shared)]):
            values = [[items[name][figure] for name in shared] for items in (one, other)]
            found.append(Paired(" ".join(filter(None, (place, figure))), compare(*values)))
    return found


def _lists(report: Any, place: str = "") -> Iterator[tuple[str, Items]]:
    """The lists of items in a report, each item by its id, by where they stand."""
    if isinstance(report, dict):
        for name, value in report.items():
            yield from _lists(value, f"{place} {name}".strip())
    elif isinstance(report, list) and report and all(isinstance(one, dict) and "id" in one for one in report):
        items = {str(one["id"]): one for one in report}
        if len(items) == len(report):
            yield place, items


def _figures(items: Sequence[dict[str, Any]]) -> list[str]:
    """The members that are a number, or yes or no, in every item."""
    names = [name for name, value in items[0].items() if isinstance(value, bool | int | float)]
    return [name for name in names if all(isinstance(one.get(name), bool | int | float) for one in items)]


def _label(run: Run) -> str:
    return f"{run.created:%Y-%m-%d %H:%M}, {run.system}, {run.language}, {run.release}"


def as_json(one: Paired) -> dict[str, Any]:
    """One figure of both runs, for programs."""
    return {"figure": one.name, **asdict(one.comparison)}


def table(found: Sequence[Paired]) -> str:
    """The figures of both runs, a line each: for a person to read."""
    lines = [f"{'figure':32}{'first':>10}{'second':>10}{'difference':>12}   95 % interval      items  tests"]
    for one in found:
        pair, apart = one.comparison, one.comparison.difference
        tests = "  ".join(f"{test} p = {p:.3f}" for test, p in pair.p.items())
        span = f"[{apart.low:.3g}, {apart.high:.3g}]"
        lines.append(
            f"{one.name:32}{pair.first:10.3g}{pair.second:10.3g}{apart.value:12.3g}   {span:18} {apart.n:5}  {tests}"
        )
    return "\n".join(lines)
