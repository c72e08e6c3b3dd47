"""Values in words."""

from __future__ import annotations

from datetime import date, time
from decimal import Decimal

import pytest

from agent.text.values import AnswerType, canonical, read_date, read_number, read_time, read_yes_no


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("7", 7), ("seven", 7), ("$20 million", 20_000_000), ("about 1,200 people", 1200), ("twenty-five", 25),
        ("3.5 stars", Decimal("3.5")), ("-4", -4), ("1.5k", 1500), ("a dozen", 12), ("a hundred", 100),
        ("half", Decimal("0.5")), ("twice a week", 2),
        ("two hundred and five", 205), ("three thousand four hundred", 3400), ("between 3 and 5", 3),
        ("about 1.5k", 1500), ("half a dozen", 6), ("12,50 €", Decimal("12.5")), ("1.200.000", 1_200_000),
        ("1 200 people", 1200), ("minus four", -4), ("one and a half", Decimal("1.5")), ("1 1/2", Decimal("1.5")),
        ("2½ hours", Decimal("2.5")), ("½", Decimal("0.5")), ("a couple of hours", 2), ("an hour", 1), ("3rd", 3),
        ("half an hour", Decimal("0.5")), ("third", 3), ("1e6", 1_000_000), ("nineteen ninety-five", 1995),
        ("one million two hundred thousand", 1_200_000), ("3M", 3_000_000), ("5 m", 5), ("20min", 20),
        ("4.5/5", Decimal("4.5")),
        ("1.234,56", Decimal("1234.56")), ("two and a half million", 2_500_000), ("12:30", None), ("no one", None),
        ("three quarters", Decimal("0.75")), ("3–5 minutes", 3), ("hundreds", None), ("$1.5K–$2K", 1500),
        ("no idea", None), ("a few", None), ("", None), ("one", 1), ("five of 20", 5), ("1,000,000", 1_000_000),
    ],
)  # fmt: skip
def test_numbers(words: str, number: Decimal | int | None) -> None:
    assert read_number(words) == number


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("2024-02-16", date(2024, 2, 16)), ("March 3, 2024", date(2024, 3, 3)), ("3 Jan 2020", date(2020, 1, 3)),
        ("the 5th of June 2011", date(2011, 6, 5)), ("May 2021", date(2021, 5, 1)), ("2019", date(2019, 1, 1)),
        ("16/02/2024", date(2024, 2, 16)), ("02/16/2024", date(2024, 2, 16)), ("16.02.2024", date(2024, 2, 16)),
        ("20240216", date(2024, 2, 16)), ("Friday, March 1st 2024", date(2024, 3, 1)), ("5-Mar-2020", date(2020, 3, 5)),
        ("Feb '24", date(2024, 2, 1)), ("it opened on 3 May 2015 after delays", date(2015, 5, 3)),
        ("2024-02-16T10:00:00Z", date(2024, 2, 16)), ("spring 2019", date(2019, 3, 1)), ("Q3 2021", date(2021, 7, 1)),
        ("the 1990s", date(1990, 1, 1)), ("circa 1900", date(1900, 1, 1)), ("March 3", date(2026, 3, 3)),
        ("30 Feb 2024", None), ("3 people", None), ("5", None), ("12:30", None), ("about 20 minutes", None),
        ("in 2019", date(2019, 1, 1)), ("yesterday", date(2026, 11, 19)), ("last month", date(2026, 10, 20)),
        ("two weeks ago", date(2026, 11, 6)), ("3 years ago", date(2023, 11, 20)), ("sometime", None), ("", None),
    ],
)  # fmt: skip
def test_dates(words: str, day: date | None) -> None:
    assert read_date(words, date(2026, 11, 20)) == day


@pytest.mark.parametrize(
    ("words", "moment"),
    [
        ("13:00", time(13)), ("1pm", time(13)), ("1 p.m.", time(13)), ("half past nine", time(9, 30)),
        ("noon", time(12)), ("midnight", time(0)),
        ("0930", time(9, 30)), ("13h30", time(13, 30)), ("eight in the evening", time(20)),
        ("eleven thirty pm", time(23, 30)), ("seven-thirty", time(7, 30)), ("5-7pm", time(17)),
        ("between 11 and 2 pm", time(11)), ("24:00", time(0)), ("25:00", None), ("5 minutes", None), ("3 people", None),
        ("2024-01-01", None),
        ("quarter to 8", time(7, 45)), ("6.30 pm", time(18, 30)), ("12 am", time(0)), ("soon", None),
    ],
)  # fmt: skip
def test_times(words: str, moment: time | None) -> None:
    assert read_time(words) == moment


def test_yes_and_no() -> None:
    assert [read_yes_no(words) for words in ("yes", "Yes, very.", "NO", "No, never", "no info", "maybe", "")] == [
        "Yes", "Yes", "No", "No", None, None, None,
    ]  # fmt: skip


def test_what_is_not_of_the_type_is_null() -> None:
    assert canonical("lovely", AnswerType.NUMBER) is None
    assert canonical("lovely", AnswerType.DATE) is None
    assert canonical("lovely", AnswerType.BOOLEAN) is None
    assert canonical("UP-BEAT", AnswerType.OPTION, ("up beat", "calm")) == "up beat"
    assert canonical("sad", AnswerType.OPTION, ("upbeat", "calm")) is None
    assert canonical("  ", AnswerType.TEXT) is None
    assert canonical("20 minutes", AnswerType.NUMBER) == "20"
