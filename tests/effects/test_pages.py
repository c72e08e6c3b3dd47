"""My bookings, courses and tickets: what is there, what can be done about it, and that it is one's own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from agent.worksheets.actions import Call
from corpora.models import Restaurant
from corpora.models.hours import WEEKDAYS
from hybridchat.chat.models import Conversation
from hybridchat.chat.owners import TOKEN
from hybridchat.effects import replies
from hybridchat.effects.actions.courses import enroll
from hybridchat.effects.actions.restaurants import book
from hybridchat.effects.actions.services import submit_ticket
from hybridchat.effects.models import Enrollment, Reservation, Ticket, TicketReply
from tests.effects.conftest import course, meets
from tests.effects.test_enrolling import STUDENT, chosen
from tests.effects.test_submitting import TICKET

Calls = Callable[..., Call]


@pytest.fixture
def browser(transactional_db: None) -> Client:
    """The browser in which the conversation was held."""
    client = Client(enforce_csrf_checks=True)
    session = client.session
    session[TOKEN] = "a session's token"
    session.save()
    return client


@pytest.fixture
def booked(place: Restaurant, call: Calls, table: dict[str, Any]) -> Reservation:
    """A table in a week, by the real clock."""
    later = (timezone.localdate() + timedelta(days=7)).isoformat()
    every_day = {key: [["17:00", "22:00"]] for key in WEEKDAYS}
    Restaurant.objects.update(opening_hours=every_day)
    asyncio.run(book(call(now=timezone.now()), **table | {"date": later}, special_request_info="a <b>window</b> seat"))
    return Reservation.objects.get()


@pytest.fixture
def enrolled(call: Calls) -> Enrollment:
    course("CS 101", "Programming", meets(capacity=1))
    asyncio.run(enroll(call(), courses=chosen("CS 101"), student=STUDENT))
    return Enrollment.objects.get()


@pytest.fixture
def ticket(call: Calls) -> Ticket:
    asyncio.run(submit_ticket(call(), ticket=TICKET))
    return Ticket.objects.get()


def page(client: Client, path: str = "/mine/", status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return answer.content.decode()


def post(client: Client, path: str) -> str:
    """Press the button of a page; the page one is led to."""
    client.get(path)
    token = client.cookies["csrftoken"].value
    answer = client.post(path, {"csrfmiddlewaretoken": token}, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_somebody_new_has_nothing_and_is_told_where_to_begin(transactional_db: None) -> None:
    text = page(Client())
    assert "Nothing here yet" in text
    assert 'href="/"' in text


def test_all_three_kinds_are_shown(browser: Client, booked: Reservation, enrolled: Enrollment, ticket: Ticket) -> None:
    text = page(browser)
    for reference in (booked.reference, enrolled.reference, ticket.reference):
        assert reference in text
    assert "The Blue Door" in text
    assert "Programming" in text
    assert "Drop a Course: CS 101" in text
    assert "free to cancel until" in text
    assert "a &lt;b&gt;window&lt;/b&gt; seat" in text


def test_what_is_shown_leads_to_its_conversation_until_that_is_deleted(
    browser: Client, booked: Reservation, conversation: Conversation
) -> None:
    link = f'href="/c/{conversation.pk}/"'
    assert link in page(browser).split("<main")[1]
    conversation.delete()
    text = page(browser)
    assert link not in text
    assert booked.reference in text


@pytest.mark.usefixtures("place")
def test_a_stranger_sees_nothing_of_it(browser: Client, booked: Reservation, enrolled: Enrollment) -> None:
    stranger = Client()
    assert booked.reference not in page(stranger)
    for path in (
        f"/mine/bookings/{booked.reference}/cancel/",
        f"/mine/bookings/{booked.reference}/calendar.ics",
        f"/mine/courses/{enrolled.reference}/drop/",
    ):
        page(stranger, path, 404)
        assert stranger.post(path).status_code in (404, 405)
    booked.refresh_from_db()
    enrolled.refresh_from_db()
    assert booked.booked
    assert enrolled.held


def test_who_signs_in_keeps_what_the_browser_had(browser: Client, booked: Reservation, django_user_model: Any) -> None:
    browser.force_login(django_user_model.objects.create_user("ada"))
    assert booked.reference in page(browser)


def test_cancelling_is_asked_first_and_says_what_it_means(browser: Client, booked: Reservation) -> None:
    path = f"/mine/bookings/{booked.reference}/cancel/"
    asked = page(browser, path)
    assert "Cancel this table?" in asked
    assert "Canceling is free until" in asked
    booked.refresh_from_db()
    assert booked.booked
    done = post(browser, path)
    assert f"Your booking {booked.reference} is canceled" in done
    assert "so canceling is free" in done
    booked.refresh_from_db()
    assert not booked.booked


def test_late_cancelling_is_warned_of(browser: Client, booked: Reservation) -> None:
    soon = timezone.localtime() + timedelta(hours=3)
    Reservation.objects.update(date=soon.date(), time=soon.time().replace(microsecond=0))
    assert "half the cancellation fee applies" in page(browser, f"/mine/bookings/{booked.reference}/cancel/")
    assert "nothing is charged here" in post(browser, f"/mine/bookings/{booked.reference}/cancel/")


def test_a_second_click_on_cancel_is_told_so(browser: Client, booked: Reservation) -> None:
    path = f"/mine/bookings/{booked.reference}/cancel/"
    post(browser, path)
    assert "is already canceled" in post(browser, path)
    booked.refresh_from_db()
    assert booked.sequence == 1


def test_a_forged_form_cancels_nothing(browser: Client, booked: Reservation) -> None:
    assert browser.post(f"/mine/bookings/{booked.reference}/cancel/").status_code == 403
    booked.refresh_from_db()
    assert booked.booked


def test_dropping_a_course_frees_its_place_for_who_waits(browser: Client, enrolled: Enrollment, call: Calls) -> None:
    waiting = {**STUDENT, "student_id": "7777"}
    asyncio.run(enroll(call(conversation_id="another"), courses=chosen("CS 101"), student=waiting))
    assert "Drop this course?" in page(browser, f"/mine/courses/{enrolled.reference}/drop/")
    assert "You have dropped CS 101" in post(browser, f"/mine/courses/{enrolled.reference}/drop/")
    assert Enrollment.objects.get(student_id="7777").status == "enrolled"
    assert Enrollment.objects.get(pk=enrolled.pk).status == "dropped"


def test_who_waits_sees_the_place_in_line_and_can_leave(browser: Client, enrolled: Enrollment, call: Calls) -> None:
    asyncio.run(enroll(call(), courses=chosen("CS 101"), student={**STUDENT, "student_id": "7777"}))
    assert "number 1" in page(browser)
    second = Enrollment.objects.get(student_id="7777")
    assert "You have left the waitlist" in post(browser, f"/mine/courses/{second.reference}/drop/")
    assert Enrollment.objects.get(pk=enrolled.pk).status == "enrolled"


def test_a_reply_is_marked_as_new_until_it_was_seen(browser: Client, ticket: Ticket) -> None:
    replies.answer(ticket, None, "Please try again tomorrow.")
    assert 'class="unseen"> new reply' in page(browser, "/")
    first = page(browser)
    assert "Please try again tomorrow." in first
    assert "reply__new" in first
    assert "reply__new" not in page(browser)
    assert "new reply" not in page(browser, "/")


def test_looking_without_reading_marks_nothing(browser: Client, ticket: Ticket) -> None:
    replies.answer(ticket, None, "Please try again tomorrow.")
    browser.head("/mine/")
    page(Client())
    assert TicketReply.objects.get().read_at is None


def test_the_calendar_file_is_the_booking(browser: Client, booked: Reservation) -> None:
    answer = browser.get(f"/mine/bookings/{booked.reference}/calendar.ics")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert f'filename="table-{booked.reference}.ics"' in answer["Content-Disposition"]
    assert f"UID:{booked.reference}@hybridchat\r\n" in answer.content.decode()
