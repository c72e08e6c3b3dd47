"""May a party have a table there and then? Each rule refuses with a sentence and with what would do instead."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import islice

from dateutil.relativedelta import relativedelta

from agent.text.english import listed
from agent.worksheets.actions import Refusal
from corpora.models import Restaurant
from hybridchat.effects.models import Reservation
from hybridchat.effects.models.reservations import MOST_PEOPLE
from hybridchat.effects.opening import DAY, Stretch, closure_on, stretches
from hybridchat.effects.seats import Room, hold_seating, nearest, room
from hybridchat.effects.speech import clock, day, people

MONTHS_AHEAD = 12
DAYS_LOOKED_AT = 14  # for another day that would do


@dataclass(frozen=True, slots=True)
class Wish:
    """A table that somebody wants; `now` is the restaurant's clock, `but` the reservation that is to be moved."""

    restaurant: Restaurant
    date: date
    time: time
    party: int
    now: datetime
    but: Reservation | None = None

    @property
    def starts(self) -> datetime:
        return datetime.combine(self.date, self.time)


def check_party(number: int) -> int:
    """Check the size of a party: 1 to 20, or `Refusal`."""
    if number < 1:
        raise Refusal("A table is for at least one person.", "number_of_people")
    if number > MOST_PEOPLE:
        raise Refusal(
            f"I can book for up to {MOST_PEOPLE} people; for {number}, please call the restaurant.", "number_of_people"
        )
    return number


def check_date(wanted: date, now: datetime) -> date:
    """Check a day: from today to `MONTHS_AHEAD` months ahead, or `Refusal`."""
    if wanted < now.date():
        raise Refusal(f"{day(wanted, now)} is in the past; today is {day(now.date(), now)}.", "date")
    last = now.date() + relativedelta(months=MONTHS_AHEAD)
    if wanted > last:
        raise Refusal(f"{day(wanted, now)} is too far ahead: tables can be booked until {day(last, now)}.", "date")
    return wanted


def check_moment(wanted: datetime, now: datetime) -> datetime:
    """Check a moment: not past, on a day that can be booked, or `Refusal`."""
    check_date(wanted.date(), now)
    if wanted <= now:
        raise Refusal(f"{clock(wanted)} today has already passed; it is {clock(now)} now.", "time")
    return wanted


def check_open_that_day(restaurant: Restaurant, wanted: date, now: datetime) -> list[Stretch]:
    """Return when the restaurant is open that day; `Refusal` if it is closed or its hours are unknown."""
    try:
        found = stretches(restaurant, wanted)
    except ValueError as error:
        call = f" Its number is {restaurant.phone_number}." if restaurant.phone_number else ""
        raise Refusal(
            f"I do not know when {restaurant} is open, so I cannot book there.{call}", "restaurant"
        ) from error
    if found:
        return found
    others = _open_days(restaurant, wanted, now)
    hint = f" It is open on {listed([day(one, now) for one in others])}." if others else ""
    raise Refusal(
        f"{restaurant} is closed on {_closed_on(restaurant, wanted, now)}.{hint}",
        "date",
        tuple(one.isoformat() for one in others),
    )


def check_open(restaurant: Restaurant, wanted: datetime, now: datetime) -> list[Stretch]:
    """Return when it is open that day, provided it seats people at that time; `Refusal` otherwise."""
    found = check_open_that_day(restaurant, wanted.date(), now)
    if any(stretch.seats_at(wanted) for stretch in found):
        return found
    starts = nearest(wanted, _bookable(found, wanted.date(), now))
    hint = f" {_times(starts)} would do." if starts else ""
    raise Refusal(
        f"{restaurant} does not seat people at {clock(wanted)} on {day(wanted.date(), now)}: it is open "
        f"{listed([str(stretch) for stretch in found])}.{hint}{_night_before(restaurant, wanted, now)}",
        "time",
        _clocks(starts),
    )


