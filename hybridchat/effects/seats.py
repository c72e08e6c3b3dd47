"""How many people a restaurant can still take, and when.

A party keeps its table for the restaurant's `stay` (90 minutes unless the curator says otherwise) and counts in every
half hour that it touches. Migration 0002 holds the same rule in the database, against everybody at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Q

from agent.text.values import read_number
from corpora.models import Price, Restaurant
from hybridchat.effects.models import Reservation, Seating
from hybridchat.effects.opening import DAY, Stretch

HALF_HOUR = timedelta(minutes=30)
USUAL_SEATS = {Price.CHEAP: 30, Price.MODERATE: 40, Price.EXPENSIVE: 40, Price.LUXURY: 30}
SEATS_UNKNOWN = 30
AT_A_TABLE = 4
FEWEST_SEATS = 4  # a smaller number in a description is no count of the whole room

# A look ahead, so that every word is tried as the number: "with eight tables".
_FURNITURE = re.compile(
    r"\b(?=(?P<number>\d+|[a-z]+(?:-[a-z]+)?)[ -](?:[a-z]+ )?(?P<unit>seats?|tables|booths)\b)", re.IGNORECASE
)


def usual_seats(restaurant: Restaurant) -> int:
    """Return the seats of a restaurant: from its description, or the usual number for its price.

    "A ten-seat counter" seats 10, "with eight tables" 32.
    """
    for found in _FURNITURE.finditer(restaurant.about):
        number = read_number(found["number"])
        if number is not None and number == int(number):
            seats = int(number) * (1 if found["unit"].lower().startswith("seat") else AT_A_TABLE)
            if seats >= FEWEST_SEATS:
                return seats
    return USUAL_SEATS.get(restaurant.price, SEATS_UNKNOWN)


def hold_seating(restaurant: Restaurant) -> Seating:
    """The restaurant's seating, made where it has none, and locked until the end of the transaction: those who book
    there do so one after the other."""
    Seating.objects.get_or_create(restaurant=restaurant, defaults={"seats": usual_seats(restaurant)})
    return Seating.objects.select_for_update().get(restaurant=restaurant)


@dataclass(frozen=True, slots=True)
class Room:
    """What is taken around a day. `taken` are (starts, ends, people)."""

    seats: int
    stay: timedelta
    taken: tuple[tuple[datetime, datetime, int], ...]

    def free(self, starts: datetime) -> int:
        """Return how many people can still be seated from then on, for a whole stay."""
        halves = _half_hours(starts, starts + self.stay)
        return max(0, self.seats - max(self._load(half) for half in halves))

    def times(self, open_in: Sequence[Stretch], party: int) -> list[datetime]:
        """Return every half hour at which such a party can be seated in these stretches."""
        return [start for stretch in open_in for start in _starts(stretch) if self.free(start) >= party]

    def _load(self, half: datetime) -> int:
        return sum(people for starts, ends, people in self.taken if starts < half + HALF_HOUR and ends > half)


def room(seating: Seating, day: date, but: Reservation | None = None) -> Room:
    """Return what is taken on that day and the days around it, without `but` (which is about to be moved)."""
    around = Q(date__gte=day - DAY, date__lte=day + DAY, status=Reservation.Status.BOOKED)
    booked = Reservation.objects.filter(around, restaurant_id=seating.pk)
    if but is not None:
        booked = booked.exclude(pk=but.pk)
    taken = tuple((one.starts, one.ends, one.party) for one in booked)
    return Room(seating.seats, timedelta(minutes=seating.stay), taken)


def nearest(wanted: datetime, times: Sequence[datetime]) -> list[datetime]:
    """Return the nearest free times before and after the wanted one; two on one side if the other has none."""
    earlier = sorted((one for one in times if one < wanted), reverse=True)
    later = sorted(one for one in times if one > wanted)
    chosen = [*earlier[:1], *later[:1]]
    if len(chosen) < 2:
        chosen = (earlier or later)[:2]
    return sorted(chosen)


def _starts(stretch: Stretch) -> Iterator[datetime]:
    """The half hours at which a party can be seated in the stretch."""
    start = _floor(stretch.opens)
    while start <= stretch.closes:
        if stretch.seats_at(start):
            yield start
        start += HALF_HOUR


def _half_hours(starts: datetime, ends: datetime) -> Iterator[datetime]:
    """The half hours that a stay touches."""
    half = _floor(starts)
    while half < ends:
        yield half
        half += HALF_HOUR


def _floor(moment: datetime) -> datetime:
    return datetime.combine(moment.date(), time(moment.hour, moment.minute - moment.minute % 30))
