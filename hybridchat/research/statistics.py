"""Agreement, figures with intervals, and paired tests.

Krippendorff's alpha comes from the package of that name, tests and their distributions from SciPy. Cohen's kappa is one
formula, for which scikit-learn would be a heavy thing to bring along.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import krippendorff
import numpy as np
import scipy  # its parts are imported when they are used: `stats` takes a second

Scale = Literal["nominal", "ordinal", "interval"]
RESAMPLES = 1_000
LEVEL = 0.95
SEED = 20_240_607  # figures are the same each time they are looked at


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval (percentile bootstrap), and how many units it is of. None where undefined."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the same units: the means, the mean difference with its interval, and p by test."""

    first: float
    second: float
    difference: Estimate
    p: dict[str, float]


def cohen(pairs: Sequence[tuple[Hashable, Hashable]], scale: Scale = "nominal") -> float | None:
    """Cohen's kappa of two annotators (1960); on an ordinal or interval scale, weighted by squared distance (1968).

    Values of a scale have to be numbers. None where nothing could differ.
    """
    if not pairs:
        return None
    values = sorted({value for pair in pairs for value in pair}, key=lambda value: (str(type(value)), value))
    place = {value: number for number, value in enumerate(values)}
    counts = np.zeros((len(values), len(values)))
    for one, other in pairs:
        counts[place[one], place[other]] += 1
    observed = counts / counts.sum()
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0))
    at = np.array([place[value] for value in values] if scale != "interval" else values)
    apart = (at[:, None] != at[None, :]).astype(float) if scale == "nominal" else (at[:, None] - at[None, :]) ** 2.0
    chance = float((apart * expected).sum())
    return 1 - float((apart * observed).sum()) / chance if chance else None


def alpha(units: Sequence[Sequence[Hashable]], scale: Scale = "nominal") -> Estimate:
    """Krippendorff's alpha. A unit is the values that its annotators gave it, however many they are.

    The interval is over units drawn again. Values of a scale have to be numbers.
    """
    units = [unit for unit in units if len(unit) > 1]
    values = sorted({value for unit in units for value in unit}, key=lambda value: (str(type(value)), value))
    if len(values) < 2:
        return Estimate(None, n=len(units))
    counts = np.array([[unit.count(value) for value in values] for unit in map(list, units)])
    domain = list(range(len(values))) if scale == "nominal" else values

    def of(chosen: Any) -> float | None:
        table = counts[chosen]
        if (table.sum(axis=0) > 0).sum() < 2:
            return None
        return float(krippendorff.alpha(value_counts=table, value_domain=domain, level_of_measurement=scale))

    draws = np.random.default_rng(SEED).integers(len(units), size=(RESAMPLES, len(units)))
    drawn = [found for draw in draws if (found := of(draw)) is not None]
    return Estimate(of(np.arange(len(units))), *_interval(drawn), n=len(units))


def share(parts: Sequence[float], wholes: Sequence[float]) -> Estimate:
    """The sum of the parts over the sum of the wholes. The interval is over pairs (conversations) drawn again."""
    part, whole = np.asarray(parts, dtype=float), np.asarray(wholes, dtype=float)
    if not whole.sum():
        return Estimate(None)
    draws = np.random.default_rng(SEED).integers(len(part), size=(RESAMPLES, len(part)))
    above, below = part[draws].sum(axis=1), whole[draws].sum(axis=1)
    drawn = (above[below > 0] / below[below > 0]).tolist()
    return Estimate(float(part.sum() / whole.sum()), *_interval(drawn), n=int(whole.sum()))


def compare(first: Sequence[float], second: Sequence[float]) -> Comparison:
    """Compare two systems on the same units, in the same order.

    Right or wrong: McNemar's exact test. Numbers: the paired t test. Both: the paired permutation test, by signs.
    """
    if len(first) != len(second) or not first:
        raise ValueError("A paired comparison needs the same units of both, and at least one.")
    one, two = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    apart = two - one
    p: dict[str, float] = {}
    if set(np.unique(np.concatenate([one, two]))) <= {0.0, 1.0}:
        p["mcnemar"] = mcnemar(int((apart < 0).sum()), int((apart > 0).sum()))
    elif len(apart) > 1 and np.ptp(apart):
        p["t"] = float(scipy.stats.ttest_rel(two, one).pvalue)
    if apart.any():
        signs = scipy.stats.permutation_test(
            (one, two),
            lambda x, y, axis: np.mean(y - x, axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=9_999,
            rng=np.random.default_rng(SEED),
        )
        p["permutation"] = float(signs.pvalue)
    else:
        p["permutation"] = 1.0
    draws = np.random.default_rng(SEED).integers(len(apart), size=(RESAMPLES, len(apart)))
    means = apart[draws].mean(axis=1).tolist()
    return Comparison(
        float(one.mean()), float(two.mean()), Estimate(float(apart.mean()), *_interval(means), n=len(apart)), p
    )


def mean(values: Sequence[float]) -> Estimate:
    """The mean. The interval is over values drawn again."""
    return share(values, [1.0] * len(values))


def contrast(first: Sequence[float], second: Sequence[float]) -> Comparison | None:
    """Compare two systems on different units, such as the participants of two arms; None where one has none.

    Right or wrong: Fisher's exact test. Numbers: Welch's t test. Both: the permutation test of independent samples.
    """
    if not first or not second:
        return None
    one, two = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    together = np.concatenate([one, two])
    p: dict[str, float] = {}
    if set(np.unique(together)) <= {0.0, 1.0}:
        table = [[int(values.sum()), int(len(values) - values.sum())] for values in (one, two)]
        p["fisher"] = float(scipy.stats.fisher_exact(table).pvalue)
    elif min(len(one), len(two)) > 1 and (np.ptp(one) or np.ptp(two)):
        p["welch t"] = float(scipy.stats.ttest_ind(two, one, equal_var=False).pvalue)
    p["permutation"] = 1.0
    if np.ptp(together):
        mixed = scipy.stats.permutation_test(
            (one, two),
            lambda x, y, axis: np.mean(y, axis=axis) - np.mean(x, axis=axis),
            permutation_type="independent",
            vectorized=True,
            n_resamples=9_999,
            rng=np.random.default_rng(SEED),
        )
        p["permutation"] = float(mixed.pvalue)
    rng = np.random.default_rng(SEED)
    draws = [values[rng.integers(len(values), size=(RESAMPLES, len(values)))].mean(axis=1) for values in (one, two)]
    apart = Estimate(float(two.mean() - one.mean()), *_interval((draws[1] - draws[0]).tolist()), n=len(one) + len(two))
    return Comparison(float(one.mean()), float(two.mean()), apart, p)


def mcnemar(only_first: int, only_second: int) -> float:
    """McNemar's exact test: how likely a split of the units that only one of two systems got right is by chance."""
    differing = only_first + only_second
    return float(scipy.stats.binomtest(only_first, differing).pvalue) if differing else 1.0


def spelled(value: float) -> str:
    """A figure for people: three digits that count, two of one that is small, so that an interval fits beside it."""
    if not value:
        return "0"
    digits = 3 if abs(value) >= 0.1 else 2
    told = f"{'−' if value < 0 else ''}{abs(value):.{max(0, digits - 1 - math.floor(math.log10(abs(value))))}f}"
    return told.rstrip("0").rstrip(".") if "." in told else told


def _interval(drawn: Sequence[float]) -> tuple[float | None, float | None]:
    if not drawn:
        return None, None
    low, high = np.percentile(drawn, [100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2])
    return float(low), float(high)
