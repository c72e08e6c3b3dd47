"""The database itself refuses what must never be."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, time
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from corpora.models import Course, Offering, Restaurant
from hybridchat.effects.models import (
    Closure,
    Enrollment,
    Letter,
    Receipt,
    Reservation,
    Seating,
    Ticket,
    TicketReply,
)
from tests.effects.conftest import course, meets
from tests.effects.test_once import together

Make = Callable[..., Any]


def violates(name: str, make: Make, **fields: Any) -> None:
    with pytest.raises(IntegrityError) as error, transaction.atomic():
        make(**fields)
    assert error.value.__cause__.diag.constraint_name == name  # type: ignore[union-attr]


def receipt() -> Receipt:
    return Receipt.objects.create(key=f"key {uuid4()}", action="test")


@pytest.fixture
def reserve(place: Restaurant) -> Make:
    def make(**fields: Any) -> Reservation:
        usual = {
            "restaurant": place,
            "place": "The Blue Door",
            "date": date(2026, 11, 27),
            "time": time(19),
            "party": 4,
            "conversation": uuid4(),
        }
        return Reservation.objects.create(**{"receipt": receipt(), **usual, **fields})

    return make


@pytest.fixture
def study(transactional_db: None) -> Make:
    held: Course = course("CS 101", "Programming", meets(capacity=3, enrolled=2))
    offering = Offering.objects.get(course=held)

    def make(**fields: Any) -> Enrollment:
        usual = {"offering": offering, "code": "CS 101", "title": "Programming", "season": "winter", "year": 2027}
        who = {"person": "session x", "student_id": "1234", "student_name": "Ada", "status": "enrolled"}
        what = {"units": 3, "grade_type": "Letter", "conversation": uuid4()}
        return Enrollment.objects.create(**{"receipt": receipt(), **usual, **who, **what, **fields})

    return make


@pytest.fixture
def ask(transactional_db: None) -> Make:
    def make(**fields: Any) -> Ticket:
        usual = {"category": "Leave", "subject": "Leave", "conversation": uuid4()}
        return Ticket.objects.create(**{"receipt": receipt(), **usual, **fields})

    return make


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("effects_reservation_has_an_owner", {"conversation": None}),
        ("effects_party_1_to_20", {"party": 0}),
        ("effects_reservation_stay_plausible", {"stay": 29}),
        ("effects_reservation_has_a_place", {"place": ""}),
        ("effects_reservation_status", {"status": "lost"}),
        ("effects_reservation_cancelled_has_a_time", {"status": "cancelled"}),
        ("effects_reservation_cancelled_has_a_time", {"cancelled_at": timezone.now()}),
        ("effects_restaurant_has_room", {"party": 11}),
    ],
)
def test_a_reservation_that_cannot_be_is_refused(reserve: Make, name: str, fields: dict[str, Any]) -> None:
    violates(name, reserve, **fields)


def test_a_party_of_21_is_refused_where_there_is_room(reserve: Make) -> None:
    Seating.objects.update(seats=50)
    violates("effects_party_1_to_20", reserve, party=21)


def test_no_half_hour_takes_more_than_there_is_room(reserve: Make) -> None:
    reserve(party=6)
    reserve(party=4, time=time(20, 15))
    violates("effects_restaurant_has_room", reserve, party=5, time=time(17, 45))
    reserve(party=4, time=time(17, 45))
    violates("effects_restaurant_has_room", reserve, party=1, time=time(18, 50))


def test_parties_that_follow_each_other_do_not_meet(reserve: Make) -> None:
    reserve(party=10)
    reserve(party=10, time=time(20, 30))
    reserve(party=10, time=time(17, 30))


def test_a_reservation_cannot_be_moved_to_where_there_is_no_room(reserve: Make) -> None:
    reserve(party=8)
    moved = reserve(party=4, time=time(17))
    violates("effects_restaurant_has_room", Reservation.objects.filter(pk=moved.pk).update, time=time(18))


def test_a_cancelled_one_cannot_come_back_where_there_is_no_room(reserve: Make) -> None:
    cancelled = reserve(party=8, status="cancelled", cancelled_at=timezone.now())
    reserve(party=8)
    violates(
        "effects_restaurant_has_room",
        Reservation.objects.filter(pk=cancelled.pk).update,
        status="booked",
        cancelled_at=None,
    )


def test_a_restaurant_without_seating_takes_nobody(reserve: Make) -> None:
    Seating.objects.all().delete()
    violates("effects_restaurant_has_a_seating", reserve)


def test_whoever_forgets_to_look_meets_the_rule_under_concurrency_too(reserve: Make) -> None:
    receipts = [receipt() for _ in range(8)]
    made = together(8, lambda number: reserve(receipt=receipts[number], party=3))
    refused = [one.__cause__.diag.constraint_name for one in made if isinstance(one, IntegrityError)]
    assert refused == ["effects_restaurant_has_room"] * 5
    assert sum(isinstance(one, Reservation) for one in made) == 3
    assert sum(Reservation.objects.values_list("party", flat=True)) == 9


def test_one_receipt_is_for_one_reservation(reserve: Make) -> None:
    violates("effects_reservation_receipt_id_key", reserve, receipt=reserve().receipt)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("effects_enrollment_units_plausible", {"units": 61}),
        ("effects_enrollment_status", {"status": "maybe"}),
        ("effects_enrollment_says_who_and_what", {"student_id": ""}),
        ("effects_enrollment_says_who_and_what", {"student_name": ""}),
        ("effects_enrollment_says_who_and_what", {"code": ""}),
        ("effects_enrollment_says_who_and_what", {"person": ""}),
        ("effects_enrollment_dropped_has_a_time", {"status": "dropped"}),
    ],
)
def test_an_enrollment_that_cannot_be_is_refused(study: Make, name: str, fields: dict[str, Any]) -> None:
    violates(name, study, **fields)


def test_a_student_has_one_place_in_an_offering(study: Make) -> None:
    Offering.objects.update(capacity=30)
    study()
    violates("effects_enrolled_once", study)
    study(person="session y")
    study(year=2028)


def test_who_dropped_may_come_back(study: Make) -> None:
    study(status="dropped", dropped_at=timezone.now())
    study()


def test_an_offering_takes_no_more_than_its_capacity(study: Make) -> None:
    study()
    violates("effects_offering_has_a_place", study, student_id="5678")
    waiting = study(student_id="5678", status="waitlisted")
    violates("effects_offering_has_a_place", Enrollment.objects.filter(pk=waiting.pk).update, status="enrolled")


def test_next_years_offering_has_places_of_its_own(study: Make) -> None:
    study()
    study(year=2028)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("effects_ticket_has_a_category", {"category": ""}),
        ("effects_ticket_has_a_subject", {"subject": ""}),
        ("effects_ticket_status", {"status": "lost"}),
    ],
)
def test_a_ticket_that_cannot_be_is_refused(ask: Make, name: str, fields: dict[str, Any]) -> None:
    violates(name, ask, **fields)


def test_a_reply_says_something(ask: Make) -> None:
    violates("effects_reply_has_a_text", TicketReply.objects.create, ticket=ask(), text="")


@pytest.mark.usefixtures("transactional_db")
@pytest.mark.parametrize("missing", ["to", "subject", "body"])
def test_a_letter_is_whole(missing: str) -> None:
    letter = {"to": "ada@example.org", "subject": "A", "body": "B", missing: ""}
    violates("effects_letter_is_whole", Letter.objects.create, **letter)


def test_what_curators_set_is_plausible(place: Restaurant) -> None:
    seating = Seating.objects.filter(pk=place.pk)
    violates("effects_seating_seats_plausible", seating.update, seats=2001)
    violates("effects_seating_stay_plausible", seating.update, stay=20)
    days = {"first_day": date(2026, 11, 27), "last_day": date(2026, 11, 26)}
    violates("effects_closure_days_in_order", Closure.objects.create, **days)


@pytest.mark.usefixtures("transactional_db")
def test_a_receipt_has_a_key() -> None:
    violates("effects_receipt_has_a_key", Receipt.objects.create, key="", action="test")
