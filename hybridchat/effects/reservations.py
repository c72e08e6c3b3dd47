"""Booking, changing and cancelling a table. Each function is called in a transaction and raises `Refusal`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from rapidfuzz import fuzz

from agent.text.english import listed
from agent.worksheets.actions import Refusal, Result
from agent.worksheets.state import Entity
from corpora.models import Restaurant
from hybridchat.effects import letters
from hybridchat.effects.belonging import Belonging
from hybridchat.effects.models import Receipt, Reservation
from hybridchat.effects.models.owned import is_reference
from hybridchat.effects.speech import clock, day, people
from hybridchat.effects.tables import Wish, check_table

FREE_UNTIL = timedelta(hours=24)  # before the party comes
ALIKE = 85  # of 100: how much of a restaurant's name has to be said


@dataclass(frozen=True, slots=True)
class Guest:
    """What a booking says about who comes."""

    special_request: str = ""
    name: str = ""
    email: str = ""
    phone: str = ""


def book(receipt: Receipt, whose: Belonging, wish: Wish, guest: Guest) -> Result:
    """Book the table."""
    stay = check_table(wish)
    made = Reservation.objects.create(
        receipt=receipt,
        restaurant=wish.restaurant,
        place=wish.restaurant.name,
        date=wish.date,
        time=wish.time,
        party=wish.party,
        stay=stay,
        special_request=guest.special_request,
        name=guest.name,
        email=guest.email,
        phone=guest.phone,
        **whose.fields(),
    )
    sentence = f"Your table is booked: {described(made, wish.now)}."
    if guest.special_request:
        sentence += f" Note for the restaurant: “{guest.special_request}”."
    sentence += f" The booking reference is {made.reference}; {_terms(made, wish.now)}."
    letters.write(made.email, made, f"Your table at {made.place}", _letter(sentence, made))
    return Result(sentence, values_of(made, wish.now))


def modify(made: Reservation, changes: Mapping[str, Any], now: datetime) -> Result:
    """Change a booking; `changes` may have date, time, party and special_request. If refused, the old table is kept."""
    made = _held(made, now)
    before = described(made, now)
    changed = {name: value for name, value in changes.items() if getattr(made, name) != value}
    if not changed:
        raise Refusal(f"That is how it is booked already: {before}.", "booking")
    for name, value in changed.items():
        setattr(made, name, value)
    if changed.keys() & {"date", "time", "party"}:
        made.stay = check_table(Wish(_restaurant(made), made.date, made.time, made.party, now, but=made))
    made.sequence += 1
    made.save(update_fields=[*changed, "stay", "sequence"])
    sentence = f"Your booking {made.reference} is changed: {described(made, now)} (it was {before})."
    if "special_request" in changed:
        sentence += f" Note for the restaurant: “{made.special_request}”."
    letters.write(made.email, made, f"Your table at {made.place} has changed", _letter(sentence, made))
    return Result(sentence, values_of(made, now))


def cancel(made: Reservation, now: datetime) -> Result:
    """Cancel a booking: free until 24 hours before, then half the fee, which is stated but not charged."""
    made = _held(made, now)
    late = is_late(made, now)
    made.status, made.cancelled_at, made.sequence = Reservation.Status.CANCELLED, timezone.now(), made.sequence + 1
    made.save(update_fields=["status", "cancelled_at", "sequence"])
    cost = (
        "It is less than 24 hours away, so half the cancellation fee applies; nothing is charged here, the "
        "restaurant settles it with you"
        if late
        else "It is more than 24 hours away, so canceling is free"
    )
    sentence = f"Your booking {made.reference} is canceled: {described(made, now)}. {cost}."
    letters.write(made.email, made, f"Your table at {made.place} is canceled", f"{sentence}\n")
    return Result(sentence, values_of(made, now) | {"fee": "half" if late else "none"})


def find(whose: Belonging, named: str, now: datetime) -> Reservation:
    """Find the upcoming booking a person means: by reference, by restaurant, or their only one.

    Raises `Refusal` naming the bookings there are. Somebody else's looks like none.
    """
    mine = list(_upcoming(whose, now))
    if not mine:
        raise Refusal("You have no upcoming booking.", "booking", final=True)
    found = _meant(mine, named)
    if len(found) == 1:
        return found[0]
    offered = found or mine
    there_are = listed([f"{one.reference} ({described(one, now)})" for one in offered])
    problem = "Which booking do you mean?" if found else f"You have no booking “{named}”."
    verb = "are" if len(offered) > 1 else "is"
    raise Refusal(f"{problem} There {verb} {there_are}.", "booking", tuple(as_entity(one, now) for one in offered))


def as_entity(made: Reservation, now: datetime) -> Entity:
    """Return the booking as the value of a worksheet's field."""
    return Entity(table="bookings", key=made.reference, title=f"{made.reference}, {described(made, now)}")


