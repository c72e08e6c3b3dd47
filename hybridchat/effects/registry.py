"""What the worksheets of each application may call, and how their values are checked."""

from __future__ import annotations

from agent.worksheets.actions import Registry
from hybridchat.effects.checks import courses, restaurants, services, star

REGISTRIES = {
    "courses": courses.registry,
    "services": services.registry,
    "bank_fraud_report": star.registry,
    "trip_directions": star.registry,
    "trivia": star.registry,
}


def registry_for(assistant: str, conversation: str = "") -> Registry:
    """The actions and checks of an assistant; an empty registry for one that has none.

    `conversation` is the identifier that its `Call`s carry: some checks concern what the person has (their bookings).
    """
    if assistant == "restaurants":
        return restaurants.registry_of(conversation)
    return REGISTRIES.get(assistant) or Registry()
