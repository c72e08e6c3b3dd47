"""Submitting tickets."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.worksheets.actions import Call, Refusal
from hybridchat.chat.models import Conversation
from hybridchat.chat.owners import Owner
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
