"""What the worksheets of each application may call, and how their values are checked."""

from __future__ import annotations

from agent.worksheets.actions import Registry
from hybridchat.effects.checks import courses, restaurants, services, star

REGISTRIES = {
    "restaurants": restaurants.registry,
    "courses": courses.registry,
    "services": services.registry,
    "bank_fraud_report": star.registry,
    "trip_directions": star.registry,
    "trivia": star.registry,
}


def registry_for(assistant: str) -> Registry:
    """The actions and checks of an assistant; an empty registry for one that has none."""
    return REGISTRIES.get(assistant) or Registry()
