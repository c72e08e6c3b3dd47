"""Numbers, sums of money and dates in figures, in the conventions of many countries."""

from __future__ import annotations

import pytest

from agent.backends.builtin.reading.numbers import quantities
from agent.text.dates import dates_in
from agent.text.numerals import read_numeral
from agent.text.values import read_date, read_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12,50 €", 12.5),
        ("₹450", 450),
        ("1.200,50", 1200.5),
        ("1,200.50", 1200.5),
        ("1 200,50", 1200.5),
        ("1’200.50", 1200.5),
        ("12,34,567", 1234567),
        ("1.2k", 1200),
        ("12 Mio", 12_000_000),
        ("3,5 Mrd", 3_500_000_000),
        ("5 lakh", 500_000),
        ("it is 9,90 or so, and 3 more", 9.9),
    ],
)
def test_a_number_is_read_in_any_convention(text: str, value: float) -> None:
    assert float(read_number(text) or 0) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The soup costs 12,50 €.", 12.5),
        ("The lunch set costs ₹450.", 450),
        ("Rent is 1.200 € a month.", 1200),
        ("A pass is CHF 1'200.50 now.", 1200.5),
        ("They charge 40 kronor or 55 SEK.", 55),
        ("The deposit is $1.2k.", 1200),
        ("It sells for 80 rupees.", 80),
    ],
)
def test_a_sum_of_money_is_told_from_other_numbers(text: str, value: float) -> None:
    assert [one.value for one in quantities(text) if one.unit == "money"] == [pytest.approx(value)]


def test_a_single_mark_before_three_digits_parts_thousands_in_money_only() -> None:
    assert float(read_numeral("1.200")) == pytest.approx(1.2)
    assert read_numeral("1.200", money=True) == 1200
    assert read_numeral("1,200") == 1200


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("It opened on 16/02/2024.", "2024-02-16"),
        ("Closed since 31.12.2019.", "2019-12-31"),
        ("on 03.04.2024", "2024-04-03"),  # between points the day stands first
        ("02/16/2024", "2024-02-16"),
        ("03/04/2024", "2024-03-04"),  # the month does where nothing tells
        ("2024/03/04", "2024-03-04"),
        ("5-1-98", "1998-05-01"),
    ],
)
def test_a_date_is_read_in_any_convention(text: str, day: str) -> None:
    assert str(read_date(text)) == day


def test_another_date_of_the_text_tells_which_number_is_the_day() -> None:
    assert [str(one.day) for one in dates_in("from 03/04/2024 to 25/12/2024")] == ["2024-04-03", "2024-12-25"]
    assert [str(one.day) for one in dates_in("on 03/04/2024", "on 03/04/2024, moved from 28/02/2024")] == ["2024-04-03"]


@pytest.mark.parametrize("text", ["31.02.2024", "45/45/2024", "version 1.2.3.4", "call 555-1234-22"])
def test_what_is_no_day_is_none(text: str) -> None:
    assert not list(dates_in(text))


def test_a_date_is_no_quantity() -> None:
    assert quantities("It opened on 16/02/2024.") == ()
