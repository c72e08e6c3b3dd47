"""The proof that an action was done, and what it returned: one a confirmation."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone


class Receipt(models.Model):
    """An action that was done under an idempotency key, with the first call's result.

    It is written in the transaction of the effect itself, so there is never one without the other.
    """

    key = models.CharField(max_length=200, primary_key=True)
    action = models.CharField(max_length=40)
    sentence = models.TextField(blank=True)
    values = models.JSONField(default=dict, blank=True)
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created"]
        constraints = [models.CheckConstraint(condition=~Q(key=""), name="effects_receipt_has_a_key")]

    def __str__(self) -> str:
        return f"{self.action} {self.key}"
