"""One confirmation, one effect: whoever clicks twice, whatever dies."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection

from agent.worksheets.actions import Call, Refusal, Result
from corpora.models import Restaurant
from hybridchat.chat.models import Conversation
from hybridchat.effects.actions.courses import enroll
from hybridchat.effects.actions.restaurants import book, cancel_booking, modify_booking
from hybridchat.effects.actions.services import submit_ticket
from hybridchat.effects.models import Enrollment, Letter, Receipt, Reservation, Seating, Ticket
from tests.effects.conftest import course, meets
from tests.effects.test_changing import named
from tests.effects.test_enrolling import STUDENT, chosen
from tests.effects.test_submitting import TICKET

Calls = Callable[..., Call]
SCRIPT = Path(__file__).with_name("run_booking.py")


def together(count: int, act: Callable[[int], Any]) -> list[Any]:
    """Do something in that many threads at the same moment; their results and errors."""
    barrier = threading.Barrier(count)

    def one(number: int) -> Any:
        barrier.wait()
        try:
            return act(number)
        except (Refusal, IntegrityError) as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


async def test_a_second_click_gets_the_first_ones_result(place: Restaurant, table: dict, call: Calls) -> None:
    first = await book(call("one"), **table, email="ada@example.org")
    again = await book(call("one"), **table, email="ada@example.org")
    assert again == first
    assert await Reservation.objects.acount() == await Letter.objects.acount() == 1


async def test_a_repeated_call_repeats_its_result_even_if_that_would_be_refused_now(
    place: Restaurant, table: dict, call: Calls
) -> None:
    first = await book(call("one"), **table | {"number_of_people": 10})
    assert await book(call("one"), **table | {"number_of_people": 10}) == first


async def test_a_repeated_change_and_cancellation_happen_once(place: Restaurant, table: dict, call: Calls) -> None:
    await book(call(), **table)
    booking = named((await Reservation.objects.aget()).reference)
    changed = await modify_booking(call("two"), booking=booking, time="20:00")
    assert await modify_booking(call("two"), booking=booking, time="20:00") == changed
    cancelled = await cancel_booking(call("three"), booking=booking)
    assert await cancel_booking(call("three"), booking=booking) == cancelled
    assert (await Reservation.objects.aget()).sequence == 2


async def test_a_refused_call_leaves_no_receipt_and_may_be_tried_again(
    place: Restaurant, table: dict, call: Calls
) -> None:
    with pytest.raises(Refusal):
        await book(call("one"), **table | {"number_of_people": 11})
    assert not await Receipt.objects.aexists()
    await book(call("one"), **table)


@pytest.mark.usefixtures("place")
def test_two_tabs_at_the_same_moment_book_one_table(table: dict, call: Calls) -> None:
    results = together(6, lambda _: asyncio.run(book(call("one"), **table)))
    assert all(isinstance(one, Result) for one in results)
    assert len({one.sentence for one in results}) == 1
    assert Reservation.objects.count() == Receipt.objects.count() == 1


@pytest.mark.usefixtures("place")
def test_those_who_want_the_last_seats_at_once_get_no_more_than_there_are(table: dict, call: Calls) -> None:
    results = together(9, lambda _: asyncio.run(book(call(), **table | {"number_of_people": 2})))
    assert sum(isinstance(one, Result) for one in results) == 5
    assert Reservation.objects.count() == 5
    assert {one.field for one in results if isinstance(one, Refusal)} == {"time"}


@pytest.mark.usefixtures("place")
def test_the_first_bookings_of_a_restaurant_may_come_at_once(table: dict, call: Calls) -> None:
    Seating.objects.all().delete()
    results = together(6, lambda _: asyncio.run(book(call(), **table)))
    assert all(isinstance(one, Result) for one in results)
    assert Seating.objects.get().seats == 30


def test_the_last_places_of_a_course_go_to_as_many_and_the_others_wait(call: Calls) -> None:
    course("CS 101", "Programming", meets(capacity=10, enrolled=7))
    students = [{**STUDENT, "student_id": f"0551234{number}"} for number in range(8)]
    results = together(
        8, lambda number: asyncio.run(enroll(call(), courses=chosen("CS 101"), student=students[number]))
    )
    assert all(isinstance(one, Result) for one in results)
    assert Enrollment.objects.filter(status="enrolled").count() == 3
    assert Enrollment.objects.filter(status="waitlisted").count() == 5


def test_students_who_choose_the_same_courses_in_another_order_do_not_block_each_other(call: Calls) -> None:
    course("CS 101", "Programming", meets())
    course("CS 102", "Abstractions", meets(days="Tue"))
    students = [{**STUDENT, "student_id": f"0551234{number}"} for number in range(8)]
    orders = [("CS 101", "CS 102"), ("CS 102", "CS 101")]

    def act(number: int) -> Result:
        return asyncio.run(enroll(call(), courses=chosen(*orders[number % 2]), student=students[number]))

    results = together(8, act)
    assert all(isinstance(one, Result) for one in results)
    assert Enrollment.objects.count() == 16


def test_one_ticket_is_submitted_by_many_clicks(call: Calls) -> None:
    results = together(5, lambda _: asyncio.run(submit_ticket(call("one"), ticket=TICKET)))
    assert len({one.values["transaction_id"] for one in results}) == 1
    assert Ticket.objects.count() == 1


def booking_process(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(("moment", "left"), [("before-commit", 0), ("after-commit", 1)])
def test_a_process_that_is_killed_leaves_all_or_nothing_and_the_next_finishes_it(
    place: Restaurant, conversation: Conversation, live_environment: dict[str, str], moment: str, left: int
) -> None:
    key = f"{conversation.pk}:book_restaurant_1:{uuid4()}"
    killed = booking_process(live_environment, key, str(conversation.pk), moment)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert killed.stdout == ""
    assert Reservation.objects.count() == Receipt.objects.count() == left
    references = set(Reservation.objects.values_list("reference", flat=True))
    retried = [booking_process(live_environment, key, str(conversation.pk)) for _ in range(2)]
    made = Reservation.objects.get()
    assert references <= {made.reference}
    assert all(made.reference in one.stdout for one in retried), retried[0].stderr


async def test_a_retry_waits_for_the_call_that_is_still_at_it(place: Restaurant, table: dict, call: Calls) -> None:
    first, second = await asyncio.gather(book(call("one"), **table), book(call("one"), **table))
    assert first == second
