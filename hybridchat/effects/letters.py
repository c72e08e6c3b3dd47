"""Writing e-mails: with the effect, in its transaction; a worker posts them once it has committed."""

from __future__ import annotations

from django.db import transaction

from hybridchat.celery import app
from hybridchat.effects.models import Letter, Reservation

POST_LETTER = "hybridchat.effects.tasks.post_letter"


def write(to: str, subject: str, body: str, reservation: Reservation | None = None) -> Letter | None:
    """A letter to be posted after commit, by the sweeper if the broker is away; none where there is no address."""
    if not to:
        return None
    letter = Letter.objects.create(to=to, subject=subject, body=body, reservation=reservation)
    transaction.on_commit(lambda: app.send_task(POST_LETTER, [letter.pk]), robust=True)
    return letter
