"""What all effects have in common: whose they are, where they were made, and a reference to call them by."""

from __future__ import annotations

import secrets
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from hybridchat.chat.owners import Owner

LENGTH = 6
DIGITS = "23456789"
ALPHABET = f"{DIGITS}BCDFGHJKMNPQRSTVWXYZ"  # no vowels: no words; no 0, 1, O, I, L to mistake for each other


def new_reference() -> str:
    """Return a short reference code, easy to say on the phone: "K7QX4M". It has a digit, so that it is no word."""
    code = [secrets.choice(ALPHABET) for _ in range(LENGTH)]
    if not any(character.isdigit() for character in code):
        code[secrets.randbelow(LENGTH)] = secrets.choice(DIGITS)
    return "".join(code)


def is_reference(word: str) -> bool:
    """Return whether a word has the form of a reference."""
    return len(word) == LENGTH and set(word.upper()) <= set(ALPHABET) and any(map(str.isdigit, word))


def has_an_owner(name: str) -> models.CheckConstraint:
    """It belongs to a browser session, a user, or at least to the conversation that brought it about."""
    somebody = ~Q(owner_key="") | Q(user__isnull=False) | Q(conversation__isnull=False)
    return models.CheckConstraint(condition=somebody, name=name)


class OwnedQuerySet(models.QuerySet["Owned"]):
    """Effects by whose they are."""

    def of(self, owner: Owner) -> Self:
        """Return those of a browser session or a user, as `hybridchat.chat.owners` tells people apart."""
        mine = Q(pk__in=())
        if owner.key:
            mine |= Q(owner_key=owner.key)
        if owner.user_id is not None:
            mine |= Q(user_id=owner.user_id)
        return self.filter(mine)


class Owned(models.Model):
    """Something that a conversation brought about.

    It belongs to the conversation's owner. A conversation in a terminal has none; what it made is its own, and is
    nobody's once it is over. `conversation` is no foreign key: a booking outlives the talk in which it was made.
    """

    reference = models.CharField(max_length=12, unique=True, default=new_reference, editable=False)
    owner_key = models.CharField(max_length=64, blank=True, db_index=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, editable=False, on_delete=models.CASCADE, related_name="+"
    )
    conversation = models.UUIDField(null=True, blank=True, db_index=True, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)

    objects = OwnedQuerySet.as_manager()

    class Meta:
        abstract = True
