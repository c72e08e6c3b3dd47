"""Booking a table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from agent.worksheets.actions import Call, Refusal
from corpora.models import Restaurant
from hybridchat.chat.models import Conversation
from hybridchat.chat.owners import Owner
from hybridchat.effects.actions.restaurants import book
from hybridchat.effects.models import Closure, Reservation
from tests.effects.conftest import NOW

Calls = Callable[..., Call]


async def refused(call: Call, **table: Any) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        await book(call, **table)
    assert not await Reservation.objects.aexists()
    return refusal.value


async def test_a_booking_is_what_was_confirmed(
    place: Restaurant, table: dict, call: Calls, conversation: Conversation, owner: Owner
) -> None:
    result = await book(call(), **table, special_request_info="a window seat")
    made = await Reservation.objects.aget()
    assert (made.date, f"{made.time:%H:%M}", made.party) == (date(2026, 11, 27), "19:00", 4)
    assert (made.owner_key, made.conversation, made.stay) == (owner.key, conversation.pk, 90)
    assert "The Blue Door for 4 people on Friday, November 27 at 7:00 pm" in result.sentence
    assert "a window seat" in result.sentence
    assert made.reference in result.sentence
    assert result.values["booking_id"] == made.reference
    assert (result.values["date"], result.values["time"]) == ("2026-11-27", "19:00")
    assert (result.values["transaction_date"], result.values["transaction_time"]) == ("2026-11-20", "10:00")


async def test_a_full_time_names_the_nearest_free_ones(place: Restaurant, table: dict, call: Calls) -> None:
    await book(call(), **table | {"number_of_people": 8})
    with pytest.raises(Refusal) as refusal:
        await book(call(), **table)
    assert refusal.value.field == "time"
    assert refusal.value.alternatives == ("17:30", "20:30")
    assert refusal.value.sentence == (
        "The Blue Door is full at 7:00 pm on Friday, November 27; 2 people would fit; 5:30 pm and 8:30 pm are free."
    )


async def test_the_named_alternatives_can_be_booked(place: Restaurant, table: dict, call: Calls) -> None:
    await book(call(), **table | {"number_of_people": 10})
    with pytest.raises(Refusal) as refusal:
        await book(call(), **table)
    for free in refusal.value.alternatives:
        await book(call(), **table | {"time": free})


async def test_the_last_seat_is_taken(place: Restaurant, table: dict, call: Calls) -> None:
    await book(call(), **table | {"number_of_people": 8})
    await book(call(), **table | {"number_of_people": 2})
    assert await Reservation.objects.acount() == 2


async def test_a_full_day_names_days_on_which_that_time_is_free(place: Restaurant, table: dict, call: Calls) -> None:
    for hour in ("17:00", "18:30", "20:00", "21:30", "23:00"):
        await book(call(), **table | {"time": hour, "number_of_people": 10})
    with pytest.raises(Refusal) as refusal:
        await book(call(), **table)
    assert refusal.value.field == "date"
    assert refusal.value.alternatives == ("2026-11-28", "2026-11-29")


async def test_a_party_larger_than_the_room_is_told_so(place: Restaurant, table: dict, call: Calls) -> None:
    refusal = await refused(call(), **table | {"number_of_people": 11})
    assert refusal.field == "number_of_people"
    assert "seats 10 people at most" in refusal.sentence


@pytest.mark.parametrize("number", [0, -2, 21, 87_236])
async def test_a_party_is_1_to_20(place: Restaurant, table: dict, call: Calls, number: int) -> None:
    assert (await refused(call(), **table | {"number_of_people": number})).field == "number_of_people"


async def test_a_closed_weekday_names_the_days_around_it(place: Restaurant, table: dict, call: Calls) -> None:
    refusal = await refused(call(), **table | {"date": "2026-11-23"})
    assert refusal.field == "date"
    assert refusal.sentence.startswith("The Blue Door is closed on Mondays.")
    assert refusal.alternatives == ("2026-11-22", "2026-11-24")


async def test_a_special_closing_is_said_with_its_reason(place: Restaurant, table: dict, call: Calls) -> None:
    await Closure.objects.acreate(
        restaurant=place, first_day=date(2026, 11, 26), last_day=date(2026, 11, 27), reason="Thanksgiving"
    )
    refusal = await refused(call(), **table)
    assert "closed on Friday, November 27 for Thanksgiving" in refusal.sentence
    assert refusal.alternatives == ("2026-11-25", "2026-11-28")


async def test_a_closing_of_all_restaurants_counts_for_each(place: Restaurant, table: dict, call: Calls) -> None:
    await Closure.objects.acreate(first_day=date(2026, 11, 27), last_day=date(2026, 11, 27))
    assert (await refused(call(), **table)).field == "date"


async def test_before_opening_names_the_first_times(place: Restaurant, table: dict, call: Calls) -> None:
    refusal = await refused(call(), **table | {"time": "12:00"})
    assert refusal.field == "time"
    assert refusal.alternatives == ("17:00", "17:30")
    assert "open 5:00 pm to 1:00 am" in refusal.sentence


async def test_nobody_is_seated_minutes_before_closing(place: Restaurant, table: dict, call: Calls) -> None:
    wednesday = table | {"date": "2026-11-25"}
    assert (await refused(call(), **wednesday | {"time": "21:45"})).alternatives == ("21:00", "21:30")
    await book(call(), **wednesday | {"time": "21:30"})


async def test_after_midnight_belongs_to_the_evening_before(place: Restaurant, table: dict, call: Calls) -> None:
    await book(call(), **table | {"date": "2026-11-28", "time": "00:30"})
    refusal_of_friday = None
    with pytest.raises(Refusal) as refusal:
        await book(call(), **table | {"time": "00:30"})
    refusal_of_friday = refusal.value.sentence
    assert "The night of Friday to Saturday is Saturday, November 28 at 12:30 am." in refusal_of_friday


async def test_a_closing_ends_its_own_night_too(place: Restaurant, table: dict, call: Calls) -> None:
    await Closure.objects.acreate(restaurant=place, first_day=date(2026, 11, 27), last_day=date(2026, 11, 27))
    await refused(call(), **table | {"date": "2026-11-28", "time": "00:30"})


async def test_parties_on_both_sides_of_midnight_share_the_room(place: Restaurant, table: dict, call: Calls) -> None:
    await book(call(), **table | {"time": "23:30", "number_of_people": 8})
    with pytest.raises(Refusal) as refusal:
        await book(call(), **table | {"date": "2026-11-28", "time": "00:30"})
    assert "full at 12:30 am" in refusal.value.sentence


async def test_yesterday_is_refused(place: Restaurant, table: dict, call: Calls) -> None:
    refusal = await refused(call(), **table | {"date": "2026-11-19"})
    assert refusal.field == "date"
    assert refusal.sentence == "Thursday, November 19 is in the past; today is Friday, November 20."


async def test_an_hour_ago_is_refused_in_the_restaurants_own_time(place: Restaurant, table: dict, call: Calls) -> None:
    today = table | {"date": "2026-11-20"}
    assert (await refused(call(now=NOW + timedelta(hours=10)), **today)).field == "time"
    await book(call(now=NOW + timedelta(hours=8)), **today)


async def test_next_year_and_a_day_is_too_far_ahead(place: Restaurant, table: dict, call: Calls) -> None:
    assert (await refused(call(), **table | {"date": "2027-11-21"})).field == "date"
    await book(call(), **table | {"date": "2027-11-20"})


async def test_unknown_hours_are_not_taken_for_open(place: Restaurant, table: dict, call: Calls) -> None:
    await Restaurant.objects.aupdate(opening_hours=None)
    refusal = await refused(call(), **table)
    assert "(650) 555-0100" in refusal.sentence


async def test_a_restaurant_that_is_gone_is_refused(transactional_db: None, table: dict, call: Calls) -> None:
    assert (await refused(call(), **table)).field == "restaurant"


async def test_a_clock_without_a_zone_is_the_local_one(place: Restaurant, table: dict, call: Calls) -> None:
    await book(call(now=datetime(2026, 11, 27, 18, 30)), **table)
