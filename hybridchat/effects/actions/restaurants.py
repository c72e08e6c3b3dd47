"""The restaurant assistant's actions: book, change, cancel. Thin: read the values, call the service, once."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from agent.worksheets.actions import Call, Refusal, Registry, Result
from agent.worksheets.state import Entity
from corpora.models import Restaurant
from hybridchat.chat.threads import in_thread
from hybridchat.effects import reservations
from hybridchat.effects.belonging import belonging
from hybridchat.effects.models import Receipt, Reservation
from hybridchat.effects.once import once
from hybridchat.effects.reservations import Guest
from hybridchat.effects.tables import Wish
from hybridchat.effects.values import as_date, as_entity_key, as_time, as_whole, local, text

registry = Registry()


@registry.action("book")
async def book(
    call: Call,
    *,
    restaurant: Entity,
    date: datetime.date,
    time: datetime.time,
    number_of_people: int,
    special_request_info: str | None = None,
    full_name: str | None = None,
    email: str | None = None,
    phone: str | None = None,
) -> Result:
    """Return a table, for 90 minutes. Refused where it is closed then, full, in the past or too far ahead."""

    def act(receipt: Receipt) -> Result:
        wish = Wish(
            restaurant_of(restaurant),
            as_date(date),
            as_time(time),
            as_whole(number_of_people, "number_of_people", "people"),
            local(call.now),
        )
        guest = Guest(text(special_request_info), text(full_name), text(email), text(phone))
        return reservations.book(receipt, belonging(call.conversation), wish, guest)

    return await in_thread(once, call, "book", act)


@registry.action("modify_booking")
async def modify_booking(
    call: Call,
    *,
    booking: Entity,
    date: datetime.date | None = None,
    time: datetime.time | None = None,
    number_of_people: int | None = None,
    special_request_info: str | None = None,
) -> Result:
    """Another day, time, number or wish for one's own booking; the old one stands if that is refused."""

    def change(made: Reservation) -> Result:
        changes: dict[str, Any] = {
            "date": None if date is None else as_date(date),
            "time": None if time is None else as_time(time),
            "party": None if number_of_people is None else as_whole(number_of_people, "number_of_people", "people"),
            "special_request": text(special_request_info) or None,
        }
        given = {name: value for name, value in changes.items() if value is not None}
        return reservations.modify(made, given, local(call.now))

    return await in_thread(once, call, "modify_booking", _on_own(call, booking, change))


@registry.action("cancel_booking")
async def cancel_booking(call: Call, *, booking: Entity) -> Result:
    """Free until 24 hours before, then half the fee: said, never charged."""

    def cancel(made: Reservation) -> Result:
        return reservations.cancel(made, local(call.now))

    return await in_thread(once, call, "cancel_booking", _on_own(call, booking, cancel))


def restaurant_of(value: Any) -> Restaurant:
    """Return the restaurant that a field holds. Raises `Refusal` if it is not listed (any more)."""
    found = Restaurant.objects.filter(slug=as_entity_key(value)).first()
    if found is None:
        raise Refusal("That restaurant is not listed.", "restaurant")
    return found


def _on_own(call: Call, booking: Entity, act: Callable[[Reservation], Result]) -> Callable[[Receipt], Result]:
    def on_own(receipt: Receipt) -> Result:
        return act(reservations.find(belonging(call.conversation), as_entity_key(booking), local(call.now)))

    return on_own
