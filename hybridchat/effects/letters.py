"""Writing e-mails: with the effect, in its transaction; a worker posts them once it has committed."""

from __future__ import annotations

from django.db import transaction

from hybridchat.celery import app
from hybridchat.effects.models import Letter, Owned, Reservation

POST_LETTER = "hybridchat.effects.tasks.post_letter"


def write(to: str, about: Owned, subject: str, body: str) -> Letter | None:
    """Store an e-mail to be sent after commit, by the sweeper if the broker is down; None without an address.

    With one about a reservation goes its calendar entry.
    """
    if not to:
        return None
    reservation = about if isinstance(about, Reservation) else None
    letter = Letter.objects.create(
        to=to, receipt_id=about.receipt_id, subject=subject, body=body, reservation=reservation
    )
    transaction.on_commit(lambda: app.send_task(POST_LETTER, [letter.pk]), robust=True)
    return letter