def is_late(made: Reservation, now: datetime) -> bool:
    """Return whether fewer than 24 hours are left before the party arrives."""
    return made.starts - now < FREE_UNTIL


def described(made: Reservation, now: datetime) -> str:
    """ "The Blue Door for 2 people on Friday, November 27 at 20:00"."""
    return f"{made.place} for {people(made.party)} on {day(made.date, now)} at {clock(made.time)}"


def values_of(made: Reservation, now: datetime) -> dict[str, Any]:
    """Return the booking as machine values; `now` is the time of the action."""
    return {
        "booking_id": made.reference,
        "restaurant": made.restaurant.slug if made.restaurant else made.place,
        "date": made.date.isoformat(),
        "time": f"{made.time:%H:%M}",
        "number_of_people": made.party,
        "special_request_info": made.special_request or None,
        "status": made.status,
        "transaction_date": f"{now:%Y-%m-%d}",
        "transaction_time": f"{now:%H:%M}",
    }


def _upcoming(whose: Belonging, now: datetime) -> QuerySet[Reservation]:
    still_to_come = Q(date__gt=now.date()) | Q(date=now.date(), time__gt=now.time())
    booked = Reservation.objects.filter(whose.holds(), still_to_come, status=Reservation.Status.BOOKED)
    return booked.select_related("restaurant")


def _meant(mine: list[Reservation], named: str) -> list[Reservation]:
    """Those whose reference is said; else those whose restaurant is; else all, unless a reference is said that is
    none of theirs."""
    references = {word.upper() for word in re.findall(r"\w+", named) if is_reference(word)}
    if references:
        return [one for one in mine if one.reference in references]
    named_places = [
        one for one in mine if named and fuzz.partial_ratio(one.place.casefold(), named.casefold()) >= ALIKE
    ]
    return named_places or mine


def _restaurant(made: Reservation) -> Restaurant:
    if made.restaurant is None:
        raise Refusal(f"{made.place} is no longer listed, so the booking can only be canceled.", "booking")
    return made.restaurant


def _held(made: Reservation, now: datetime) -> Reservation:
    """The booking as it is, locked until the end of the transaction. `Refusal` where it cannot be changed any more."""
    made = Reservation.objects.select_for_update().get(pk=made.pk)
    if not made.booked:
        raise Refusal(f"The booking {made.reference} is already canceled.", "booking")
    if made.starts <= now:
        raise Refusal(f"The booking {made.reference} was for {day(made.date, now)}, which has passed.", "booking")
    return made


def _terms(made: Reservation, now: datetime) -> str:
    until = made.starts - FREE_UNTIL
    if until <= now:
        return "as it is less than 24 hours away, half the cancellation fee applies if you cancel"
    return f"it can be canceled free of charge until {day(until.date(), now)} at {clock(until)}"


def _letter(sentence: str, made: Reservation) -> str:
    where = f"\n\n{made.restaurant.address}\n{made.restaurant.phone_number}" if made.restaurant else ""
    return f"{sentence}{where}\n\nThe attached file adds it to your calendar.\n"
