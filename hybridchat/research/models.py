"""What staff make of conversations: answers to feedback, cases that must keep working, and their runs."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from corpora.models.columns import filled
from hybridchat.chat.models import Feedback


class FeedbackAnswer(models.Model):
    """What the staff answer to feedback; `told_at` is when it was carried into the person's conversation."""

    feedback = models.ForeignKey(Feedback, on_delete=models.CASCADE, related_name="answers")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    text = models.TextField()
    created = models.DateTimeField(default=timezone.now, editable=False)
    told_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("created",)
        constraints = (filled("text", name="research_answer_text_filled"),)

    def __str__(self) -> str:
        return self.text[:60]
