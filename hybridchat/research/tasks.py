"""What workers do for the staff: carry their answers into conversations."""

from __future__ import annotations

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from hybridchat.chat.errors import Busy
from hybridchat.research import feedback
from hybridchat.research.models import FeedbackAnswer

LEFT_BEHIND = timedelta(minutes=1)  # after which what was not done is looked at again
SWEPT_AT_ONCE = 50


@shared_task(name=feedback.CARRY_ANSWER, autoretry_for=(Busy,), retry_backoff=2, retry_jitter=False, max_retries=6)
def carry_answer(pk: int) -> bool:
    """Carry an answer into its conversation; while a turn runs there, come back in a few seconds."""
    return feedback.carry(pk)


@shared_task(name="hybridchat.research.tasks.sweep")
def sweep() -> int:
    """Hand out what was left behind: a hint was lost, or a server away. Returns how much."""
    since = timezone.now() - LEFT_BEHIND
    untold = FeedbackAnswer.objects.filter(told_at__isnull=True, created__lt=since)
    answers = list(untold.order_by("created").values_list("pk", flat=True)[:SWEPT_AT_ONCE])
    for pk in answers:
        carry_answer.delay(pk)
    return len(answers)
