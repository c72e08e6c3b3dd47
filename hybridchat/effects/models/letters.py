"""E-mails that are due: an effect writes its letter in its own transaction, a worker posts it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from hybridchat.effects.models.receipts import Receipt
from hybridchat.effects.models.reservations import Reservation


class Letter(models.Model):
    """One e-mail about what `receipt` is for, gone if that is taken back. `reservation` is the one whose calendar entry
    goes with it, as it stands when the letter is sent."""

    receipt = models.ForeignKey(Receipt, null=True, on_delete=models.CASCADE, related_name="letters", editable=False)
    to = models.EmailField()
    subject = models.CharField(max_length=300)
    body = models.TextField()
    reservation = models.ForeignKey(Reservation, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created = models.DateTimeField(default=timezone.now, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    problem = models.TextField(blank=True, help_text="Why the last attempt failed.")

    class Meta:
        ordering = ["-created"]
        constraints = [
            models.CheckConstraint(condition=~Q(to="") & ~Q(subject="") & ~Q(body=""), name="effects_letter_is_whole")
        ]
        indexes = [models.Index(fields=["created"], condition=Q(sent_at__isnull=True), name="effects_letter_unsent")]

    def __str__(self) -> str:
        return f"{self.subject} to {self.to}"
