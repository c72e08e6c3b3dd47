"""What staff do about feedback: take it up, settle it, and answer the person in the conversation."""

from __future__ import annotations

from uuid import NAMESPACE_URL, uuid5

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from agent.protocols.errors import QueryError
from corpora.examples import keep_pair
from corpora.models import Assistant, FewShotPair
from hybridchat.celery import app
from hybridchat.chat import services
from hybridchat.chat.errors import NotFound
from hybridchat.chat.models import Feedback
from hybridchat.research.copies import is_copy, note_copy
from hybridchat.research.drafts import case_from, is_trusted, pair_from
from hybridchat.research.models import FeedbackAnswer, RegressionCase
from hybridchat.research.selectors import keys_of, with_conversations

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


def make_pairs(chosen: QuerySet[Feedback], by: AbstractBaseUser) -> tuple[int, int]:
    """Make few-shot pairs of what was misread and the query of what was meant, where that found something and nobody
    doubts it; returns how many were made and how many left alone. Whoever took a condition away may have wanted more
    rather than been misread, so those pairs are left to be looked at one by one."""
    made, total = 0, 0
    for given in with_conversations(chosen).select_related("correction__feedback"):
        total += 1
        if (
            given.correction is None
            or given.of_chip
            or not is_trusted(given.correction)
            or not keys_of(given.correction)
        ):
            continue
        draft = pair_from(given.turn)
        known = FewShotPair.objects.filter(corpus=draft["corpus"], message=draft["message"]).first()
        try:
            with transaction.atomic():
                pair = keep_pair(**draft, by=by, note="from what somebody meant")
                if known is None or is_copy(known):  # else they are a curator's words, too
                    note_copy(given.turn, pair)
        except (QueryError, Assistant.DoesNotExist):
            continue  # the corpus has changed since; it is counted as left alone
        made += 1
    return made, total - made


def make_cases(chosen: QuerySet[Feedback], by: AbstractBaseUser) -> tuple[int, int]:
    """Make regression cases of turns whose rows nobody doubts; returns how many were made and how many left alone.

    What was said before a turn may hold anything, and wants to be read before it is kept: only first messages count.
    """
    made, total = 0, 0
    for given in with_conversations(chosen).select_related("correction__feedback"):
        total += 1
        draft = case_from(given.turn)
        if not draft["expected_keys"] or len(draft["messages"]) > 1:
            continue
        with transaction.atomic():
            case, new = RegressionCase.objects.get_or_create(
                corpus=draft["corpus"],
                messages=draft["messages"],
                defaults={"expected_keys": draft["expected_keys"], "by": by, "note": "from feedback"},
            )
            if new or is_copy(case):  # else they are a curator's words, too
                note_copy(given.turn, case)
        made += new
    return made, total - made
