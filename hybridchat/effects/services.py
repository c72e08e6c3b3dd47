"""What is done to effects besides the actions that worksheets call."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from hybridchat.effects.models import Enrollment, Receipt, Reservation, Ticket


def forget_effects(conversation: UUID) -> None:
    """Delete what a conversation brought about, with its receipts and letters."""
    with transaction.atomic():
        for made in (Reservation, Enrollment, Ticket):
            made.objects.filter(conversation=conversation).delete()
        Receipt.objects.filter(key__startswith=f"{conversation}:").delete()
