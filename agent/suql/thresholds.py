"""Which texts a score may decide instead of the model, so that recall and precision are kept with a stated confidence.

A score is trusted as far as a sample bears it out, and no further. The sample is drawn at random and read by the model:

Below a *low* threshold texts are taken for no matches. Of all matches the share at or above it (the recall) is tested
on the matches of the sample. At or above a *high* threshold texts are taken for matches. Their share of matches (the
precision) is tested on samples of those texts.

Thresholds are tried from the safest on until one fails: in such a fixed sequence a false step is taken with no more
than the stated risk, however many are tried (Bauer 1991; for thresholds, Angelopoulos et al. 2021, "Learn then Test").
Each test is the exact one of the binomial distribution (Clopper and Pearson 1934). Sets of texts are finite and drawn
from without replacement, which only makes them more certain (Hoeffding 1963). What is asked for, a target and how
surely, is that of Kang et al. 2020, "Approximate Selection with Guarantees using Proxies".
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

LOW_STEPS = 50  # thresholds tried for what is left out
HIGH_STEPS = 20  # thresholds tried for what is taken in
SPARE = 2  # times as many are drawn as a perfect score would need to be believed
TELLING = 3.1  # standard errors by which matches must outrank the others: one useless score in a thousand does
WORTHWHILE = 0.1  # of the texts; where fewer could be decided, all are asked

Ask = Callable[[Sequence[str]], Awaitable[Mapping[str, bool]]]


@dataclass(frozen=True, slots=True)
class Cascade:
    """That texts may be decided by a score: at least `recall` of the matches are found, at least `precision` of what is
    found matches, both together with probability `confidence`. A target of 1 is kept by asking.

    Raises `ValueError` for what is no share.
    """

    recall: float = 1.0
    precision: float = 1.0
    confidence: float = 0.95
    seed: int = 0  # of the samples: the same one draws the same texts

    def __post_init__(self) -> None:
        if not (0 < self.recall <= 1 and 0 < self.precision <= 1 and 0 < self.confidence < 1):
            raise ValueError("Recall and precision are above 0 and at most 1, the confidence between 0 and 1.")

    @property
    def risk(self) -> float:
        """How likely each of the targets may be missed."""
        return (1 - self.confidence) / max(1, (self.recall < 1) + (self.precision < 1))


@dataclass(frozen=True, slots=True)
class Decision:
    """The texts taken for matches and for none without asking; `why` nothing is, where nothing is."""

    accepted: frozenset[str] = frozenset()
    rejected: frozenset[str] = frozenset()
    sampled: int = 0
    low: float = -math.inf
    high: float = math.inf
    why: str = ""


async def decide(scores: Mapping[str, float], order: Sequence[str], wanted: Cascade, ask: Ask) -> Decision:
    """Return what the scores can decide. `order` are the same texts at random; `ask` reads some: does each match?

    When to stop drawing depends on how many matches came up, and on nothing else: they are then still a random sample
    of all matches. `ask` may leave texts out that cannot be read.
    """
    labels: dict[str, bool] = {}
    low, high = -math.inf, math.inf
    if wanted.recall < 1:
        enough = SPARE * fewest(wanted.recall, wanted.risk)
        await _draw(order, enough, ask, labels)
        if sum(labels.values()) < enough // SPARE:
            return Decision(sampled=len(labels), why="the sample has too few matches")
    elif wanted.precision < 1:
        labels.update(await ask(order[: SPARE * fewest(wanted.precision, wanted.risk)]))
    if not is_telling(scores, labels):
        return Decision(sampled=len(labels), why="the score does not tell matches from others")
    if wanted.recall < 1:
        matches = [scores[text] for text, match in labels.items() if match]
        low = lowest_kept(matches, _quantiles(list(scores.values()), LOW_STEPS), wanted)
    if wanted.precision < 1:
        rest = [text for text in order if scores[text] >= low and text not in labels]
        high = await _least_accepted(rest, scores, wanted, ask, labels)
    accepted = frozenset(text for text in order if scores[text] >= high and text not in labels)
    rejected = frozenset(text for text in order if scores[text] < low and text not in labels)
    if len(accepted) + len(rejected) < WORTHWHILE * len(order):
        return Decision(sampled=len(labels), why="the score could decide too few texts")
    return Decision(accepted, rejected, len(labels), low, high)


async def _draw(order: Sequence[str], enough: int, ask: Ask, labels: dict[str, bool]) -> None:
    """Reads texts in their random order until enough of them match, half of them at most."""
    taken = found = 0
    while found < enough and taken < len(order) // 2:
        expected = math.ceil((enough - found) * (taken + 2) / (found + 1))
        drawn = order[taken : min(len(order) // 2, taken + expected, max(enough, 3 * taken))]
        taken += len(drawn)
        labels.update(await ask(drawn))
        found = sum(labels.values())


async def _least_accepted(
    rest: Sequence[str], scores: Mapping[str, float], wanted: Cascade, ask: Ask, labels: dict[str, bool]
) -> float:
    """The lowest threshold above which enough texts match, each tried on texts drawn from those above it."""
    high = math.inf
    enough = SPARE * fewest(wanted.precision, wanted.risk)
    for step in reversed(_quantiles([scores[text] for text in rest], HIGH_STEPS)):
        above = [text for text in rest if scores[text] >= step]
        if len(above) < 2 * enough:
            continue
        drawn = above[:enough]
        labels.update(await ask([text for text in drawn if text not in labels]))
        read = [labels[text] for text in drawn if text in labels]
        if at_least(sum(read), len(read), wanted.precision) > wanted.risk:
            break
        high = step
    return high


def fewest(share: float, risk: float) -> int:
    """Return the fewest tries, all of them right, that show a share above this one, with the risk of being wrong."""
    return math.ceil(math.log(risk) / math.log(share))


def lowest_kept(matches: Sequence[float], steps: Sequence[float], wanted: Cascade) -> float:
    """Return the highest of the thresholds, from the lowest up, that leaves the recall as it is wanted."""
    low = -math.inf
    for step in steps:
        kept = sum(score >= step for score in matches)
        if at_least(kept, len(matches), wanted.recall) > wanted.risk:
            break
        low = step
    return low


def at_least(hits: int, tries: int, chance: float) -> float:
    """Return how likely so many hits or more are (the upper tail of the binomial distribution)."""
    if hits <= 0:
        return 1.0
    if chance >= 1:
        return 1.0
    logs = (
        math.lgamma(tries + 1) - math.lgamma(each + 1) - math.lgamma(tries - each + 1)
        + each * math.log(chance) + (tries - each) * math.log1p(-chance)
        for each in range(hits, tries + 1)
    )  # fmt: skip
    return min(1.0, math.fsum(map(math.exp, logs)))


def is_telling(scores: Mapping[str, float], labels: Mapping[str, bool]) -> bool:
    """Do matches score higher than others, beyond chance (the rank sum test of Mann and Whitney 1947)?"""
    matches = sum(labels.values())
    others = len(labels) - matches
    if not matches or not others:
        return False
    outranked = below = 0.0
    for _, tied in groupby(sorted(labels, key=lambda text: scores[text]), key=lambda text: scores[text]):
        found = [labels[text] for text in tied]
        lost = len(found) - sum(found)
        outranked += sum(found) * (below + lost / 2)
        below += lost
    error = math.sqrt((matches + others + 1) / (12 * matches * others))
    return outranked / (matches * others) - 0.5 > TELLING * error


def _quantiles(values: list[float], steps: int) -> list[float]:
    """Different values that part the others into so many shares, ascending."""
    ordered = sorted(values)
    return sorted({ordered[len(ordered) * step // steps] for step in range(steps)}) if ordered else []
