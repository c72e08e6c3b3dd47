"""What workers do for the effects: post letters, and carry the staff's replies into conversations."""

from __future__ import annotations

import logging
from datetime import timedelta

from celery import shared_task
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import timezone

from hybridchat.chat.errors import Busy
from hybridchat.effects import letters, replies
from hybridchat.effects.calendars import calendar_file
from hybridchat.effects.models import Letter, TicketReply

ATTEMPTS = 8
LEFT_BEHIND = timedelta(minutes=1)  # after which a letter that was not posted is looked at again
SWEPT_AT_ONCE = 50

logger = logging.getLogger(__name__)


@shared_task(name=letters.POST_LETTER)
def post_letter(pk: int) -> bool:
    """Send an e-mail unless it was or is being sent; return whether this call sent it.

    The row is locked while the server takes the letter. A process that dies right after that, before it can say so,
    leaves it to be posted again: the same Message-ID lets the recipient's program show it once.
    """
    with transaction.atomic():
        letter = Letter.objects.select_for_update(skip_locked=True).filter(pk=pk, sent_at__isnull=True).first()
        if letter is None or letter.attempts >= ATTEMPTS:
            return False
        letter.attempts += 1
        try:
            _message(letter).send()
        except OSError as error:  # smtplib's errors are among them: no server, no route, refused
            letter.problem = repr(error)
            logger.warning("letter %s could not be posted (attempt %s): %s", pk, letter.attempts, error)
        else:
            letter.sent_at, letter.problem = timezone.now(), ""
        letter.save(update_fields=["attempts", "sent_at", "problem"])
        return letter.sent_at is not None


@shared_task(name=replies.CARRY_REPLY, autoretry_for=(Busy,), retry_backoff=2, retry_jitter=False, max_retries=6)
def carry_reply(pk: int) -> bool:
    """Add a staff reply to its conversation; retry in a few seconds while a turn runs there."""
    return replies.carry(pk)


@shared_task(name="hybridchat.effects.tasks.sweep")
def sweep() -> int:
    """Hand out e-mails and replies left behind by a lost hint or a server that was down; return how many."""
    since = timezone.now() - LEFT_BEHIND
    unsent = Letter.objects.filter(sent_at__isnull=True, attempts__lt=ATTEMPTS, created__lt=since)
    untold = TicketReply.objects.filter(told_at__isnull=True, created__lt=since)
    letters_left = list(unsent.order_by("created").values_list("pk", flat=True)[:SWEPT_AT_ONCE])
    replies_left = list(untold.order_by("created").values_list("pk", flat=True)[:SWEPT_AT_ONCE])
    for pk in letters_left:
        post_letter.delay(pk)
    for pk in replies_left:
        carry_reply.delay(pk)
    return len(letters_left) + len(replies_left)


def _message(letter: Letter) -> EmailMessage:
    identifier = f"<letter-{letter.pk}-{int(letter.created.timestamp())}@hybridchat>"
    message = EmailMessage(letter.subject, letter.body, to=[letter.to], headers={"Message-ID": identifier})
    if letter.reservation is not None:
        message.attach(f"table-{letter.reservation.reference}.ics", calendar_file(letter.reservation), "text/calendar")
    return message
