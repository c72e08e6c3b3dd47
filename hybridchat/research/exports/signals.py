"""What is deleted is deleted from the exports that lie here, too."""

from __future__ import annotations

from typing import Any

from django.db.models.signals import pre_delete
from django.dispatch import receiver

from hybridchat.chat.models import Conversation
from hybridchat.research.exports import services
from hybridchat.research.studies.participations import Participation


@receiver(pre_delete, sender=Conversation)
def recall_conversation(instance: Conversation, **_: Any) -> None:
    """Remove the archives that may hold the conversation; whoever needs them makes new ones."""
    services.recall(instance.created)


@receiver(pre_delete, sender=Participation)
def recall_participation(instance: Participation, **_: Any) -> None:
    """Remove the archives that may hold the questions or the answers of somebody who took part in a study."""
    services.recall(instance.arrived)
