"""People who take part in a study."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.test import Client
from django.urls import reverse

from hybridchat.chat import services as chat
from hybridchat.chat.owners import Owner, key_of
from hybridchat.research.models import Participation, Study
from hybridchat.research.studies import services


def somebody() -> Owner:
    """The owner that a new browser is."""
    return Owner(key_of(uuid4().hex))


def joined(study: Study, person: str = "", owner: Owner | None = None) -> Participation:
    """Somebody who has agreed."""
    return services.agree(services.arrive(study, owner or somebody(), person))


def talked(own: Participation, messages: int) -> Participation:
    """Somebody who has begun and sent so many messages, each stopped at once."""
    own = services.begin(own)
    assert own.conversation is not None
    for number in range(messages):
        turn, _ = chat.receive(own.conversation, uuid4(), f"message {number}")
        chat.request_stop(turn)
    return own


class Visitor:
    """A browser in front of a study."""

    def __init__(self, study: Study) -> None:
        self.client, self.slug = Client(), study.slug

    def opens(self, **parameters: str) -> Any:
        """Follow an invitation to the page it leads to."""
        return self.client.get(reverse("study:join", args=[self.slug]), parameters, follow=True)

    def presses(self, step: str, **fields: Any) -> Any:
        """Send the form of a step and see what comes of it."""
        return self.client.post(reverse(f"study:{step}", args=[self.slug]), fields, follow=True)

    def looks(self, page: str = "here") -> Any:
        return self.client.get(reverse(f"study:{page}", args=[self.slug]))
