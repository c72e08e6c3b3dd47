"""Opening hours in words."""

from __future__ import annotations

from datetime import datetime

import pytest

from agent.backends.builtin.wording import days_named
from agent.protocols.errors import TypeMismatch
from agent.suql.kinds.hours import DAY, WEEK, Need, read_hours

NOW = datetime(2026, 11, 20, 10, 55)  # a Friday
MON, TUE, WED, THU, FRI, SAT, SUN = (day * DAY for day in range(7))


def open_at(minutes: set[int], words: str) -> bool:
    """Does a place that is open in those minutes of the week fit the words?"""
    return all(any(fits(minutes, need) for need in either) for either in read_hours(words, NOW))


def fits(minutes: set[int], need: Need) -> bool:
    wanted = {minute for start, stop in need.ranges for minute in range(start, stop)}
    return wanted <= minutes if need.throughout else bool(wanted & minutes)


def week(**days: str) -> set[int]:
    """`week(fri="17:00-26:00")`: minutes, past midnight counted on."""
    minutes: set[int] = set()
    for name, span in days.items():
        start, stop = (int(part[:2]) * 60 + int(part[3:]) for part in span.split("-"))
        day = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].index(name) * DAY
        minutes |= {(day + minute) % WEEK for minute in range(start, stop)}
    return minutes


DINER = week(mon="07:00-15:00", tue="07:00-15:00", fri="07:00-15:00", sat="09:00-14:00")
BAR = week(thu="17:00-24:00", fri="17:00-26:00", sat="17:00-26:00", sun="17:00-25:30")


@pytest.mark.parametrize(
    ("words", "diner", "bar"),
    [
        ("open now", True, False),
        ("right now", True, False),
        ("open now for another 4 hours", True, False),
        ("open now for at least another 5 hours", False, False),
        ("open now for another hour", True, False),
        ("open now for 245 more minutes", True, False),
        ("open now for 246 more minutes", False, False),
        ("Friday 21:00", False, True),
        ("open on Friday at 9 pm", False, True),
        ("friday evening at 9", False, True),
        ("Fri 9:30am", True, False),
        ("tomorrow at 8", False, False),
        ("tomorrow at 9:30", True, False),
        ("tomorrow", True, True),
        ("today at noon", True, False),
        ("tonight", False, True),
        ("this afternoon", True, False),
        ("open late", False, True),
        ("late night on Saturday", False, True),
        ("open past midnight on Friday", False, True),
        ("after midnight Friday", False, True),
        ("until 1am on Saturday", False, True),
        ("until 3am on Saturday", False, False),
        ("open Sunday after 1 am", False, True),
        ("Sunday morning", False, False),
        ("Saturday morning", True, False),
        ("open on Sundays", False, True),
        ("open on Mondays", True, False),
        ("weekends", False, True),
        ("weekdays", False, False),
        ("Saturday or Sunday", True, True),
        ("Saturday and Sunday", False, True),
        ("breakfast", True, False),
        ("open for lunch on Tuesday", True, False),
        ("dinner", False, True),
        ("Friday 8 to 11 am", True, False),
        ("Friday 9 to 5 pm", False, False),
        ("from 18:00 to 23:00 on Friday", False, True),
        ("before 8am on Monday", True, False),
        ("24 hours", False, False),
        ("24/7", False, False),
        ("every day", False, False),
        ("thu-sun", False, True),
        ("Thursday through Saturday at 8pm", False, True),
        ("open", True, True),
    ],
)
def test_words_name_the_minutes_they_mean(words: str, diner: bool, bar: bool) -> None:
    assert (open_at(DINER, words), open_at(BAR, words)) == (diner, bar)


def test_always_open_fits_everything() -> None:
    always = set(range(WEEK))
    for words in (
        "24 hours",
        "24/7",
        "every day",
        "open now",
        "Sunday 03:00",
        "until 2am on Sunday",
        "weekdays after 11pm",
    ):
        assert open_at(always, words), words


def test_words_without_a_time_are_an_error_that_shows_how() -> None:
    with pytest.raises(TypeMismatch, match="Friday 21:00"):
        read_hours("blue", NOW)


@pytest.mark.parametrize(
    "words",
    [
        "Friday half past bananas",
        "Friday 25:00",
        "Friday 12:75",
        "Friday 9 am or 5 pm",  # one of two times would go unsaid
        "the ides of March",
        "Friday on the moon",
        "Blursday 21:00",
        "after 26:00",
        "99",
    ],
)
def test_words_that_are_no_part_of_a_time_are_an_error(words: str) -> None:
    with pytest.raises(TypeMismatch, match="Friday 21:00"):
        read_hours(words, NOW)


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ("Friday half past nine", "Friday 9:30"),
        ("quarter to eight on Monday", "Monday 7:45"),
        ("Sunday at nine pm", "Sunday 21:00"),
        ("20 past 9", "9:20"),
    ],
)
def test_hours_in_words_are_those_in_digits(words: str, same: str) -> None:
    assert read_hours(words, NOW) == read_hours(same, NOW)


def test_tonight_after_midnight_is_what_is_left_of_the_night() -> None:
    late = datetime(2026, 11, 27, 0, 30)
    assert read_hours("open tonight", late) == read_hours("open now", late)
    assert read_hours("open tonight", datetime(2026, 11, 27, 18)) != read_hours("open now", datetime(2026, 11, 27, 18))
    assert days_named("when does it close tonight", late) == ("thu",)
    assert days_named("when does it close today", late) == ("fri",)
