"""Values in words."""

from __future__ import annotations

from datetime import date, time
from decimal import Decimal

import pytest

from agent.language.tasks import AnswerType
from agent.suql.values import canonical, read_date, read_number, read_time, read_yes_no


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("7", 7), ("seven", 7), ("$20 million", 20_000_000), ("about 1,200 people", 1200), ("twenty-five", 25),
        ("3.5 stars", Decimal("3.5")), ("-4", -4), ("1.5k", 1500), ("a dozen", 12), ("a hundred", 100),
        ("half", Decimal("0.5")), ("twice a week", 2),
        ("two hundred and five", 205), ("three thousand four hundred", 3400), ("between 3 and 5", 3),
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
