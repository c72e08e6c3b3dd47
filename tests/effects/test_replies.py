"""The queue of tickets in the admin, and how a reply reaches the person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from agent.worksheets.actions import Call
from hybridchat.chat import leases, services
from hybridchat.chat.errors import Busy
from hybridchat.chat.models import Conversation, Turn
from hybridchat.effects import replies
from hybridchat.effects.actions.services import submit_ticket
from hybridchat.effects.models import Letter, Ticket, TicketReply
from tests.effects.test_submitting import TICKET

Calls = Callable[..., Call]


@pytest.fixture
def ticket(call: Calls) -> Ticket:
    asyncio.run(submit_ticket(call(), ticket=TICKET))
    return Ticket.objects.get()


@pytest.fixture
def staff(admin_client: Client) -> Client:
    return admin_client


def form(ticket: Ticket, *texts: str, **fields: Any) -> dict[str, Any]:
    """What the ticket's page in the admin sends."""
    stored = ticket.replies.count()
    sent = {"status": ticket.status, "assignee": "", "replies-TOTAL_FORMS": stored + len(texts)}
    for number, text in enumerate(texts, start=stored):
        sent |= {f"replies-{number}-text": text, f"replies-{number}-id": "", f"replies-{number}-ticket": ticket.pk}
    return {**sent, "replies-INITIAL_FORMS": stored, **fields}


def change(staff: Client, ticket: Ticket, *texts: str, **fields: Any) -> None:
    answer = staff.post(f"/admin/effects/ticket/{ticket.pk}/change/", form(ticket, *texts, **fields))
    assert answer.status_code == 302, answer.context["errors"]


def told(conversation: Conversation) -> list[tuple[str, str]]:
    notes = conversation.turns.filter(kind=Turn.Kind.NOTE).order_by("position")
    return [(note.message, note.state["reply"]["text"]) for note in notes]


def test_the_queue_shows_open_tickets_first_and_oldest_first(staff: Client, ticket: Ticket, call: Calls) -> None:
    for status in ("closed", "waiting", "open"):
        asyncio.run(submit_ticket(call(), ticket={**TICKET, "full_name": status}))
        Ticket.objects.filter(full_name=status).update(status=status)
    rows = staff.get("/admin/effects/ticket/").context["cl"].result_list
    assert [row.full_name for row in rows] == ["Ada Byron", "open", "waiting", "closed"]


def test_the_queue_can_be_filtered_and_searched(staff: Client, ticket: Ticket) -> None:
    for query in ("status__exact=closed", "q=nobody", "category=Other"):
        assert ticket.reference not in staff.get(f"/admin/effects/ticket/?{query}").content.decode()
    assert ticket.reference in staff.get("/admin/effects/ticket/?q=byron&status__exact=open").content.decode()


def test_a_ticket_shows_all_that_was_filled_in_and_its_conversation(
    staff: Client, ticket: Ticket, conversation: Conversation
) -> None:
    text = staff.get(f"/admin/effects/ticket/{ticket.pk}/change/").content.decode()
    assert "The button does nothing." in text
    assert f"/admin/chat/conversation/{conversation.pk}/read/" in text
    conversation.delete()
    assert "no longer there" in staff.get(f"/admin/effects/ticket/{ticket.pk}/change/").content.decode()


def test_status_and_assignee_are_set(staff: Client, ticket: Ticket, admin_user: Any) -> None:
    change(staff, ticket, status="waiting", assignee=admin_user.pk)
    ticket.refresh_from_db()
    assert (ticket.status, ticket.assignee) == ("waiting", admin_user)


def test_actions_take_and_close(staff: Client, ticket: Ticket, admin_user: Any) -> None:
    for action in ("take", "close"):
        staff.post("/admin/effects/ticket/", {"action": action, "_selected_action": [ticket.pk]})
    ticket.refresh_from_db()
    assert (ticket.status, ticket.assignee) == ("closed", admin_user)


def test_what_was_submitted_cannot_be_edited(staff: Client, ticket: Ticket) -> None:
    change(staff, ticket, subject="Something else", full_name="Nobody")
    ticket.refresh_from_db()
    assert (ticket.subject, ticket.full_name) == ("Drop a Course: CS 101", "Ada Byron")


def test_a_reply_reaches_the_conversation_once(
    staff: Client, ticket: Ticket, conversation: Conversation, admin_user: Any
) -> None:
    change(staff, ticket, "Please try again tomorrow.", status="waiting")
    reply = TicketReply.objects.get()
    assert reply.author == admin_user
    page = staff.get(reverse("admin:effects_ticket_change", args=[ticket.pk])).content.decode()
    assert "admin, not read yet" in page
    assert "related-widget-wrapper-link" not in page  # an assignee is chosen, not made
    assert [replies.carry(reply.pk) for _ in range(2)] == [True, False]
    assert told(conversation) == [(f"Student services on your ticket {ticket.reference}", "Please try again tomorrow.")]


def test_a_second_reply_is_another_and_the_first_stays_as_it_is(
    staff: Client, ticket: Ticket, conversation: Conversation
) -> None:
    change(staff, ticket, "First.")
    change(staff, ticket, "Second.", **{"replies-0-text": "Changed.", "replies-0-id": TicketReply.objects.get().pk})
    for reply in TicketReply.objects.all():
        replies.carry(reply.pk)
    assert [text for _, text in told(conversation)] == ["First.", "Second."]


def test_a_reply_waits_for_the_turn_that_runs(ticket: Ticket, conversation: Conversation) -> None:
    turn = services.receive(conversation, uuid4(), "hello")[0]
    reply = replies.answer(ticket, None, "Done.")
    with pytest.raises(Busy):
        replies.carry(reply.pk)
    leases.take(turn.pk, "me")
    leases.fail(turn.pk, "me", "broken", "")
    assert replies.carry(reply.pk)
    assert conversation.turns.get(kind=Turn.Kind.NOTE).position == 2


def test_a_reply_to_a_conversation_that_is_gone_is_kept_for_the_page(
    ticket: Ticket, conversation: Conversation
) -> None:
    conversation.delete()
    reply = replies.answer(ticket, None, "Done.")
    assert not replies.carry(reply.pk)
    reply.refresh_from_db()
    assert reply.told_at is not None
    assert reply.read_at is None


def test_a_signed_in_person_gets_it_by_e_mail_too(ticket: Ticket, django_user_model: Any) -> None:
    ticket.user = django_user_model.objects.create_user("ada", "ada@example.org")
    ticket.save()
    replies.answer(ticket, None, "Done.")
    letter = Letter.objects.get()
    assert (letter.to, letter.body) == ("ada@example.org", "Done.\n")


def test_who_may_only_look_at_tickets_cannot_answer_them(
    ticket: Ticket, client: Client, django_user_model: Any
) -> None:
    reader = django_user_model.objects.create_user("reader", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_ticket", content_type__app_label="effects"))
    client.force_login(reader)
    assert client.get(f"/admin/effects/ticket/{ticket.pk}/change/").status_code == 200
    assert client.post(f"/admin/effects/ticket/{ticket.pk}/change/", form(ticket, "Hello.")).status_code == 403
    assert not TicketReply.objects.exists()


@pytest.mark.parametrize("model", ["seating", "closure", "reservation", "enrollment", "letter", "ticket"])
def test_every_list_of_the_admin_opens(staff: Client, model: str) -> None:
    assert staff.get(f"/admin/effects/{model}/?q=x").status_code == 200
