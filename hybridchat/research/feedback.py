"""What staff do about feedback: take it up, settle it, and answer the person in the conversation."""

from __future__ import annotations

from uuid import NAMESPACE_URL, uuid5

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from hybridchat.celery import app
from hybridchat.chat import services
from hybridchat.chat.errors import NotFound
from hybridchat.chat.models import Feedback
from hybridchat.research.models import FeedbackAnswer

CARRY_ANSWER = "hybridchat.research.tasks.carry_answer"
HEADING = "The staff on your feedback"


def take(chosen: QuerySet[Feedback], user: AbstractBaseUser) -> int:
    """Make somebody work on feedback; returns on how many."""
    return chosen.update(assignee=user, status=Feedback.Status.WORKING)


def settle(chosen: QuerySet[Feedback], status: str) -> int:
    """Give feedback a status; returns to how many."""
    return chosen.update(status=Feedback.Status(status))


def answer(feedback: Feedback, author: AbstractBaseUser | None, text: str) -> FeedbackAnswer:
    """Keep an answer; after commit it is carried into the conversation that it is about."""
    with transaction.atomic():
        kept = FeedbackAnswer.objects.create(feedback=feedback, author=author, text=text)
        # The sweeper comes by where the broker is away.
        transaction.on_commit(lambda: app.send_task(CARRY_ANSWER, [kept.pk]), robust=True)
    return kept


def carry(pk: int) -> bool:
    """Tell an answer in its conversation, once; returns whether that was done now. Raises `Busy` while a turn runs."""
    with transaction.atomic():
        untold = FeedbackAnswer.objects.select_for_update(of=("self",), skip_locked=True).filter(told_at__isnull=True)
        kept = untold.select_related("feedback__turn__conversation").filter(pk=pk).first()
        if kept is None:
            return False
        turn = kept.feedback.turn
        try:
            about = f"{HEADING}: “{turn.message[:200]}”"
            services.tell(turn.conversation, uuid5(NAMESPACE_URL, f"feedback-answer-{pk}"), about, kept.text)
        except NotFound:  # deleted at this very moment, and the answer with it
            return False
        kept.told_at = timezone.now()
        kept.save(update_fields=["told_at"])
    return True
