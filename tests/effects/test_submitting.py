"""Submitting tickets."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from agent.worksheets.actions import Call, Refusal
from hybridchat.chat import services
from hybridchat.chat.models import Conversation
from hybridchat.chat.owners import Owner, key_of
from hybridchat.chat.threads import in_thread
from hybridchat.effects.actions.services import submit_ticket
from hybridchat.effects.models import Ticket

Calls = Callable[..., Call]
TICKET = {
    "student_task": "Troubleshoot Student Enrollment",
    "trouble_shoot": {
        "trouble_shoot_specific_issue": "Change Course",
        "change_course_issues": {
            "change_type": "Drop a Course",
            "course_code": "CS 101",
            "issue_description": "The button does nothing.",
        },
        "join_waitlist": None,
    },
    "leave_of_absence": None,
    "extra_details": "",
    "full_name": "Ada Byron",
    "confirm": True,
}


async def test_a_ticket_keeps_all_that_was_said_and_nothing_else(
    call: Calls, conversation: Conversation, owner: Owner
) -> None:
    result = await submit_ticket(call(), ticket=TICKET)
    made = await Ticket.objects.aget()
    assert made.category == "Troubleshoot Student Enrollment › Change Course › Drop a Course"
    assert made.subject == "Drop a Course: CS 101"
    assert made.fields == {
        "student_task": "Troubleshoot Student Enrollment",
        "trouble_shoot": {
            "trouble_shoot_specific_issue": "Change Course",
            "change_course_issues": {
                "change_type": "Drop a Course",
                "course_code": "CS 101",
                "issue_description": "The button does nothing.",
            },
        },
        "full_name": "Ada Byron",
    }
    assert (made.status, made.full_name, made.conversation) == ("open", "Ada Byron", conversation.pk)
    assert made.owner_key == owner.key
    assert result.values["transaction_id"] == made.reference
    assert made.reference in result.sentence


async def test_a_person_has_a_days_share_of_tickets(call: Calls, settings: Any) -> None:
    settings.TICKETS_PER_DAY = 2
    for _ in range(2):
        await submit_ticket(call(), ticket=TICKET)
    with pytest.raises(Refusal, match="2 tickets within a day"):
        await submit_ticket(call(), ticket=TICKET)
    await Ticket.objects.all().aupdate(created=timezone.now() - timedelta(hours=25))
    await submit_ticket(call(), ticket=TICKET)


async def test_new_names_do_not_help_an_address_to_more_tickets(call: Calls, settings: Any) -> None:
    settings.TICKETS_PER_DAY, settings.ADDRESS_SHARE = 1, 2

    def conversation_of(person: str, address: str) -> str:
        begun = services.new_conversation(Owner(key_of(person)), "services")
        services.receive(begun, uuid4(), "I need a ticket", address)
        return str(begun.pk)

    for person in ("ann", "bob"):
        conversation = await in_thread(conversation_of, person, "home")
        await submit_ticket(call(conversation_id=conversation), ticket=TICKET)
    third = await in_thread(conversation_of, "cid", "home")
    with pytest.raises(Refusal, match="your network"):
        await submit_ticket(call(conversation_id=third), ticket=TICKET)
    elsewhere = await in_thread(conversation_of, "dan", "elsewhere")
    await submit_ticket(call(conversation_id=elsewhere), ticket=TICKET)
    settings.SITE_SHARE = 3
    late = await in_thread(conversation_of, "eve", "somewhere else")
    with pytest.raises(Refusal, match="on this site"):
        await submit_ticket(call(conversation_id=late), ticket=TICKET)


async def test_a_second_ticket_is_another_one(call: Calls) -> None:
    await submit_ticket(call(), ticket=TICKET)
    await submit_ticket(call(), ticket={"student_task": "Leave of Absence", "full_name": "Ada Byron"})
    assert await Ticket.objects.acount() == 2


async def test_false_and_zero_are_values(call: Calls) -> None:
    await submit_ticket(call(), ticket={"student_task": "Leave of Absence", "schedule_conflict": False, "count": 0})
    made = await Ticket.objects.aget()
    assert made.fields["schedule_conflict"] is False
    assert made.fields["count"] == 0


async def test_a_ticket_about_nothing_is_refused(call: Calls) -> None:
    with pytest.raises(Refusal, match="does not say yet what it is about"):
        await submit_ticket(call(), ticket={"full_name": "Ada Byron"})
    assert not await Ticket.objects.aexists()
