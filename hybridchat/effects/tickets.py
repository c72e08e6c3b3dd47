"""Submitting tickets, and answering them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from agent.worksheets.actions import Refusal, Result
from hybridchat.chat.models import Turn
from hybridchat.chat.owners import Owner
from hybridchat.effects.belonging import Belonging
from hybridchat.effects.models import Receipt, Ticket
from hybridchat.effects.values import text

# The fields of the ticket worksheets that choose a branch, from the whole to the part.
CHOICES = (
    "student_task",
    "trouble_shoot_specific_issue",
    "change_type",
    "leave_of_absence_specific_issue",
    "specific_issue",
    "test_issues",
    "test_type",
    "type_of_international_test",
)
DAY = timedelta(hours=24)
CATEGORY_PARTED_BY = " › "
ABOUT = ("course_code", "course_name")  # what a ticket's subject names besides its category


def submit(receipt: Receipt, whose: Belonging, fields: Mapping[str, Any]) -> Result:
    """Put the ticket into the staff's queue. Raises `Refusal` if it does not say what it is about, or where there
    were too many today."""
    _check_share(whose)
    said = _filled(fields)
    category = [text(value) for name, value in _leaves(said) if name in CHOICES]
    if not category:
        raise Refusal("The ticket does not say yet what it is about.", "student_task")
    about = [text(value) for name, value in _leaves(said) if name in ABOUT]
    made = Ticket.objects.create(
        receipt=receipt,
        category=CATEGORY_PARTED_BY.join(category)[:300],
        subject=": ".join([category[-1], *about])[:300],
        fields=said,
        full_name=text(said.get("full_name"))[:200],
        **whose.fields(),
    )
    sentence = (
        f"Your ticket is submitted: {made.subject}. The transaction id is {made.reference}. "
        "Student services will answer in this conversation."
    )
    return Result(sentence, {"success": True, "transaction_id": made.reference, "category": made.category})


def _check_share(whose: Belonging) -> None:
    """Raises `Refusal` if a person, their address or the site has submitted a day's share of tickets."""
    if not whose.owner_key and whose.user_id is None:
        return  # a conversation in a terminal
    today = Ticket.objects.filter(created__gt=timezone.now() - DAY)
    mine = today.of(Owner(whose.owner_key, whose.user_id)).count()
    if mine >= settings.TICKETS_PER_DAY:
        raise Refusal(f"You have submitted {mine} tickets within a day. Please try again tomorrow.")
    turns = Turn.objects.filter(created__gt=timezone.now() - DAY).exclude(address_key="")
    here = turns.filter(conversation=whose.conversation).values("address_key")
    neighbours = turns.filter(address_key__in=here).values("conversation")
    if today.filter(conversation__in=neighbours).count() >= settings.TICKETS_PER_DAY * settings.ADDRESS_SHARE:
        raise Refusal("Too many tickets came from your network today. Please try again tomorrow.")
    if today.exclude(owner_key="", user=None).count() >= settings.TICKETS_PER_DAY * settings.SITE_SHARE:
        raise Refusal("Too many tickets were submitted on this site today. Please try again tomorrow.")


def _filled(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that have a value, nested ones too. A confirmation is no content."""
    kept = {name: _filled(value) if isinstance(value, Mapping) else value for name, value in fields.items()}
    return {name: value for name, value in kept.items() if value not in (None, "", {}) and name != "confirm"}


def _leaves(fields: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Names and values, depth first in the order of the fields."""
    for name, value in fields.items():
        if isinstance(value, Mapping):
            yield from _leaves(value)
        else:
            yield name, value
