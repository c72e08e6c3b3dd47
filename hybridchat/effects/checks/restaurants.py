"""Checks of the restaurant worksheets: what is wrong is said when it is given, not when all is filled in.

Whether there is a table left is not among them: that is only true at the moment of booking.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from agent.worksheets.actions import Check, Registry
from agent.worksheets.state import Entity
from corpora.models import Restaurant
from hybridchat.chat.threads import in_thread
from hybridchat.effects import reservations
from hybridchat.effects.actions.restaurants import registry, restaurant_of
from hybridchat.effects.belonging import belonging
from hybridchat.effects.checks.contact import email_check, name_check, phone_check
from hybridchat.effects.tables import check_date, check_moment, check_open, check_open_that_day, check_party
from hybridchat.effects.values import as_date, as_entity_key, as_time, as_whole, local, text

BOOKINGS = ("BookRestaurant", "ModifyBooking")
CHANGES = ("ModifyBooking", "CancelBooking")


async def restaurant(value: Any, known: Mapping[str, Any], now: datetime) -> Any:
    """Find a listed restaurant that is open at the wanted time, as far as that is known."""

    def check() -> Any:
        place = restaurant_of(value)
        _check_open(place, known.get("date"), known.get("time"), local(now))
        return value if isinstance(value, Entity) else Entity(table="restaurants", key=place.slug, title=place.name)

    return await in_thread(check)


async def date(value: Any, known: Mapping[str, Any], now: datetime) -> str:
    """Check a day: it can be booked, and the restaurant is open."""

    def check() -> str:
        wanted = check_date(as_date(value), local(now))
        _check_open(_known_restaurant(known), wanted, known.get("time"), local(now))
        return wanted.isoformat()

    return await in_thread(check)


async def time(value: Any, known: Mapping[str, Any], now: datetime) -> str:
    """Check a time: it is not past, and the restaurant seats people then."""

    def check() -> str:
        wanted = as_time(value)
        _check_open(_known_restaurant(known), known.get("date"), wanted, local(now))
        return f"{wanted:%H:%M}"

    return await in_thread(check)


async def number_of_people(value: Any, known: Mapping[str, Any], now: datetime) -> int:
    """Check a number of people: 1 to 20."""
    return check_party(as_whole(value, "number_of_people", "people"))


def booking_check(conversation: str) -> Check:
    """Find an upcoming booking of the conversation's owner."""

    async def booking(value: Any, known: Mapping[str, Any], now: datetime) -> Entity:
        def find() -> Entity:
            made = reservations.find(belonging(conversation), text(as_entity_key(value)), local(now))
            return reservations.as_entity(made, local(now))

        return await in_thread(find)

    return booking


def registry_of(conversation: str) -> Registry:
    """Return the registry of the restaurant assistant for one conversation."""
    own = {(worksheet, "booking"): booking_check(conversation) for worksheet in CHANGES}
    return dataclasses.replace(registry, checks=registry.checks | own)


def _known_restaurant(known: Mapping[str, Any]) -> Restaurant | None:
    value = known.get("restaurant")
    return None if value is None or isinstance(value, tuple | list) else restaurant_of(value)


def _check_open(place: Restaurant | None, on: Any, at: Any, now: datetime) -> None:
    """As much of "is it open then?" as can be asked yet."""
    if on is None:
        return
    if at is not None:
        moment = check_moment(datetime.combine(as_date(on), as_time(at)), now)
        if place is not None:
            check_open(place, moment, now)
    elif place is not None:
        check_open_that_day(place, as_date(on), now)


registry.check("BookRestaurant", "restaurant")(restaurant)
for _worksheet in BOOKINGS:
    registry.check(_worksheet, "date")(date)
    registry.check(_worksheet, "time")(time)
    registry.check(_worksheet, "number_of_people")(number_of_people)
    registry.check(_worksheet, "email")(email_check("email"))
    registry.check(_worksheet, "phone")(phone_check("phone"))
    registry.check(_worksheet, "full_name")(name_check("full_name"))
