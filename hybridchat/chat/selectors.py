"""What is read about conversations: by their owner, by staff, and by the sweeper."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import groupby
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format

from agent.record import TurnState
from agent.worksheets.state import DialogueState
from hybridchat.chat.errors import NotFound
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.owners import Owner
from hybridchat.chat.rendering import HistoryDay, HistoryEntry

HISTORY_LENGTH = 200
SEARCHED_WORDS = 8


def conversation_of(owner: Owner, conversation: UUID) -> Conversation:
    """Return the owner's conversation; `NotFound` where there is none, or it is somebody else's."""
    found = owner.conversations().filter(pk=conversation).first()
    if found is None:
        raise NotFound("This conversation cannot be opened here: it was deleted, or it began in another browser.")
    return found


def conversation_with(owner: Owner, turn: UUID) -> Conversation | None:
    """Return the owner's conversation that has the turn; None if there is none."""
    return owner.conversations().filter(turns=turn).first()


def turn_of(conversation: Conversation, turn: UUID) -> Turn:
    """Return a turn of the conversation, or `NotFound`."""
    found = conversation.turns.filter(pk=turn).first()
    if found is None:
        raise NotFound("That message is not in this conversation.")
    return found


def turns_of(conversation: Conversation) -> QuerySet[Turn]:
    """Return all turns in order, with what their views need."""
    return conversation.turns.order_by("position").select_related("feedback")


def turns_after(conversation: Conversation, position: int, seq: int) -> QuerySet[Turn]:
    """Return the turns in which something happened after event `seq` of turn number `position`."""
    later = Q(position__gt=position) | Q(position=position, last_event__gt=seq)
    return turns_of(conversation).filter(later)


def past_states(turn: Turn) -> list[TurnState]:
    """What the turn is understood against: the answered turns before it (before its first try, for a retry), without
    notes, so that what was asked last is still what was asked last."""
    before = turn.origin.position if turn.origin else turn.position
    stored = turn.conversation.turns.filter(position__lt=before, status=Turn.Status.DONE).order_by("position")
    said = stored.exclude(kind=Turn.Kind.NOTE).values_list("state", flat=True)
    return [TurnState.model_validate(state) for state in said]


def dialogue_before(turn: Turn) -> DialogueState | None:
    """Return the state of the worksheets that the turn begins with: as the last turn that decided anything left it.

    A turn that failed or was stopped after it decided counts, since its effects happened. A retry begins where its
    first try began, unless the talk has gone on since.
    """
    earlier = turn.conversation.turns.filter(position__lt=turn.position)
    if turn.origin and not earlier.filter(position__gt=turn.origin.position).exclude(origin=turn.origin).exists():
        earlier = earlier.filter(position__lt=turn.origin.position)
    return _dialogue(earlier)


def dialogue_of(conversation: Conversation) -> DialogueState | None:
    """Return the state of the worksheets as it stands, None before anything was decided."""
    return _dialogue(conversation.turns.all())


def _dialogue(turns: QuerySet[Turn]) -> DialogueState | None:
    """As the last of the turns that decided anything left it."""
    decided = turns.filter(state__dialogue__isnull=False).exclude(state__dialogue=None).order_by("-position")
    state = decided.values_list("state__dialogue", flat=True).first()
    return DialogueState.model_validate(state) if state else None


def history(owner: Owner, words: str = "") -> tuple[HistoryDay, ...]:
    """The owner's conversations that have begun, newest first, by day; only those where all `words` were said, asked or
    answered, where given. Those that a word ends are part of something else, which shows them."""
    turns = Turn.objects.filter(conversation=OuterRef("pk"))
    mine = owner.conversations().filter(Exists(turns), closing_word="")
    for word in words.split()[:SEARCHED_WORDS]:
        said = turns.filter(Q(message__icontains=word) | Q(state__reply__text__icontains=word))
        mine = mine.filter(Q(title__icontains=word) | Exists(said))
    newest = mine.order_by("-updated")[:HISTORY_LENGTH]
    return _by_day([HistoryEntry(one.pk, str(one), one.assistant, one.updated) for one in newest])


def _by_day(entries: Sequence[HistoryEntry]) -> tuple[HistoryDay, ...]:
    today = timezone.localdate()
    days = groupby(entries, key=lambda entry: _day_label(entry.updated, today))
    return tuple(HistoryDay(label, tuple(group)) for label, group in days)


def _day_label(moment: datetime, today: date) -> str:
    day = timezone.localtime(moment).date()
    if day >= today:
        return "Today"
    if day == today - timedelta(days=1):
        return "Yesterday"
    if day > today - timedelta(days=7):
        return "Earlier this week"
    return date_format(day, "F" if day.year == today.year else "F Y")
