"""Dates and times as people say them."""

from __future__ import annotations

import time

import pytest

from agent.understanding.moments import Moment, clock, meal, moment, times_in, times_of_day


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("2024-03-01", Moment(2024, 3, 1)),
        ("march 2024", Moment(2024, 3)),
        ("3rd of July 2023", Moment(2023, 7, 3)),
        ("July 3, 2023", Moment(2023, 7, 3)),
        ("16/2/2021", Moment(2021, 2, 16)),
        ("31.12.2019", Moment(2019, 12, 31)),
        ("12/25/2021", Moment(2021, 12, 25)),
        ("august", Moment(None, 8)),
        ("1990s", Moment(1990, years=10)),
        ("the '80s", Moment(1980, years=10)),
        ("31 february", None),
        ("monday", None),
        ("42", None),
    ],
)
def test_what_a_moment_is(said, meant):
    assert moment(said) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("9pm", "21:00"),
        ("12 am", "00:00"),
        ("21.30", "21:30"),
        ("noon", "12:00"),
        ("half past nine", "09:30"),
        ("9", None),
    ],
)
def test_what_a_time_of_day_is(said, meant):
    assert clock(said) == meant


@pytest.mark.parametrize(
    ("question", "times"),
    [
        ("which are open after 8 pm on saturdays?", "after 8 pm on saturdays"),
        ("open until 11 at night", "until 11 at night"),
        ("bookable on a monday at half past four", "monday at 16:30"),
        ("open at half past eight on a Saturday evening", "at 20:30 on a Saturday evening"),
        ("shows on a monday", None),
        ("how many are open?", None),
    ],
)
def test_when_something_opens(question, times):
    assert times_in(question, opening=True) == times


def test_it_takes_a_time_that_grows_with_the_text():
    began = time.monotonic()
    times_in("open " + "at on monday, " * 20_000, opening=True)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("between 1 and 5 pm", [(">=", "13:00"), ("<=", "17:00")]),
        ("from 9 to noon", [(">=", "09:00"), ("<=", "12:00")]),
        ("from 11 to 2 pm", [(">=", "11:00"), ("<=", "14:00")]),
        ("nothing before 1pm", [(">=", "13:00")]),
        ("it should not start after 11am", [("<=", "11:00")]),
        ("no later than 5pm", [("<=", "17:00")]),
        ("Friday afternoons", [(">=", "12:00")]),
        ("I work mornings", []),
        ("between 3 and 4 units", []),
    ],
)
def test_ranges_denials_and_parts_of_the_day_are_compared(question, told):
    assert [(one.operator, one.time) for one in times_of_day(question)] == told


def test_a_meal_is_a_time_where_nothing_else_is_said():
    assert (meal("over lunch"), meal("dinner"), meal("a business lunch")) == ("lunch", "dinner", None)


def test_a_name_that_begins_like_a_day_is_none():
    assert times_in("open in Sunnyfield", opening=False) is None
