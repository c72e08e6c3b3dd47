"""How many people restaurants take, as far as their descriptions tell; and which quarter a course is taken in."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from corpora.models import Restaurant, Season
from hybridchat.effects.opening import Stretch
from hybridchat.effects.seats import Room, nearest, usual_seats
from hybridchat.effects.terms import next_term


@pytest.mark.parametrize(
    ("about", "seats"),
    [
        ("A trattoria with 42 seats and a wine rack.", 42),
        ("An eleven-seat counter with two seatings a night.", 11),
        ("A twenty-two seat ramen counter.", 22),
        ("A tea room with eight tables.", 32),
        ("A diner with fourteen booths and a counter.", 56),
        ("Two seatings a night at the counter.", 40),
        ("A bar with two seats in the window.", 40),
        ("Long tables and counter seats.", 40),
        ("", 40),
    ],
)
def test_a_description_that_counts_its_seats_is_believed(about: str, seats: int) -> None:
    assert usual_seats(Restaurant(about=about, price="moderate")) == seats


def test_without_a_price_there_is_a_usual_number_too() -> None:
    assert usual_seats(Restaurant(about="")) == usual_seats(Restaurant(about="", price="cheap")) == 30


def at(hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, 27, hour, minute)


def test_a_stay_counts_in_every_half_hour_it_touches() -> None:
    stay = timedelta(minutes=90)
    taken = Room(10, stay, ((at(18, 45), at(20, 15), 4),))
    assert [taken.free(at(17)), taken.free(at(17, 10)), taken.free(at(20, 15)), taken.free(at(20, 30))] == [
        10,
        6,
        6,
        10,
    ]


def test_parties_that_do_not_meet_are_not_added_up() -> None:
    stay = timedelta(minutes=90)
    taken = Room(10, stay, ((at(17), at(18, 30), 6), (at(18, 30), at(20), 6)))
    assert taken.free(at(18)) == 4


def test_times_are_half_hours_at_which_people_are_seated() -> None:
    empty = Room(10, timedelta(minutes=90), ())
    assert empty.times([Stretch(at(17, 15), at(19))], 4) == [at(17, 30), at(18), at(18, 30)]


def test_the_nearest_times_lie_on_both_sides_where_there_are_such() -> None:
    times = [at(17), at(18), at(20), at(21)]
    assert nearest(at(19), times) == [at(18), at(20)]
    assert nearest(at(16), times) == [at(17), at(18)]
    assert nearest(at(22), times) == [at(20), at(21)]
    assert nearest(at(19), []) == []


@pytest.mark.parametrize(
    ("season", "today", "term"),
    [
        (Season.WINTER, date(2026, 11, 20), "winter 2027"),
        (Season.AUTUMN, date(2026, 11, 20), "autumn 2027"),
        (Season.AUTUMN, date(2026, 10, 1), "autumn 2026"),
        (Season.AUTUMN, date(2026, 10, 6), "autumn 2027"),
        (Season.SPRING, date(2027, 3, 1), "spring 2027"),
    ],
)
def test_a_quarter_can_be_entered_until_two_weeks_after_it_began(season: Season, today: date, term: str) -> None:
    assert str(next_term(season, today)) == term
