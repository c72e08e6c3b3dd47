"""When is a restaurant open? Its weekly hours, less the days on which it is closed for something special."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Q

from corpora.models import Restaurant
from corpora.models.hours import WEEKDAYS
from hybridchat.effects.models import Closure
from hybridchat.effects.speech import clock

SHORTEST = timedelta(minutes=30)  # nobody is seated later than this before closing
DAY = timedelta(days=1)

Hours = Mapping[str, Sequence[Sequence[str]]]


@dataclass(frozen=True, slots=True, order=True)
class Stretch:
    """A time without a break in which a restaurant is open, by its own clock; it may run past midnight."""

    opens: datetime
    closes: datetime

    def seats_at(self, moment: datetime) -> bool:
        """Return whether a party can be seated then."""
        return self.opens <= moment <= self.closes - SHORTEST

    def __str__(self) -> str:
        return f"{clock(self.opens)} to {clock(self.closes)}"


def stretches(restaurant: Restaurant, day: date) -> list[Stretch]:
    """Return when the restaurant is open on that day, in order, including a stretch from the evening before.

    Raises ValueError if the opening hours are not known.
    """
    if restaurant.opening_hours is None:
        raise ValueError(f"the opening hours of {restaurant} are not known")
    closed = set(closed_days(restaurant, day - DAY, day + DAY))
    found = [
        stretch
        for begins in (day - DAY, day, day + DAY)
        if begins not in closed
        for stretch in _declared(restaurant.opening_hours, begins)
    ]
    midnight = datetime.combine(day, time())
    return [one for one in _joined(sorted(found)) if one.closes > midnight and one.opens < midnight + DAY]


def closure_on(restaurant: Restaurant, day: date) -> Closure | None:
    """Return the special closure that covers the day, if any."""
    return _closures(restaurant, day, day).first()


def closed_days(restaurant: Restaurant, first: date, last: date) -> Iterator[date]:
    """Return the days from first to last with a special closure."""
    for closure in _closures(restaurant, first, last):
        for offset in range((last - first).days + 1):
            if closure.first_day <= first + offset * DAY <= closure.last_day:
                yield first + offset * DAY


def _closures(restaurant: Restaurant, first: date, last: date) -> Sequence[Closure]:
    concerned = Q(restaurant=restaurant) | Q(restaurant__isnull=True)
    return Closure.objects.filter(concerned, first_day__lte=last, last_day__gte=first)


def _declared(hours: Hours, day: date) -> Iterator[Stretch]:
    """The stretches that begin on that day; an end that is not after the start is on the next day."""
    for opens, closes in hours.get(WEEKDAYS[day.weekday()], ()):
        start, stop = _moment(day, opens), _moment(day, closes)
        yield Stretch(start, stop if stop > start else stop + DAY)


def _moment(day: date, clock: str) -> datetime:
    hour, minute = map(int, clock.split(":"))
    return datetime.combine(day, time()) + timedelta(hours=hour, minutes=minute)


def _joined(found: Sequence[Stretch]) -> list[Stretch]:
    """Stretches that touch or overlap as one: until 24:00 and from 00:00 is no break."""
    joined: list[Stretch] = []
    for stretch in found:
        if joined and stretch.opens <= joined[-1].closes:
            joined[-1] = Stretch(joined[-1].opens, max(joined[-1].closes, stretch.closes))
        else:
            joined.append(stretch)
    return joined
