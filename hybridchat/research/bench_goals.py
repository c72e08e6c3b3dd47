"""What `bench suql` is measured against, and its tables."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from hybridchat.research.bench_cascade import WANTED, Cascaded
from hybridchat.research.bench_ranking import Ranked
from hybridchat.research.bench_suql import BATCH, Limited, Measured, Whole


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that one run measured."""

    suite: Sequence[Measured]
    rows: int
    limits: Sequence[Limited]
    whole: Whole
    first: Limited  # LIMIT 3 at 10 % over the large table
    large: int
    seeds: int
    ranked: Ranked
    cascade: Cascaded


@dataclass(frozen=True, slots=True)
class Goal:
    """One goal, what was measured, and whether it is met."""

    name: str
    wanted: str
    measured: str
    met: bool


def goals(report: Report) -> list[Goal]:
    """Every goal, met or not."""
    suite, limits, ranked = report.suite, report.limits, report.ranked
    values, fewest = sum(each.values for each in suite), sum(each.bound for each in suite)
    share = values / max(fewest, 1)
    planning = statistics.median(each.planning for each in suite)
    again = sum(each.again for each in suite)
    wrong = [each.name for each in suite if not each.right]
    whole = report.whole.prompts / max(report.whole.fewest, 1)
    return [
        Goal("the rows PostgreSQL computes", "all", f"{len(suite) - len(wrong)} of {len(suite)}", not wrong),
        Goal("queries in the suite", "≥ 60", str(len(suite)), len(suite) >= 60),
        Goal("values / fewest, over the suite", "≤ 1.05", f"{share:.3f} ({values} / {fewest})", share <= 1.05),
        Goal(
            f"calls / ⌈D/b⌉ without LIMIT, {report.large:,} rows",
            "≤ 1.1",
            f"{whole:.3f} ({report.whole.prompts} / {report.whole.fewest})",
            whole <= 1.1,
        ),
        *(_of_limit([each for each in limits if each.batch == batch], report.seeds) for batch in (1, BATCH)),
        Goal("calls of a repeated query", "0", str(again), again == 0),
        Goal("planning, median", "< 20 ms", f"{planning:.1f} ms", planning < 20),
        Goal(
            f"LIMIT 3 at 10 %, {report.large:,} rows, 500 ms a call",
            "< 2.5 s",
            f"{report.first.seconds:.2f} s, {report.first.rounds:.1f} rounds",
            report.first.seconds < 2.5,
        ),
        Goal(
            f"filter and ranking / bare pgvector, {ranked.rows:,} rows",
            "≤ 1.5",
            f"{ranked.ratio:.2f} ({ranked.engine * 1000:.0f} ms / {ranked.bare * 1000:.0f} ms)",
            ranked.ratio <= 1.5,
        ),
        Goal(
            f"cascade, {WANTED.recall:.0%} recall, {WANTED.precision:.0%} precision",
            f"≥ {WANTED.confidence:.0%}",
            f"{report.cascade.met:.1%} of {report.cascade.samples} samples; {report.cascade.read:.0%} of texts read",
            report.cascade.met >= WANTED.confidence,
        ),
    ]


def _of_limit(limits: Sequence[Limited], seeds: int) -> Goal:
    """Calls with LIMIT, over all queries with so many texts a call."""
    ratio = sum(each.calls for each in limits) / sum(each.fewest for each in limits)
    worst = max(limits, key=lambda each: each.calls / each.fewest)
    values = sum(each.values for each in limits) / sum(each.expected for each in limits)
    return Goal(
        f"calls / expected with LIMIT, {seeds} starts, {limits[0].batch} texts a call",
        "≤ 1.25",
        f"{ratio:.3f} (values {values:.3f}; worst {worst.calls / worst.fewest:.2f}: {worst.sql})",
        ratio <= 1.25,
    )


