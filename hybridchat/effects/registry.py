"""What the worksheets of each application may call, and how their values are checked."""

from __future__ import annotations

import dataclasses
import functools
import pkgutil
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

from django.apps import apps

from agent.worksheets.actions import Action, Registry
from hybridchat.effects.checks import courses, restaurants, services, star

OF_ONES_OWN = {"restaurants": restaurants.registry_of, "courses": courses.registry_of}
REGISTRIES = {
    "services": services.registry,
    "bank_fraud_report": star.registry,
    "trip_directions": star.registry,
    "trivia": star.registry,
}
_added: dict[str, Registry] = {}


def action(assistant: str, name: str) -> Callable[[Action], Action]:
    """Register a function as an action of an assistant. It is found in the module or package `actions` of any
    installed app, without being named anywhere else."""
    return _added.setdefault(assistant, Registry()).action(name)


def registry_for(assistant: str, conversation: str = "") -> Registry:
    """Return the actions and checks of an assistant; an empty registry if it has none.

    `conversation` is the identifier that its `Call`s carry: some checks concern what the person has (their bookings,
    their courses).
    """
    discover()
    own = OF_ONES_OWN.get(assistant)
    registry = own(conversation) if own is not None else REGISTRIES.get(assistant) or Registry()
    added = _added.get(assistant)
    return dataclasses.replace(registry, actions=registry.actions | added.actions) if added is not None else registry


@functools.cache
def discover() -> None:
    """Import the module or package `actions` of every installed app, and the modules in it."""
    for app in apps.get_app_configs():
        found = f"{app.name}.actions"
        if find_spec(found) is None:
            continue
        module = import_module(found)
        for inside in pkgutil.iter_modules(getattr(module, "__path__", ())):
            import_module(f"{found}.{inside.name}")
