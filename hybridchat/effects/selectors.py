"""What a person has booked, taken and asked for, as their page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar
from uuid import UUID

from django.db.models import QuerySet

from hybridchat.chat.errors import NotFound
from hybridchat.chat.owners import Owner
from hybridchat.effects.enrollments import place_in_line
from hybridchat.effects.models import Enrollment, Owned, Reservation, Ticket, TicketReply
from hybridchat.effects.reservations import FREE_UNTIL, is_late

REMEMBERED = timedelta(days=90)  # for how long what is over is shown
MOST_SHOWN = 100

Thing = TypeVar("Thing", bound=Owned)


@dataclass(frozen=True, slots=True)
class BookingView:
    """A reservation as it stands. `changeable` while it is booked and still to come; then `late` says whether
    cancelling costs half the fee, and `free_until` up to when it does not."""

    booking: Reservation
    changeable: bool
    late: bool
    free_until: datetime


@dataclass(frozen=True, slots=True)
class CourseView:
    """An enrollment as it stands; `line` is the place on the waitlist, 0 for who does not wait."""

    enrollment: Enrollment
    line: int


@dataclass(frozen=True, slots=True)
class TicketView:
    """A ticket with the staff's replies. `answers` are all of what was filled in, (label, value)."""

    ticket: Ticket
    replies: tuple[TicketReply, ...]
    answers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Mine:
    """Everything of one person. `conversations` are those that can still be opened."""

    coming: tuple[BookingView, ...]
    past: tuple[BookingView, ...]
    courses: tuple[CourseView, ...]
    dropped: tuple[CourseView, ...]
    tickets: tuple[TicketView, ...]
    conversations: frozenset[UUID]

    @property
    def nothing(self) -> bool:
        return not (self.coming or self.past or self.courses or self.dropped or self.tickets)


def mine(owner: Owner, now: datetime) -> Mine:
    """Return what the owner has, soonest first; `now` is the local clock."""
    bookings = [booking_view(one, now) for one in _bookings(owner, now)]
    courses = [CourseView(one, _line(one)) for one in Enrollment.objects.of(owner)[:MOST_SHOWN]]
    courses.sort(key=lambda view: view.enrollment.created, reverse=True)
    return Mine(
        coming=tuple(one for one in bookings if one.changeable),
        past=tuple(reversed([one for one in bookings if not one.changeable])),
        courses=tuple(one for one in courses if one.enrollment.held),
        dropped=tuple(one for one in courses if not one.enrollment.held),
        tickets=tuple(_ticket_view(one) for one in _tickets(owner)),
        conversations=frozenset(owner.conversations().values_list("pk", flat=True)),
    )


def own_booking(owner: Owner, reference: str) -> Reservation:
    """Return the owner's reservation; raise `NotFound` otherwise, also for another owner's."""
    return _own(Reservation.objects.select_related("restaurant").of(owner), reference)


def own_enrollment(owner: Owner, reference: str) -> Enrollment:
    """Return the owner's enrollment or raise `NotFound`."""
    return _own(Enrollment.objects.of(owner), reference)


def booking_view(booking: Reservation, now: datetime) -> BookingView:
    """Return the reservation with what can still be changed."""
    changeable = booking.booked and booking.starts > now
    return BookingView(booking, changeable, is_late(booking, now), booking.starts - FREE_UNTIL)


def unread(owner: Owner) -> QuerySet[TicketReply]:
    """Return the replies that the owner has not seen yet."""
    if not owner.key and owner.user_id is None:
        return TicketReply.objects.none()
    return TicketReply.objects.filter(ticket__in=Ticket.objects.of(owner), read_at__isnull=True)


def _own(things: QuerySet[Thing], reference: str) -> Thing:
    found = things.filter(reference=reference.upper()).first()
    if found is None:
        raise NotFound("This cannot be opened here: it was made in another browser, or there is no such reference.")
    return found


def _bookings(owner: Owner, now: datetime) -> QuerySet[Reservation]:
    recent = Reservation.objects.of(owner).filter(date__gte=(now - REMEMBERED).date())
    return recent.select_related("restaurant").order_by("date", "time")[:MOST_SHOWN]


def _tickets(owner: Owner) -> QuerySet[Ticket]:
    return Ticket.objects.of(owner).prefetch_related("replies").order_by("-created")[:MOST_SHOWN]


def _line(enrollment: Enrollment) -> int:
    return place_in_line(enrollment) if enrollment.status == Enrollment.Status.WAITLISTED else 0


def _ticket_view(ticket: Ticket) -> TicketView:
    return TicketView(ticket, tuple(ticket.replies.all()), tuple(ticket.answers()))