def tables(report: Report) -> str:
    """All of it, for a person to read."""
    return "\n\n".join([_suite(report), _limits(report), _ranking(report.ranked), _goals(report)])


def _suite(report: Report) -> str:
    head = (
        f"{'query (' + format(report.rows, ',') + ' rows)':42}{'fewest':>8}{'values':>8}{'calls':>7}{'rounds':>7}"
        f"{'tokens':>9}{'s 500ms':>9}{'s 50ms':>8}{'plan ms':>9}{'function':>10}{'naive':>8}"
    )
    lines = [
        f"{each.name[:41]:42}{each.bound:8}{each.values:8}{each.prompts:7}{each.rounds:7}{each.tokens:9}"
        f"{each.seconds(0.5):9.2f}{each.seconds(0.05):8.2f}{each.planning:9.1f}{each.plain:10}{each.naive:8}"
        f"{'' if each.right else '   WRONG ROWS'}"
        for each in report.suite
    ]
    return "\n".join([head, *lines, _sum(report.suite), *_beside(report.suite)])


def _sum(suite: Sequence[Measured]) -> str:
    def total(name: str) -> int:
        return sum(getattr(each, name) for each in suite)

    slow, fast = (sum(each.seconds(latency) for each in suite) for latency in (0.5, 0.05))
    planning = statistics.median(each.planning for each in suite)
    return (
        f"{'all':42}{total('bound'):8}{total('values'):8}{total('prompts'):7}{total('rounds'):7}{total('tokens'):9}"
        f"{slow:9.1f}{fast:8.1f}{planning:9.1f}{total('plain'):10}{total('naive'):8}"
    )


def _beside(suite: Sequence[Measured]) -> list[str]:
    plain, naive = (sum(getattr(each, name) for each in suite) for name in ("plain", "naive"))
    least = sum(math.ceil(each.bound / BATCH) for each in suite)
    return [
        "function: calls of a plain SQL function, one after another: "
        f"{plain * 0.5:,.0f} s at 500 ms, {plain * 0.05:,.0f} s at 50 ms.",
        f"naive: every call for every row: {naive * 0.5:,.0f} s at 500 ms, {naive * 0.05:,.0f} s at 50 ms.",
        f"fewest: the computed lower bound of values; in calls of {BATCH} texts {least:,}.",
    ]


def _limits(report: Report) -> str:
    title = f"LIMIT, {report.seeds} starts, 500 ms a call"
    head = f"{title:82}{'texts':>6}{'expected':>9}{'values':>8}{'fewest':>8}{'calls':>7}{'rounds':>7}{'s':>7}"
    lines = [
        f"{each.sql:82}{each.batch:6}{each.expected:9.1f}{each.values:8.1f}{each.fewest:8.2f}{each.calls:7.2f}"
        f"{each.rounds:7.1f}{each.seconds:7.2f}"
        for each in [*report.limits, report.first]
    ]
    whole = report.whole
    return "\n".join(
        [
            head,
            *lines,
            f"{whole.sql}: {whole.values} values, {whole.prompts} calls of at least {whole.fewest}, "
            f"{whole.own:.1f} s of its own",
        ]
    )


def _ranking(ranked: Ranked) -> str:
    lines = [f"{ranked.rows:,} rows ranked: {ranked.first:.2f} s until LIMIT 3 at 10 %, 500 ms a call"]
    if (every := ranked.unfiltered) is not None:
        lines.append(
            f"the ten nearest of all rows: {every.engine * 1000:.0f} ms ({every.recall:.0%} of them found), "
            f"the HNSW index alone {every.bare * 1000:.0f} ms, scoring every passage {every.whole * 1000:,.0f} ms"
        )
    return "\n".join(lines)


def _goals(report: Report) -> str:
    return "\n".join(
        f"{'met    ' if goal.met else 'NOT MET'}  {goal.name:58} {goal.wanted:8} {goal.measured}"
        for goal in goals(report)
    )
