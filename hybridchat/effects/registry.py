"""What the worksheets of each application may call, and how their values are checked."""

from __future__ import annotations

from agent.worksheets.actions import Registry
from hybridchat.effects.checks import courses, restaurants, services, star

OF_ONES_OWN = {"restaurants": restaurants.registry_of, "courses": courses.registry_of}
REGISTRIES = {
    "services": services.registry,
    "bank_fraud_report": star.registry,
    "trip_directions": star.registry,
    "trivia": star.registry,
}


def registry_for(assistant: str, conversation: str = "") -> Registry:
    """The actions and checks of an assistant; an empty registry for one that has none.

    `conversation` is the identifier that its `Call`s carry: some checks concern what the person has (their bookings,
    their courses).
    """
    if assistant in OF_ONES_OWN:
        return OF_ONES_OWN[assistant](conversation)
    return REGISTRIES.get(assistant) or Registry()
