"""Whose is what a call brings about?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from django.db.models import Q

from hybridchat.chat.models import Conversation
from hybridchat.effects.models import Owned


@dataclass(frozen=True, slots=True)
class Belonging:
    """The conversation a call comes from, and that conversation's owner where it has one."""

    conversation: UUID
    owner_key: str = ""
    user_id: int | None = None

    @property
    def person(self) -> str:
        """One text for one person, as far as they can be told apart."""
        if self.user_id is not None:
            return f"user {self.user_id}"
        return f"session {self.owner_key}" if self.owner_key else f"conversation {self.conversation}"

    def fields(self) -> dict[str, Any]:
        """For a new `Owned`."""
        return {"conversation": self.conversation, "owner_key": self.owner_key, "user_id": self.user_id}

    def holds(self) -> Q:
        """True of an `Owned` that whoever calls may see and change."""
        mine = Q(conversation=self.conversation)
        if self.owner_key:
            mine |= Q(owner_key=self.owner_key)
        if self.user_id is not None:
            mine |= Q(user_id=self.user_id)
        return mine

    def includes(self, thing: Owned) -> bool:
        """Return whether the thing is theirs."""
        return type(thing)._default_manager.filter(self.holds(), pk=thing.pk).exists()


def belonging(conversation: str) -> Belonging:
    """Read from the conversation itself, so that no caller can claim to be somebody else."""
    try:
        pk = UUID(conversation)
    except ValueError:  # a conversation in a terminal may go by any name
        pk = uuid5(NAMESPACE_URL, conversation)
    stored = Conversation.objects.filter(pk=pk).values_list("owner_key", "user_id").first()
    return Belonging(pk, *stored) if stored else Belonging(pk)