def check_table(wish: Wish) -> int:
    """Check that the party can have its table and return for how many minutes; `Refusal` names free times.

    Holds the restaurant's seating until the end of the transaction.
    """
    check_party(wish.party)
    check_moment(wish.starts, wish.now)
    seating = hold_seating(wish.restaurant)
    if wish.party > seating.seats:
        raise Refusal(
            f"{wish.restaurant} seats {people(seating.seats)} at most, so a party of {wish.party} does not fit.",
            "number_of_people",
        )
    open_then = check_open(wish.restaurant, wish.starts, wish.now)
    taken = room(seating, wish.date, wish.but)
    if taken.free(wish.starts) < wish.party:
        raise _full(wish, taken, open_then)
    return seating.stay


def _full(wish: Wish, taken: Room, open_then: list[Stretch]) -> Refusal:
    """No table: the nearest times that are free on that day, or else days on which that time is."""
    left = f"; {people(free)} would fit" if (free := taken.free(wish.starts)) else ""
    words = f"{wish.restaurant} is full at {clock(wish.time)} on {day(wish.date, wish.now)}{left}"
    today = [one for one in taken.times(open_then, wish.party) if one.date() == wish.date and one > wish.now]
    if starts := nearest(wish.starts, today):
        return Refusal(
            f"{words}; {_times(starts)} {'is' if len(starts) == 1 else 'are'} free.", "time", _clocks(starts)
        )
    others = _free_days(wish)
    if not others:
        return Refusal(
            f"{words}, and so are the two weeks around it. Another restaurant may have a table.", "restaurant"
        )
    at = f"At {clock(wish.time)} there is a table on {listed([day(one, wish.now) for one in others])}."
    return Refusal(f"{words}, all day. {at}", "date", tuple(one.isoformat() for one in others))


def _free_days(wish: Wish, most: int = 2) -> list[date]:
    """The next days on which the same time is free."""
    later = (wish.date + offset * DAY for offset in range(1, DAYS_LOOKED_AT + 1))
    return list(islice((one for one in later if _has_table(wish, datetime.combine(one, wish.time))), most))


def _has_table(wish: Wish, starts: datetime) -> bool:
    """Whether the party could have its table at another moment."""
    if not any(stretch.seats_at(starts) for stretch in stretches(wish.restaurant, starts.date())):
        return False
    return room(hold_seating(wish.restaurant), starts.date(), wish.but).free(starts) >= wish.party


def _open_days(restaurant: Restaurant, wanted: date, now: datetime) -> list[date]:
    """The nearest day before the one wanted, and the nearest after it, on which it opens."""
    around = range(1, DAYS_LOOKED_AT + 1)
    before = (wanted - offset * DAY for offset in around if wanted - offset * DAY >= now.date())
    after = (wanted + offset * DAY for offset in around)
    nearest_open = [next((one for one in days if stretches(restaurant, one)), None) for days in (before, after)]
    return [one for one in nearest_open if one is not None]


def _closed_on(restaurant: Restaurant, wanted: date, now: datetime) -> str:
    """ "Thursday, November 26 for Thanksgiving", "Mondays"."""
    closure = closure_on(restaurant, wanted)
    if closure is None:
        return f"{wanted:%A}s"
    return f"{day(wanted, now)} for {closure.reason}" if closure.reason else day(wanted, now)


def _night_before(restaurant: Restaurant, wanted: datetime, now: datetime) -> str:
    """For "Friday at 00:30", said of Friday's night: that this is Saturday at 00:30."""
    later = wanted + DAY
    if wanted.hour >= 5 or not any(stretch.seats_at(later) for stretch in stretches(restaurant, later.date())):
        return ""
    return f" The night of {wanted:%A} to {later:%A} is {day(later.date(), now)} at {clock(later)}."


def _bookable(found: Iterable[Stretch], wanted: date, now: datetime) -> list[datetime]:
    """The half hours of that day at which people are seated, whether or not there is a table left."""
    empty = Room(seats=1, stay=DAY, taken=())
    return [one for one in empty.times(list(found), 1) if one.date() == wanted and one > now]


def _times(starts: Iterable[datetime]) -> str:
    return listed([clock(one) for one in starts])


def _clocks(starts: Iterable[datetime]) -> tuple[str, ...]:
    return tuple(f"{one:%H:%M}" for one in starts)
