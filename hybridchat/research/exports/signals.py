"""A conversation that is deleted is deleted from the exports that lie here, too."""

from __future__ import annotations

from typing import Any

from django.db.models.signals import pre_delete
from django.dispatch import receiver

from hybridchat.chat.models import Conversation
from hybridchat.research.exports import services


@receiver(pre_delete, sender=Conversation)
def recall_exports(instance: Conversation, **_: Any) -> None:
    """Remove the archives that may hold the conversation; whoever needs them makes new ones."""
    services.recall(instance)
