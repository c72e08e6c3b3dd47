"""Submitting tickets, and answering them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agent.worksheets.actions import Refusal, Result
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
CATEGORY_PARTED_BY = " › "
ABOUT = ("course_code", "course_name")  # what a ticket's subject names besides its category


def submit(receipt: Receipt, whose: Belonging, fields: Mapping[str, Any]) -> Result:
    """Put the ticket into the staff's queue. Raises `Refusal` where it does not say what it is about."""
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
        "The answer of student services will appear in this conversation."
    )
    return Result(sentence, {"success": True, "transaction_id": made.reference, "category": made.category})


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
