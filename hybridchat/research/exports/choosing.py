"""Which conversations are exported. Conversations are exported whole: a filter on turns chooses those that have one."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from hybridchat.chat.models import Conversation, Turn


@dataclass(frozen=True, slots=True)
class Filters:
    """`since` (from then on) and `until` (before then) are moments of turns in ISO form; `rating` is "up" or "down".

    `label` is one that the staff gave to feedback, `study` the slug of a study.
    """

    since: str = ""
    until: str = ""
    assistant: str = ""
    rating: str = ""
    label: str = ""
    study: str = ""
    conversations: tuple[str, ...] = ()

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Filters:
        """Filters as they are stored with an export."""
        known = {field.name for field in fields(cls)}
        return cls(
            **{
                name: tuple(value) if isinstance(value, list) else value
                for name, value in stored.items()
                if name in known
            }
        )

    def stored(self) -> dict[str, Any]:
        """Those that are set."""
        return {name: value for name, value in asdict(self).items() if value}


def chosen(filters: Filters) -> QuerySet[Conversation]:
    """The conversations that the filters choose and that have a finished turn, oldest first."""
    turns = Turn.objects.finished().filter(conversation=OuterRef("pk"))
    if filters.since:
        turns = turns.filter(created__gte=datetime.fromisoformat(filters.since))
    if filters.until:
        turns = turns.filter(created__lt=datetime.fromisoformat(filters.until))
    if filters.rating:
        turns = turns.filter(feedback__rating=1 if filters.rating == "up" else -1)
    if filters.label:
        turns = turns.filter(feedback__labels__contains=[filters.label])
    found = Conversation.objects.filter(Exists(turns)).order_by("created", "pk")
    if filters.study:
        found = found.filter(participation__study__slug=filters.study)
    if filters.assistant:
        found = found.filter(assistant=filters.assistant)
    if filters.conversations:
        found = found.filter(pk__in=filters.conversations)
    return found


def after(conversations: QuerySet[Conversation], moment: str, key: str) -> QuerySet[Conversation]:
    """Those that come after a conversation, by when it was begun and its key."""
    begun = datetime.fromisoformat(moment)
    later = conversations.filter(created__gte=begun)  # from there on in the index, however many come before
    return later.filter(Q(created__gt=begun) | Q(created=begun, pk__gt=key))
