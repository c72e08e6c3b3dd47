"""Which language backend new turns use, and the model servers on this machine that are offered.

A backend's name is "builtin", "openai" (as the settings say), or "MODEL at BASE_URL" for a server that was connected
from the page; `hybridchat.agents.agent_for` takes each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import HttpRequest

from corpora.models import Assistant
from hybridchat.chat.errors import Refused
from hybridchat.chat.models import Conversation, ModelChoice
from hybridchat.chat.overrides import overrides_of

if TYPE_CHECKING:
    from agent.backends.discovery import Offer

BUILTIN_NOTICE = "Built-in language, no model connected."
LOOPBACK = {"127.0.0.1", "::1"}


def current_language() -> str:
    """Return the backend for new turns."""
    choice = ModelChoice.objects.first()
    return str(choice) if choice else settings.LANGUAGE_BACKEND


def language_of(conversation: Conversation) -> str:
    """Return the backend that the next turn of a conversation uses: its own where it has one, or its assistant's."""
    return overrides_of(conversation).language or language_of_assistant(conversation.assistant)


def language_of_assistant(slug: str) -> str:
    """Return the backend that an assistant's turns use: its own, or the site's where it has none."""
    own = Assistant.objects.filter(slug=slug).values_list("language", flat=True).first()
    return own or current_language()


def languages_to_choose() -> dict[str, str]:
    """Return the backends that an assistant may be given, each with what to call it; "" is the site's choice."""
    named = {"": "what the site uses", "builtin": "the built-in language"}
    if settings.OPENAI_BASE_URL or settings.OPENAI_API_KEY:
        named["openai"] = f"{settings.OPENAI_MODEL}, as the settings say"
    return named | {str(one): str(one) for one in ModelChoice.objects.exclude(model="")}


def notice(language: str) -> str:
    """Return what the page says about the language in use; "" if nothing."""
    return BUILTIN_NOTICE if language == "builtin" else ""


def may_connect(request: HttpRequest) -> bool:
    """Return whether this person may connect a model: staff, or anyone at the machine itself outside production."""
    direct = request.META.get("REMOTE_ADDR") in LOOPBACK and "X-Forwarded-For" not in request.headers
    at_the_machine = direct and not settings.PRODUCTION
    return at_the_machine or (request.user.is_authenticated and request.user.is_staff)


def choose(offers: Sequence[Offer], base_url: str, model: str, user: Any) -> ModelChoice:
    """Use an offered model from the next turn on; raise `Refused` if it is not offered."""
    if not any(offer.base_url == base_url and model in offer.models for offer in offers):
        raise Refused("That model server no longer answers. Is it still running?")
    return _chosen(base_url, model, user)


def choose_builtin(user: Any) -> ModelChoice:
    """Go back to the builtin language."""
    return _chosen("", "", user)


def _chosen(base_url: str, model: str, user: Any) -> ModelChoice:
    chosen_by = user if user.is_authenticated else None
    return ModelChoice.objects.create(base_url=base_url, model=model, chosen_by=chosen_by)
