"""Changing and cancelling a booking."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from agent.worksheets.actions import Call, Refusal
from agent.worksheets.state import Entity
from corpora.models import Restaurant
from hybridchat.chat import services
from hybridchat.chat.owners import Owner
from hybridchat.effects.actions.restaurants import book, cancel_booking, modify_booking
from hybridchat.effects.models import Reservation
from tests.effects.conftest import NOW

Calls = Callable[..., Call]


def named(reference: str) -> Entity:
    return Entity(table="bookings", key=reference)


@pytest.fixture
async def booked(place: Restaurant, table: dict[str, Any], call: Calls) -> Reservation:
    """For four on Friday, November 27 at 7:00 pm."""
    await book(call(), **table)
    return await Reservation.objects.aget()


async def test_a_change_keeps_what_it_does_not_name(booked: Reservation, call: Calls) -> None:
    result = await modify_booking(call(), booking=named(booked.reference), time="20:00")
    now = await Reservation.objects.aget()
    assert (f"{now.time:%H:%M}", now.party, now.reference, now.sequence) == ("20:00", 4, booked.reference, 1)
    assert "on Friday, November 27 at 8:00 pm (it was The Blue Door for 4 people on" in result.sentence


async def test_a_booking_does_not_stand_in_its_own_way(booked: Reservation, call: Calls) -> None:
    await modify_booking(call(), booking=named(booked.reference), time="19:30", number_of_people=10)
    assert (await Reservation.objects.aget()).party == 10


async def test_a_refused_change_leaves_the_booking(booked: Reservation, call: Calls) -> None:
    with pytest.raises(Refusal) as refusal:
        await modify_booking(call(), booking=named(booked.reference), number_of_people=6, time="03:00")
    now = await Reservation.objects.aget()
    assert refusal.value.field == "time"
    assert (f"{now.time:%H:%M}", now.party) == ("19:00", 4)


async def test_a_change_to_the_same_is_said_to_be_none(booked: Reservation, call: Calls) -> None:
    with pytest.raises(Refusal, match="how it is booked already"):
        await modify_booking(call(), booking=named(booked.reference), number_of_people=4)


async def test_until_24_hours_before_cancelling_is_free(booked: Reservation, call: Calls) -> None:
    just_in_time = NOW.replace(day=26, hour=19)
    result = await cancel_booking(call(now=just_in_time), booking=named(booked.reference))
    assert result.values["fee"] == "none"
    assert "so canceling is free" in result.sentence
    assert (await Reservation.objects.aget()).status == "cancelled"


async def test_after_that_it_is_half_the_fee_and_nothing_is_charged(booked: Reservation, call: Calls) -> None:
    too_late = NOW.replace(day=26, hour=19) + timedelta(minutes=1)
    result = await cancel_booking(call(now=too_late), booking=named(booked.reference))
    assert result.values["fee"] == "half"
    assert "half the cancellation fee applies; nothing is charged here" in result.sentence


async def test_a_cancelled_table_is_free_again(booked: Reservation, table: dict[str, Any], call: Calls) -> None:
    await cancel_booking(call(), booking=named(booked.reference))
    await book(call(), **table | {"number_of_people": 10})


async def test_somebody_elses_booking_looks_like_none(booked: Reservation, call: Calls) -> None:
    elsewhere = call(conversation_id="another terminal")
    with pytest.raises(Refusal, match="You have no upcoming booking"):
        await cancel_booking(elsewhere, booking=named(booked.reference))
    assert (await Reservation.objects.aget()).booked


async def test_another_conversation_of_the_same_person_may_change_it(
    booked: Reservation, call: Calls, owner: Owner
) -> None:
    later = await sync_to_async(services.new_conversation)(owner, "restaurants")
    await cancel_booking(call(conversation_id=later.pk), booking=named(booked.reference))
    assert not (await Reservation.objects.aget()).booked


async def test_what_is_over_can_not_be_changed(booked: Reservation, call: Calls) -> None:
    with pytest.raises(Refusal, match="no upcoming booking"):
        await cancel_booking(call(now=datetime(2026, 11, 28, 10)), booking=named(booked.reference))


async def test_the_restaurants_name_is_enough(booked: Reservation, table: dict[str, Any], call: Calls) -> None:
    await Restaurant.objects.acreate(
        slug="lantern",
        name="Lantern",
        city="Palo Alto",
        latitude=37,
        longitude=-122,
        opening_hours={"fri": [["17:00", "22:00"]]},
    )
    lantern = Entity(table="restaurants", key="lantern")
    await book(call(), **table | {"restaurant": lantern})
    await cancel_booking(call(), booking=named("my table at lantern"))
    assert (await Reservation.objects.aget(place="Lantern")).status == "cancelled"
    assert (await Reservation.objects.aget(place="The Blue Door")).status == "booked"


async def test_of_two_bookings_the_one_meant_is_asked_for(
    booked: Reservation, table: dict[str, Any], call: Calls
) -> None:
    await book(call(), **table | {"date": "2026-11-28"})
    with pytest.raises(Refusal, match="Which booking do you mean") as refusal:
        await cancel_booking(call(), booking=named("my booking"))
    assert [one.key for one in refusal.value.alternatives] == [
        one.reference async for one in Reservation.objects.order_by("date")
    ]


async def test_a_reference_of_no_booking_cancels_none(booked: Reservation, call: Calls) -> None:
    with pytest.raises(Refusal, match="You have no booking “22222B”"):
        await cancel_booking(call(), booking=named("22222B"))
    assert (await Reservation.objects.aget()).booked


async def test_a_restaurant_that_is_gone_can_still_be_cancelled(
    booked: Reservation, place: Restaurant, call: Calls
) -> None:
    await place.adelete()
    with pytest.raises(Refusal, match="can only be canceled"):
        await modify_booking(call(), booking=named(booked.reference), time="20:00")
    await cancel_booking(call(), booking=named(booked.reference))
    assert not (await Reservation.objects.aget()).booked
