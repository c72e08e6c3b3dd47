"""Whose turn it is: people, and the addresses they come from, are served in turn, not in order of arrival.

Among addresses the one that had the fewest turns begun within the last minute comes first, within an address the
person, and of one person what came first. A turn that was begun already comes before all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from hybridchat.chat.models import Turn

MEMORY = timedelta(minutes=1)  # turns begun longer ago than this do not count against anybody
LONGEST_TURN = timedelta(minutes=10)  # older turns are not looked through


@dataclass(frozen=True, slots=True)
class InLine:
    """A turn that waits. `person` and `address` are any names that tell them apart."""

    id: UUID
    person: str
    address: str
    arrived: datetime
    begun: bool = False


def in_turn(waiting: Iterable[InLine], served: Sequence[InLine] = ()) -> list[InLine]:
    """Return the waiting turns in the order of service; `served` are the recently started ones."""
    persons, addresses = Counter(one.person for one in served), Counter(one.address for one in served)
    rounds: dict[UUID, tuple[int, int]] = {}
    of_person: dict[UUID, int] = {}
    arrived = sorted(waiting, key=lambda one: (not one.begun, one.arrived))
    for one in arrived:
        of_person[one.id] = persons[one.person]
        persons[one.person] += 1
    for one in sorted(arrived, key=lambda one: (not one.begun, of_person[one.id], one.arrived)):
        rounds[one.id] = (addresses[one.address], of_person[one.id])
        addresses[one.address] += 1
    return sorted(arrived, key=lambda one: (not one.begun, rounds[one.id], one.arrived))


def queue() -> list[UUID]:
    """Return the turns that may be taken up now, in order."""
    return [one.id for one in in_turn(_read(Turn.objects.waiting()), _served())]


def places() -> dict[UUID, int]:
    """Return the place in line, from 1, of each waiting turn."""
    return {turn: number for number, turn in enumerate(queue(), start=1)}


def _served() -> list[InLine]:
    now = timezone.now()
    return _read(Turn.objects.filter(created__gt=now - LONGEST_TURN, started_at__gt=now - MEMORY))


def _read(turns: QuerySet[Turn]) -> list[InLine]:
    fields = ("pk", "conversation__owner_key", "conversation__user_id", "address_key", "created", "started_at")
    found = []
    for pk, owner_key, user_id, address, created, started in turns.values_list(*fields):
        person = f"user {user_id}" if user_id is not None else owner_key
        found.append(InLine(pk, person, address or person, created, started is not None))
    return found
