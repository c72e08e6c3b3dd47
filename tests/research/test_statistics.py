"""Agreement and tests give the numbers of published worked examples."""

from __future__ import annotations

import pytest

from hybridchat.research.statistics import alpha, cohen, compare, contrast, mcnemar, mean, share, spelled

# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability": four observers, twelve units, some data missing.
OBSERVERS = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)
UNITS = [[int(value) for value in unit if value != "."] for unit in zip(*map(str.split, OBSERVERS), strict=True)]

# Fleiss, Levin and Paik (2003), "Statistical Methods for Rates and Proportions", table 18.1: 100 diagnoses, two raters.
DIAGNOSES = {
    ("psychotic", "psychotic"): 75, ("psychotic", "neurotic"): 1, ("psychotic", "organic"): 4,
    ("neurotic", "psychotic"): 5, ("neurotic", "neurotic"): 4, ("neurotic", "organic"): 1,
    ("organic", "organic"): 10,
}  # fmt: skip

# Student (1908), "The probable error of a mean": hours of sleep gained by two drugs.
FIRST = (0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0)
SECOND = (1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4)


@pytest.mark.parametrize(("scale", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_krippendorffs_example(scale: str, value: float) -> None:
    found = alpha(UNITS, scale)
    assert found.value == pytest.approx(value, abs=0.0005)
    assert found.low is not None
    assert found.high is not None
    assert found.low < value < found.high
    assert found.n == 11  # one unit was judged by one observer alone


def test_kappa_of_fleiss_example() -> None:
    pairs = [pair for pair, count in DIAGNOSES.items() for _ in range(count)]
    assert cohen(pairs) == pytest.approx(0.676, abs=0.0005)


def test_weighted_kappa_forgives_small_distances() -> None:
    near, far = [(1, 2), (2, 2), (3, 3), (1, 1)], [(1, 3), (2, 2), (3, 3), (1, 1)]
    assert cohen(near) == pytest.approx(cohen(far), abs=0.1)
    assert cohen(near, "interval") > cohen(far, "interval") + 0.2  # type: ignore[operator]


def test_agreement_is_undefined_where_nothing_differs() -> None:
    assert cohen([("a", "a")] * 5) is None
    assert alpha([["a", "a"]] * 5).value is None
    assert alpha([["a"], ["b"]]).value is None


def test_students_sleep_data() -> None:
    found = compare(FIRST, SECOND)
    assert found.difference.value == pytest.approx(1.58)
    assert found.p["t"] == pytest.approx(0.002833, abs=0.000001)
    assert found.p["permutation"] == pytest.approx(2 / 2**9, abs=0.003)  # one difference is nought
    assert "mcnemar" not in found.p


def test_mcnemars_exact_test_counts_only_where_they_differ() -> None:
    assert mcnemar(6, 1) == pytest.approx(2 * (1 + 7) / 2**7)
    found = compare([1, 1, 1, 1, 1, 1, 0, 1, 0], [0, 0, 0, 0, 0, 0, 1, 1, 0])
    assert found.p["mcnemar"] == pytest.approx(0.125)
    assert found.difference.value == pytest.approx(-5 / 9)


def test_systems_that_do_the_same_do_not_differ() -> None:
    assert compare([1, 0, 1], [1, 0, 1]).p == {"mcnemar": 1.0, "permutation": 1.0}


def test_a_comparison_needs_the_same_units() -> None:
    with pytest.raises(ValueError, match="same units"):
        compare([1.0], [1.0, 2.0])


def test_a_share_pools_its_units_and_has_an_interval() -> None:
    found = share([3, 0, 2], [3, 1, 2])
    assert found.value == pytest.approx(5 / 6)
    assert found.low is not None
    assert 0 <= found.low <= 5 / 6
    assert found.high == pytest.approx(1)
    assert share([], []).value is None


def test_fishers_test_gives_the_lady_who_tastes_tea_her_number() -> None:
    """Fisher (1935), "The Design of Experiments", chapter 2: three of four cups of each kind told right."""
    found = contrast([1, 1, 1, 0], [0, 0, 0, 1])
    assert found is not None
    assert found.p["fisher"] == pytest.approx(0.4857, abs=1e-4)
    assert found.difference.value == pytest.approx(-0.5)


def test_welchs_test_takes_the_two_drugs_for_those_of_different_sleepers() -> None:
    """R's documentation of `t.test` prints this for Student's data: t = -1.8608, p = 0.07939."""
    found = contrast(FIRST, SECOND)
    assert found is not None
    assert found.p["welch t"] == pytest.approx(0.07939, abs=1e-5)
    assert found.p["permutation"] == pytest.approx(0.08, abs=0.02)
    assert found.difference.low < 1.58 < found.difference.high


def test_contrast_of_an_arm_without_anybody_is_none_and_of_alike_ones_certain() -> None:
    assert contrast([], [1.0]) is None
    alike = contrast([2.0, 2.0], [2.0, 2.0])
    assert alike is not None
    assert alike.p == {"permutation": 1.0}


def test_mean_is_told_with_its_interval() -> None:
    found = mean(SECOND)
    assert (found.value, found.n) == (pytest.approx(2.33), 10)
    assert found.low < 2.33 < found.high


def test_figures_are_spelled_with_the_digits_that_count() -> None:
    figures = (0, 1, 36.249, 0.5123, -0.00518, 0.000038, 123456.7)
    assert [spelled(one) for one in figures] == ["0", "1", "36.2", "0.512", "−0.0052", "0.000038", "123457"]
